/**
 * An application in a process of its own. Each line of its input starts some callers at once.
 *
 * @module
 */

import { replyToLines } from "../../../../tests/support/line_process.ts";
import type { Contender, Shared } from "./contender.ts";
import { redirectFetch } from "./platform.ts";

/** The settings of a process. */
export interface Settings {
  /** The name of a module in `contenders/`. */
  readonly contender: string;
  readonly shared: Shared;
  readonly platformOrigin: string;
  /** The time by which its clock is ahead, in milliseconds, so that the access token has ended. */
  readonly clockShift: number;
}

/** One line of the input. */
export interface CallRequest {
  readonly callers: number;
  readonly browser: string;
}

/** The result of one caller. */
export interface CallResult {
  /** The status of `/users/@me`, requested with the new token at once, or `null` if the caller got an error. */
  readonly status: number | null;
  /** The browser's next `Cookie` header, if this answer was the last to arrive. */
  readonly browser: string;
  /** The arrival time, by the clock of this machine, in milliseconds since the epoch. */
  readonly at: number;
}

if (import.meta.main) await main(JSON.parse(Deno.args[0] ?? "{}"));

async function main({ contender, shared, platformOrigin, clockShift }: Settings): Promise<void> {
  const realNow = Date.now;
  shiftClock(clockShift);
  redirectFetch(platformOrigin);
  const module: { contender: Contender } = await import(`./contenders/${contender}.ts`);
  const application = await module.contender.open(shared);
  await replyToLines(async ({ callers, browser }: CallRequest) => {
    const calls = Array.from({ length: callers }, async (): Promise<CallResult> => {
      const answer = await application.call(browser);
      const at = realNow();
      return { status: await statusOf(answer.accessToken), browser: answer.browser, at };
    });
    return await Promise.all(calls);
  });
}

async function statusOf(accessToken: string | null): Promise<number | null> {
  if (accessToken === null) return null;
  const response = await fetch("https://discord.com/api/v10/users/@me", {
    headers: {
      authorization: `Bearer ${accessToken}`,
      "user-agent": "DiscordBot (https://app.example, 1.0)",
    },
  });
  await response.body?.cancel();
  return response.status;
}

/** Moves the clock for every use of `Date.now()` and `new Date()`. */
function shiftClock(milliseconds: number): void {
  const RealDate = Date;
  const now = () => RealDate.now() + milliseconds;
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, args, newTarget) =>
      Reflect.construct(target, args.length > 0 ? args : [now()], newTarget),
    get: (target, name) => name === "now" ? now : Reflect.get(target, name),
  });
}
