/// <reference path="./chrome.d.ts" />
/**
 * Logs a person in by a window of the browser, as a public client with PKCE.
 *
 * @module
 */

import {
  AuthUrl,
  generateCodeVerifier,
  generateState,
  parseCallback,
  PlatformApi,
  User,
} from "@guildpass/sdk";
import { clientId, platform } from "./config.ts";

/** The person, as the popup shows them. */
export interface Person {
  readonly id: string;
  readonly username: string;
}

/** The content of `chrome.storage.session`. */
interface Stored {
  readonly accessToken?: string;
  readonly person?: Person;
}

const scope = ["identify"] as const;

/** Returns the person, or `null` before a login. */
export async function currentPerson(): Promise<Person | null> {
  const { person }: Stored = await chrome.storage.session.get("person");
  return person ?? null;
}

/** Opens the consent page, and keeps the access token. The state and the verifier are in no storage. */
export async function logIn(): Promise<Person> {
  const redirectUri = chrome.identity.getRedirectURL();
  const login = { state: generateState(), codeVerifier: generateCodeVerifier() };
  const authUrl = new AuthUrl(clientId, scope, redirectUri, null, { platform });
  const callback = await chrome.identity.launchWebAuthFlow({
    url: await authUrl.makeUrl(login),
    interactive: true,
  });
  const { code } = parseCallback(callback ?? "", login);
  const token = await api().accessToken(code, { codeVerifier: login.codeVerifier });
  const { id, username } = await new User(token, { platform }).getCurrentUser();
  const person = { id, username };
  await chrome.storage.session.set({ accessToken: token.access_token, person });
  return person;
}

/** Forgets the person, and ends the access token at the platform. */
export async function logOut(): Promise<null> {
  const { accessToken }: Stored = await chrome.storage.session.get("accessToken");
  await chrome.storage.session.clear();
  if (accessToken !== undefined) await api().revoke(accessToken);
  return null;
}

function api(): PlatformApi<"identify"> {
  const redirectUri = chrome.identity.getRedirectURL();
  return new PlatformApi(clientId, null, scope, redirectUri, { platform });
}
