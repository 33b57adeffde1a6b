import { Auth, type AuthConfig } from "@auth/core";
import Discord from "@auth/core/providers/discord";
import { expect, test } from "vitest";
import { CookieJar } from "./support/cookie_jar.ts";
import {
  ada,
  appOrigin,
  consent,
  credentials,
  startPlatform,
  statusOf,
} from "./support/platform.ts";

await startPlatform([`${appOrigin}/auth/callback/discord`]);

/** An application, and a browser that has begun a login there. */
interface Login {
  /** The redirect target after the callback. */
  readonly destination: string | null;
  readonly session: { readonly user?: unknown } | null;
  readonly accessToken: string | undefined;
  /** The error that the library reported. */
  readonly errors: readonly Error[];
}

async function logIn(options: { readonly issuer?: string }): Promise<Login> {
  let accessToken: string | undefined;
  const errors: Error[] = [];
  const config: AuthConfig = {
    basePath: "/auth",
    secret: "a secret of these tests, long enough for it",
    trustHost: true,
    providers: [
      Discord({ clientId: credentials.id, clientSecret: credentials.secret, ...options }),
    ],
    callbacks: {
      jwt({ token, account }) {
        accessToken ??= account?.access_token;
        return token;
      },
    },
    logger: { error: (error) => errors.push(error) },
  };
  const jar = new CookieJar();
  const call = async (path: string, form?: Record<string, string>): Promise<Response> => {
    const headers = { cookie: jar.header };
    const init = form ? { method: "POST", headers, body: new URLSearchParams(form) } : { headers };
    return jar.keep(await Auth(new Request(new URL(path, appOrigin), init), config));
  };
  const { csrfToken } = await (await call("/auth/csrf")).json();
  const callbackUrl = `${appOrigin}/welcome`;
  const start = await call("/auth/signin/discord", { csrfToken, callbackUrl });
  const response = await call((await consent(start.headers.get("location") ?? "")).href);
  return {
    destination: response.headers.get("location"),
    session: await (await call("/auth/session")).json(),
    accessToken,
    errors,
  };
}

test("@auth/core logs in and reads, with the option issuer", async () => {
  const { destination, session, accessToken, errors } = await logIn({
    issuer: "https://discord.com",
  });
  expect(errors).toEqual([]);
  expect(destination).toBe(`${appOrigin}/welcome`);
  expect(session?.user).toEqual({
    name: ada.global_name,
    email: ada.email,
    image: `https://cdn.discordapp.com/avatars/${ada.id}/${ada.avatar}.gif`,
  });
  expect(await statusOf(accessToken ?? "")).toBe(200);
});

// This is a bug of @auth/core: its provider has no issuer, so it expects `https://authjs.dev` as the `iss` of the callback
// (https://github.com/nextauthjs/next-auth/issues/12687).
test("@auth/core refuses every callback without the option issuer", async () => {
  const { destination, session, errors } = await logIn({});
  expect(destination).toBe(`${appOrigin}/auth/error?error=Configuration`);
  expect(session).toBeNull();
  expect(String(errors[0]?.cause && (errors[0].cause as { err: Error }).err.message)).toBe(
    'unexpected "iss" (issuer) response parameter value',
  );
});
