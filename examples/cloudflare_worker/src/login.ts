/**
 * The login: to the platform's consent page, and back with a code.
 *
 * @module
 */

import {
  AuthUrl,
  generateCodeVerifier,
  generateState,
  parseCallback,
  PlatformApi,
  type Scope,
  StateMismatchError,
  User,
} from "@guildpass/sdk";
import { forgetAttempt, keepAttempt, openAttempt } from "./attempt.ts";
import type { Env } from "./env.ts";
import { redirect } from "./http.ts";
import { platformOf } from "./platform.ts";
import { explain, problemResponse } from "./problems.ts";
import { createSession, endSession } from "./session.ts";

/** What the login asks for: the person's profile, and the guilds they are in. */
const scope: readonly Scope[] = ["identify", "guilds"];

/** Sends somebody to the consent page. */
export async function startLogin(request: Request, env: Env): Promise<Response> {
  const attempt = { state: generateState(), codeVerifier: generateCodeVerifier() };
  const authUrl = new AuthUrl(
    env.DISCORD_CLIENT_ID,
    scope,
    redirectUri(request),
    null,
    { platform: platformOf(env) },
  );
  return redirect(await authUrl.makeUrl(attempt), await keepAttempt(attempt, env));
}

/** Logs in somebody who comes back from the consent page. */
export async function finishLogin(request: Request, env: Env): Promise<Response> {
  const forget = forgetAttempt(request);
  try {
    const attempt = await openAttempt(request, env);
    // First of all, even when the address has an error in it: anybody can link to this address with one of their own.
    if (!attempt) throw new StateMismatchError("no_expected_state");
    const { code } = parseCallback(request, { state: attempt.state });
    const platform = platformOf(env);
    const api = new PlatformApi(
      env.DISCORD_CLIENT_ID,
      env.DISCORD_CLIENT_SECRET,
      scope,
      redirectUri(request),
      { platform },
    );
    const token = await api.accessToken(code, { codeVerifier: attempt.codeVerifier });
    const user = await new User(token, { platform }).getCurrentUser();
    await endSession(request, env);
    return redirect("/me", await createSession(token, user, env), forget);
  } catch (error) {
    // A page, never a redirect to a new login, which could fail again and repeat without end.
    return problemResponse(request, explain(error, "/login"), { "set-cookie": forget });
  }
}

/** Has to be registered with the application, for every address that the Worker has. */
function redirectUri(request: Request): string {
  return new URL("/callback", request.url).href;
}
