/**
 * A small fake platform, and functions for requests to it.
 *
 * @module
 */

import type { FakeGuild, FakePlatform, FakePlatformOptions } from "../../src/testing/mod.ts";
import { createFakePlatform } from "../../src/testing/mod.ts";

export const USER_AGENT = { "user-agent": "DiscordBot (https://app.example, 1.0)" };
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

/** Inherited property names of every object. */
export const inherited = ["constructor", "toString", "valueOf", "__proto__"];

export interface Json {
  readonly [key: string]: unknown;
}

/** Creates a platform with two applications, two users and one guild. */
export function smallPlatform(options: FakePlatformOptions = {}): FakePlatform {
  return createFakePlatform({
    applications: [{ ...APP, botToken: "bot-token" }, PUBLIC_APP],
    users: [ADA, BOB],
    guilds: [LOOMS],
    ...options,
  });
}

/** Builds an authorize URL. An `undefined` parameter is left out. */
export function authorizeLink(
  fake: FakePlatform,
  params: Record<string, string | undefined> = {},
): string {
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

/** Consents, and returns the authorization code. */
export async function obtainCode(
  fake: FakePlatform,
  params: Record<string, string | undefined> = {},
  as?: string,
): Promise<string> {
  const callback = await fake.authorize(
    authorizeLink(fake, params),
    as === undefined ? {} : { as },
  );
  return new URL(callback).searchParams.get("code") ?? "";
}

/** Posts a form to the API. */
export function postForm(
  fake: FakePlatform,
  path: string,
  form: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fake.fetch(`${fake.platform.apiUrl}${path}`, {
    method: "POST",
    headers: { ...USER_AGENT, ...headers },
    body: new URLSearchParams(form),
  });
}

/** Sends a request to the token endpoint. */
export function requestToken(
  fake: FakePlatform,
  form: Record<string, string>,
  headers: Record<string, string> = { authorization: basicAuth(APP.id, APP.secret) },
): Promise<Response> {
  return postForm(fake, "/oauth2/token", { grant_type: "authorization_code", ...form }, headers);
}

/** Exchanges a code with a correct request. */
export function exchangeCode(fake: FakePlatform, code: string): Promise<Response> {
  return requestToken(fake, { code, redirect_uri: "https://app.example/cb" });
}

/** Returns the `Authorization` header of an application. */
export function basicAuth(id: string, secret: string): string {
  return `Basic ${btoa(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`)}`;
}

/** Reads from the API. */
export function get(fake: FakePlatform, path: string, authorization?: string): Promise<Response> {
  return fake.fetch(`${fake.platform.apiUrl}${path}`, {
    headers: { ...USER_AGENT, ...(authorization === undefined ? {} : { authorization }) },
  });
}

/** Issues a token, and returns its `Authorization` header. */
export function bearerToken(fake: FakePlatform, scopes: readonly string[], as = "ada"): string {
  return `Bearer ${fake.issueToken({ as, scopes }).access_token}`;
}

/** Returns the JSON body of a response. */
export async function readJson(response: Response | Promise<Response>): Promise<Json> {
  return await (await response).json();
}

/** Returns the status, the error and its description. */
export async function readOauthError(
  response: Response | Promise<Response>,
): Promise<[number, unknown, unknown]> {
  const { status } = await response;
  const { error, error_description } = await readJson(response);
  return [status, error, error_description];
}

export const UNAUTHORIZED = { message: "401: Unauthorized", code: 0 };

/** Opens a page as a browser does. */
export function openPage(
  fake: FakePlatform,
  url: string,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fake.fetch(url, { headers });
}

/** Submits the form of a page. */
export function submitDecision(
  fake: FakePlatform,
  url: string,
  form: Record<string, string>,
): Promise<Response> {
  return fake.fetch(url, { method: "POST", body: new URLSearchParams(form) });
}
