/**
 * The page after a login: from `returnTo`, or from the option `afterLogin`. Both are on this site or its frontends.
 *
 * @module
 */

import { throwBadArgument } from "../../core/arguments.ts";
import type { SiteAddress } from "./site_address.ts";

/** The paths of a login. */
export interface PathOptions {
  readonly loginPath: string;
  readonly callbackPath: string;
  readonly logoutPath: string;
  readonly sessionPath: string | null;
  readonly appPath: string | null;
}

/** The options that decide the pages of this site. */
interface PageOptions extends PathOptions {
  readonly frontends: readonly string[];
}

/** The options with the paths of a login. */
export const pathNames = [
  "loginPath",
  "callbackPath",
  "logoutPath",
  "sessionPath",
  "appPath",
] as const;

/** Returns the paths of a login. */
export function pathsOf(options: PathOptions): string[] {
  return pathNames.map((name) => options[name]).filter((path) => path !== null);
}

/** The origin of an application that only its requests name. */
const unknownOrigin = "https://app.invalid";

/**
 * Returns a page of this site: a path, or a URL of a frontend. Returns `null` for a URL of another site, and for the paths of the login
 * itself.
 */
export function pageOfSite(
  address: string | URL | null,
  site: Pick<SiteAddress, "origin" | "callbackPath">,
  options: PageOptions,
): string | null {
  const page = localPath(address, site.origin, options.frontends);
  if (page === null) return null;
  // The URL of a frontend is not among these paths.
  const [path = ""] = page.split(/[?#]/, 1);
  return [...pathsOf(options), site.callbackPath].includes(path) ? null : page;
}

/**
 * Returns the page after a login, unless a function decides it.
 *
 * @param named The page that the login named, or `null`.
 */
export function pageAfterLogin(
  { afterLogin }: { readonly afterLogin: unknown },
  named: string | null,
): string {
  return named ?? (typeof afterLogin === "string" ? afterLogin : "/");
}

/**
 * Checks the option `afterLogin`.
 *
 * @throws {TypeError} If it is not a function, or leads to another site or to a path of the login itself.
 */
export function checkAfterLogin<Decide extends (login: never) => unknown>(
  given: string | Decide,
  options: PageOptions & { readonly site: SiteAddress | null },
): string | Decide {
  if (typeof given === "function") return given;
  const site = options.site ?? { origin: unknownOrigin, callbackPath: options.callbackPath };
  const page = typeof given === "string" ? pageOfSite(given, site, options) : null;
  if (page !== null) return page;
  throwBadArgument(
    "afterLogin",
    'a function, a path like "/app" outside the login itself, or a URL of a frontend',
    given,
  );
}

/**
 * The maximum length of a parsed path, in characters. A longer path would make the login's cookie too large. Parsing makes the text longer
 * when it has characters beyond ASCII.
 */
const maxPathLength = 1024;

/**
 * Returns the page to return to: path, query and fragment for a URL of this origin, the whole URL for a frontend, and `null` for any other
 * URL. A page that is too long becomes `null`, or the home page of its frontend.
 *
 * Parses the URL as browsers do, and does not trust its text: `/\evil.example`, `/%09/evil.example` after decoding, and `/.//evil.example`
 * would all leave the site.
 */
export function localPath(
  address: string | URL | null | undefined,
  origin: string,
  frontends: readonly string[] = [],
): string | null {
  const text = String(address ?? "");
  const path = pathAt(text, origin);
  if (path !== null) return path.length > maxPathLength ? null : path;
  for (const frontend of frontends) {
    // Everything else is relative, and so an address of this origin.
    const path = /^https?:/.test(text) ? pathAt(text, frontend) : null;
    if (path !== null) return frontend + (path.length > maxPathLength ? "/" : path);
  }
  return null;
}

/** Returns the home page of a frontend instead of one of its pages, and `null` instead of a page of this site. */
export function homeOf(returnTo: string): string | null {
  return returnTo.startsWith("/") ? null : new URL("/", returnTo).href;
}

/** Any text without backslashes, control characters and lone surrogates. V8 compiles `\p{Cc}` and `\p{Cs}` ten times as long. */
const allowedText = /^[ -[\]-~\u00a0-\ud7ff\ue000-\u{10ffff}]*$/u;

/** Returns the path of a URL of one origin, or `null` for any other URL. */
function pathAt(text: string, origin: string): string | null {
  if (!/^[/?#]|^https?:\/\//.test(text) || !allowedText.test(text)) return null;
  if (!URL.canParse(text, origin)) return null;
  const url = new URL(text, origin);
  if (url.origin !== origin || url.username !== "" || url.password !== "") return null;
  const path = url.pathname + url.search + url.hash;
  return path.startsWith("//") ? null : path;
}
