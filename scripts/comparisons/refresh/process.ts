/**
 * An application in a process of its own: each line says how many callers begin at once, and what their browser sends.
 *
 * @module
 */

import { answerLines } from "../../../tests/support/line_process.ts";
import type { Contender, Shared } from "./contender.ts";
import { redirectFetch } from "./platform.ts";

/** What a process is started with. */
export interface Settings {
  /** The name of a module in `contenders/`. */
  readonly contender: string;
  readonly shared: Shared;
  readonly platformOrigin: string;
  /** By how much its clock is ahead, in milliseconds: the access token has ended then. */
  readonly clockShift: number;
}

/** What a line says. */
export interface Round {
  readonly callers: number;
  readonly browser: string;
}

/** What one caller got. */
export interface Outcome {
  /** The status of `/users/@me` with the token, asked for as soon as there was one; `null` for an error. */
  readonly status: number | null;
  /** What the browser sends next, if this answer was the last to arrive. */
  readonly browser: string;
  /** When it arrived, by the clock of this machine. */
  readonly at: number;
}

if (import.meta.main) await main(JSON.parse(Deno.args[0] ?? "{}"));

async function main({ contender, shared, platformOrigin, clockShift }: Settings): Promise<void> {
  const realNow = Date.now;
  shiftClock(clockShift);
  redirectFetch(platformOrigin);
  const module: { contender: Contender } = await import(`./contenders/${contender}.ts`);
  const application = await module.contender.open(shared);
  await answerLines(async ({ callers, browser }: Round) => {
    const calls = Array.from({ length: callers }, async (): Promise<Outcome> => {
      const answer = await application.call(browser);
      const at = realNow();
      return { status: await statusOf(answer.accessToken), browser: answer.browser, at };
    });
    return await Promise.all(calls);
  });
}

async function statusOf(accessToken: string | null): Promise<number | null> {
  if (accessToken === null) return null;
  const answer = await fetch("https://discord.com/api/v10/users/@me", {
    headers: {
      authorization: `Bearer ${accessToken}`,
      "user-agent": "DiscordBot (https://app.example, 1.0)",
    },
  });
  await answer.body?.cancel();
  return answer.status;
}

/** For all that asks for the time, by `Date.now()` and by `new Date()`. */
function shiftClock(milliseconds: number): void {
  const RealDate = Date;
  const now = () => RealDate.now() + milliseconds;
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, args, newTarget) =>
      Reflect.construct(target, args.length > 0 ? args : [now()], newTarget),
    get: (target, name) => name === "now" ? now : Reflect.get(target, name),
  });
}
