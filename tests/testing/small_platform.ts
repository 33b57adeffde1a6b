/**
 * A small fake platform, and short ways to log in to it and to ask it.
 *
 * @module
 */

import type { FakeGuild, FakePlatform, FakePlatformOptions } from "../../src/testing/mod.ts";
import { createFakePlatform } from "../../src/testing/mod.ts";

export const AGENT = { "user-agent": "DiscordBot (https://app.example, 1.0)" };
export const APP = {
  id: "100",
  secret: "s3cret:with colon",
  redirectUris: ["https://app.example/cb"],
};
export const PUBLIC_APP = {
  id: "200",
  secret: null,
  redirectUris: ["https://spa.example/", "spa://cb"],
};
export const ADA = { id: "1", username: "ada" };
export const BOB = { id: "2", username: "bob" };
export const LOOMS: FakeGuild = {
  id: "70",
  name: "Looms",
  members: { "1": { owner: true }, "2": {} },
};
export const VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
export const CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

/** What every object has, though nobody put it there. */
export const inherited = ["constructor", "toString", "valueOf", "__proto__"];

export interface Json {
  readonly [key: string]: unknown;
}

export function small(options: FakePlatformOptions = {}): FakePlatform {
  return createFakePlatform({
    applications: [{ ...APP, botToken: "bot-token" }, PUBLIC_APP],
    users: [ADA, BOB],
    guilds: [LOOMS],
    ...options,
  });
}

export function link(fake: FakePlatform, params: Record<string, string | undefined> = {}): string {
  const query = {
    response_type: "code",
    client_id: APP.id,
    scope: "identify",
    redirect_uri: APP.redirectUris[0],
    ...params,
  };
  const given = Object.entries(query).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, value]]
  );
  return `${fake.platform.authorizeUrl}?${new URLSearchParams(given)}`;
}

export async function login(
  fake: FakePlatform,
  params: Record<string, string | undefined> = {},
  as?: string,
): Promise<string> {
  const callback = await fake.authorize(link(fake, params), as === undefined ? {} : { as });
  return new URL(callback).searchParams.get("code") ?? "";
}

export function post(
  fake: FakePlatform,
  path: string,
  form: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fake.fetch(`${fake.platform.apiUrl}${path}`, {
    method: "POST",
    headers: { ...AGENT, ...headers },
    body: new URLSearchParams(form),
  });
}

export function exchange(
  fake: FakePlatform,
  form: Record<string, string>,
  headers: Record<string, string> = { authorization: basic(APP.id, APP.secret) },
): Promise<Response> {
  return post(fake, "/oauth2/token", { grant_type: "authorization_code", ...form }, headers);
}

/** A code exchange as it should be. */
export function redeem(fake: FakePlatform, code: string): Promise<Response> {
  return exchange(fake, { code, redirect_uri: "https://app.example/cb" });
}

export function basic(id: string, secret: string): string {
  return `Basic ${btoa(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`)}`;
}

export function get(fake: FakePlatform, path: string, authorization?: string): Promise<Response> {
  return fake.fetch(`${fake.platform.apiUrl}${path}`, {
    headers: { ...AGENT, ...(authorization === undefined ? {} : { authorization }) },
  });
}

export function bearer(fake: FakePlatform, scopes: readonly string[], as = "ada"): string {
  return `Bearer ${fake.issueToken({ as, scopes }).access_token}`;
}

export async function body(response: Response | Promise<Response>): Promise<Json> {
  return await (await response).json();
}

export async function refused(
  response: Response | Promise<Response>,
): Promise<[number, unknown, unknown]> {
  const answer = await response;
  const { error, error_description } = await body(answer);
  return [answer.status, error, error_description];
}

export const UNAUTHORIZED = { message: "401: Unauthorized", code: 0 };

export function open(
  fake: FakePlatform,
  url: string,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fake.fetch(url, { headers });
}

export function decide(
  fake: FakePlatform,
  url: string,
  form: Record<string, string>,
): Promise<Response> {
  return fake.fetch(url, { method: "POST", body: new URLSearchParams(form) });
}
