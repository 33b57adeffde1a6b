/**
 * A process of an application that logs people in, and runs a job with their tokens. Each line of its input is a command.
 *
 * @module
 */

import { createClient } from "redis";
import { redisStore } from "../../../../src/stores/redis.ts";
import { LoginRequiredError, User } from "../../../../mod.ts";
import { Login } from "../../../../src/login/mod.ts";
import { sampleApplication } from "../../../../src/testing/mod.ts";
import { replyToLines } from "../../../support/line_process.ts";

/** The settings of a process. */
export interface JobSettings {
  readonly redisUrl: string;
  readonly platformOrigin: string;
  readonly secret: string;
}

/** A command for a process. */
export type JobCommand =
  /** Moves the clock of the process ahead of the real one, by milliseconds. */
  | { readonly kind: "set clock"; readonly ahead: number }
  /** Uses the tokens of people at the same moment, several times each. */
  | { readonly kind: "run job"; readonly userIds: readonly string[]; readonly times: number }
  /** Reads with the session of a browser. */
  | { readonly kind: "view"; readonly cookie: string }
  /** Begins a login with further scopes. */
  | { readonly kind: "start"; readonly scope: readonly "connections"[] }
  | { readonly kind: "finish"; readonly callback: string; readonly cookie: string }
  | { readonly kind: "end all"; readonly userId: string; readonly startedBefore: number };

/** The response to a command. */
export interface JobAnswer {
  /** The results of callers: a username, or the name of an error. */
  readonly results: readonly string[];
  readonly location: string | null;
  readonly setCookies: readonly string[];
}

if (import.meta.main) await main(JSON.parse(Deno.args[0] ?? "{}"));

async function main({ redisUrl, platformOrigin, secret }: JobSettings): Promise<void> {
  const site = "http://localhost:3000/";
  const { now } = Date;
  const platform = {
    authorizeUrl: `${platformOrigin}/oauth2/authorize`,
    apiUrl: `${platformOrigin}/api/v10`,
    cdnUrl: platformOrigin,
    issuer: platformOrigin,
  };
  const redis = await createClient({ url: redisUrl }).connect();
  const login = new Login({
    clientId: sampleApplication.id,
    clientSecret: sampleApplication.secret,
    scope: ["identify", "guilds"],
    secret,
    store: redisStore(redis),
    backgroundTokens: true,
    idleTimeout: 200 * 86_400,
    maxAge: 300 * 86_400,
    platform,
  });
  const nothing: JobAnswer = { results: [], location: null, setCookies: [] };
  const use = async (source: ReturnType<typeof login.tokensOf>): Promise<string> => {
    const user = await new User(source, { platform }).getCurrentUser({ fresh: true })
      .catch((error: Error) => error);
    return user instanceof LoginRequiredError
      ? `LoginRequiredError: ${user.reason}`
      : user instanceof Error
      ? user.name
      : user.username;
  };

  await replyToLines(async (command: JobCommand): Promise<JobAnswer> => {
    switch (command.kind) {
      case "set clock":
        Date.now = () => now() + command.ahead;
        return nothing;
      case "run job": {
        const callers = Array.from({ length: command.times }, () => command.userIds).flat();
        const results = await Promise.all(callers.map((userId) => use(login.tokensOf(userId))));
        return { ...nothing, results };
      }
      case "view": {
        const headers = { cookie: command.cookie };
        const session = await login.session(new Request(site, { headers }));
        return { ...nothing, results: [session ? await use(session.token) : "no session"] };
      }
      case "start": {
        const { scope } = command;
        const { headers } = await login.start(new Request(site), scope.length > 0 ? { scope } : {});
        const location = headers.get("location");
        return { ...nothing, location, setCookies: headers.getSetCookie() };
      }
      case "finish": {
        const headers = { cookie: command.cookie };
        const { user, ...finished } = await login.finish(
          new Request(command.callback, { headers }),
        );
        return {
          ...nothing,
          results: [user.username],
          setCookies: finished.headers.getSetCookie(),
        };
      }
      case "end all": {
        const { userId, startedBefore } = command;
        await login.endAll(userId, { startedBefore, tokens: true });
        return nothing;
      }
    }
  });
}
