/**
 * Describes a platform by its base URLs and its issuer, and checks the URLs.
 *
 * @module
 */

import { checkSetting, isUrl, throwBadArgument } from "../core/arguments.ts";
import { checkOptionNames } from "../core/options.ts";

/**
 * The base URLs of a platform. Pass your own to use another server with the same API: a proxy, a self-hosted instance, or the
 * fake platform of `@guildpass/sdk/testing`.
 *
 * Each URL must be absolute, with `https:`, and without a user, password or fragment. `http:` is accepted for this machine
 * (`localhost`, `127.0.0.1`, `[::1]`), and for other machines only with `allowInsecure`.
 */
export interface Platform {
  /** The URL of the authorize page, for example `https://discord.com/oauth2/authorize`. */
  readonly authorizeUrl: string | URL;
  /** The base URL of the HTTP API, without a query, for example `https://discord.com/api/v10`. */
  readonly apiUrl: string | URL;
  /** The base URL of the image CDN, without a query, for example `https://cdn.discordapp.com`. */
  readonly cdnUrl: string | URL;
  /**
   * The issuer: Discord's name in a callback (`iss`, RFC 9207) and in an `id_token`, for example `https://discord.com`. Used
   * only to check these two.
   */
  readonly issuer?: string | null | undefined;
  /**
   * True to accept `http:` for other machines too. Secrets and tokens are then sent unencrypted.
   *
   * @default {false}
   */
  readonly allowInsecure?: boolean | null | undefined;
}

/** A platform with URLs as text, such as {@link discord} and the fake platform. */
export interface TextPlatform extends Platform {
  /** The URL of the authorize page. */
  readonly authorizeUrl: string;
  /** The base URL of the HTTP API. */
  readonly apiUrl: string;
  /** The base URL of the image CDN. */
  readonly cdnUrl: string;
  /** The issuer. */
  readonly issuer: string;
}

/** The URL of Discord's authorize page. A page that only builds links loads this constant without the other two URLs. */
export const discordAuthorizeUrl = "https://discord.com/oauth2/authorize";

/**
 * Discord, API version 10: the default platform.
 *
 * @see {@link https://docs.discord.com/developers/topics/oauth2 | Discord: OAuth2}
 */
export const discord: TextPlatform = /* @__PURE__ */ Object.freeze({
  authorizeUrl: discordAuthorizeUrl,
  apiUrl: "https://discord.com/api/v10",
  cdnUrl: "https://cdn.discordapp.com",
  issuer: "https://discord.com",
});

/**
 * Returns the platform of an option, or `null` for the default.
 *
 * @param given A platform, or its JSON as text, such as an environment variable. An empty string means the default.
 * @throws {TypeError} If a text is not the JSON of an object, or an object has a platform, as a fake platform does.
 */
export function readPlatform<Given extends object>(
  given: Given | string | null | undefined,
): Given | null {
  if (Object(given).platform) throw new TypeError("platform must have URLs: pass fake.platform");
  if (given == null || given === "") return null;
  if (typeof given === "object") return given;
  try {
    const platform: unknown = JSON.parse(given);
    if (typeof platform === "object" && platform) return platform as Given;
  } catch { /* An error of JSON.parse shows a part of the text. */ }
  throwBadArgument(
    "platform",
    "an object, or the JSON from npx @guildpass/sdk fake without quotes around it",
    given,
  );
}

/**
 * Returns one URL of a platform as text. The URL must be `http:` or `https:`, so that a link to it can't run code. It must have a
 * host, and must not have a fragment, user or password: errors would show them.
 */
export function checkedUrl(argument: string, url: string | URL): string {
  const text = String(url);
  if (!/^https?:\/\/[^\s@#/?:][^\s@#]*$/.test(text)) {
    throwBadArgument(argument, "an https URL", url);
  }
  return text;
}

/**
 * Checks that requests to a URL are encrypted or stay on this machine.
 *
 * {@link checkedUrl} does not do this, since the URL of an image has no secret.
 */
export function checkEncrypted(argument: string, url: string | URL): void {
  if (!/^https:|^http:\/\/(localhost|127\.[\d.]+|\[::1\])[:/]/.test(`${url}/`)) {
    throwBadArgument(argument, "an https URL, or set allowInsecure", url);
  }
}

/** Checks all URLs of a platform, and returns the base URLs without trailing slashes. */
export function checkedBaseUrls(
  platform: Platform,
): { readonly apiUrl: string; readonly cdnUrl: string } {
  const names = ["authorizeUrl", "apiUrl", "cdnUrl"] as const;
  for (const name of names) {
    // Further names are ignored, unless one may be a misspelled URL.
    if (platform[name] == null) {
      checkOptionNames("platform", platform, [...names, "issuer", "allowInsecure"]);
    }
    checkSetting(`platform.${name}`, platform[name]);
    const url = checkedUrl(`platform.${name}`, platform[name]);
    if (!isUrl(url)) throwBadArgument(`platform.${name}`, "a valid URL", url);
    if (platform.allowInsecure !== true) checkEncrypted(`platform.${name}`, url);
  }
  return {
    apiUrl: checkedBaseUrl("apiUrl", platform.apiUrl),
    cdnUrl: checkedBaseUrl("cdnUrl", platform.cdnUrl),
  };
}

function checkedBaseUrl(name: string, url: string | URL): string {
  const text = String(url);
  if (text.includes("?")) throwBadArgument(`platform.${name}`, "a URL without a query", url);
  return withoutTrailingSlashes(text);
}

/** Removes the slashes at the end of a base URL. */
export function withoutTrailingSlashes(url: string): string {
  // `/\/+$/` would take quadratic time, and a look-behind is missing in Safari before 16.4.
  let end = url.length;
  while (url[end - 1] === "/") end--;
  return url.slice(0, end);
}
