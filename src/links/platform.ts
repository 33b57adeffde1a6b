/**
 * Where the platform lives: the base URLs everything else is built from, and its own name.
 *
 * @module
 */

import { throwBadArgument } from "../core/arguments.ts";

/**
 * The base URLs of a platform. Pass your own to talk to a server that speaks the same API: a proxy, a
 * self-hosted instance, or the fake platform of `@guildpass/sdk/testing`.
 *
 * Each is an absolute `https:` URL without user, password and fragment; it is checked when a class that uses it is made.
 * `http:` is taken for this machine (`localhost`, `127.0.0.1`, `[::1]`), and elsewhere only with `allowInsecure`.
 */
export interface Platform {
  /** The page a person opens to grant access, for example `https://discord.com/oauth2/authorize`. */
  readonly authorizeUrl: string | URL;
  /** The base of the HTTP API, without a query, for example `https://discord.com/api/v10`. */
  readonly apiUrl: string | URL;
  /** The base of the image CDN, without a query, for example `https://cdn.discordapp.com`. */
  readonly cdnUrl: string | URL;
  /**
   * What the platform calls itself in a callback (`iss`, RFC 9207) and in an `id_token`, to the letter: for example
   * `https://discord.com`. A platform without one can be used for everything but their check.
   */
  readonly issuer?: string | null | undefined;
  /**
   * Whether `http:` is taken for other machines too. Secrets and tokens then cross the network unencrypted.
   *
   * @default {false}
   */
  readonly allowInsecure?: boolean | null | undefined;
}

/** A platform whose URLs are text, as those of {@link discord} and of the fake platform are. */
export interface TextPlatform extends Platform {
  /** The page a person opens to grant access. */
  readonly authorizeUrl: string;
  /** The base of the HTTP API. */
  readonly apiUrl: string;
  /** The base of the image CDN. */
  readonly cdnUrl: string;
  /** What the platform calls itself. */
  readonly issuer: string;
}

/** A constant of its own, so that a page which builds links does not ship the other two URLs. */
export const discordAuthorizeUrl = "https://discord.com/oauth2/authorize";

/**
 * Discord itself, API version 10: the platform used when no other is given.
 *
 * @see {@link https://docs.discord.com/developers/topics/oauth2 | OAuth2 in the platform's documentation}
 */
export const discord: TextPlatform = /* @__PURE__ */ Object.freeze({
  authorizeUrl: discordAuthorizeUrl,
  apiUrl: "https://discord.com/api/v10",
  cdnUrl: "https://cdn.discordapp.com",
  issuer: "https://discord.com",
});

/**
 * Checks one URL of a platform, and gives it as text: it is `http:` or `https:`, so that a link to it can't run code, has a
 * host, and has neither user and password, which errors would show, nor a fragment.
 */
export function checkedUrl(argument: string, url: string | URL): string {
  const text = String(url);
  if (!/^https?:\/\/[^\s@#/?:][^\s@#]*$/.test(text)) {
    throwBadArgument(argument, "an https URL", url);
  }
  return text;
}

/**
 * Checks that what is sent to a URL is encrypted, or stays on this machine.
 *
 * Apart from {@link checkedUrl}, since `Bot` does not ship it: an invitation carries no secret, and none comes back.
 */
export function checkEncrypted(argument: string, url: string | URL): void {
  if (!/^https:|^http:\/\/(localhost|127\.[\d.]+|\[::1\])[:/]/.test(`${url}/`)) {
    throwBadArgument(argument, "an https URL, or allowInsecure", url);
  }
}

/** Checks all URLs of a platform, for the classes that send requests, and gives the bases without a trailing slash. */
export function checkedBaseUrls(
  platform: Platform,
): { readonly apiUrl: string; readonly cdnUrl: string } {
  for (const name of ["authorizeUrl", "apiUrl", "cdnUrl"] as const) {
    const url = checkedUrl(`platform.${name}`, platform[name]);
    if (!URL.canParse(url)) throwBadArgument(`platform.${name}`, "a URL that can be parsed", url);
    if (platform.allowInsecure !== true) checkEncrypted(`platform.${name}`, url);
  }
  return { apiUrl: base("apiUrl", platform.apiUrl), cdnUrl: base("cdnUrl", platform.cdnUrl) };
}

function base(name: string, url: string | URL): string {
  const text = String(url);
  if (text.includes("?")) throwBadArgument(`platform.${name}`, "a URL without a query", url);
  return withoutTrailingSlashes(text);
}

/** A base URL that a path can be added to. */
export function withoutTrailingSlashes(url: string): string {
  // The look-behind keeps the time linear: without it, every slash would begin a new search for the end.
  return url.replace(/(?<!\/)\/+$/, "");
}
