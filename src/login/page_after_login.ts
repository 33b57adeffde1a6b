/**
 * The page after a login: the page that the login named, or the page of the option `afterLogin`.
 *
 * @module
 */

import { throwBadArgument } from "../core/arguments.ts";
import { localPath } from "./local_path.ts";

/** The options that decide the pages of this site. */
interface PageOptions {
  readonly loginPath: string;
  readonly callbackPath: string;
  readonly logoutPath: string;
  readonly sessionPath: string | null;
  readonly frontends: readonly string[];
}

/** The origin of an application that only its requests name. */
const unknownOrigin = "https://app.invalid";

/**
 * Returns a page of this site: a path, or a URL of a frontend. Returns `null` for a URL of another site, and for the paths of the login
 * itself.
 */
export function pageOfSite(
  address: string | URL | null,
  site: { readonly origin: string; readonly redirectUri: string },
  { loginPath, callbackPath, logoutPath, sessionPath, frontends }: PageOptions,
): string | null {
  const page = localPath(address, site.origin, frontends);
  if (page === null) return null;
  const { origin, pathname } = new URL(page, site.origin);
  const publicCallbackPath = new URL(site.redirectUri).pathname;
  const ownPaths = [loginPath, callbackPath, logoutPath, sessionPath, publicCallbackPath];
  return origin === site.origin && ownPaths.includes(pathname) ? null : page;
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
  given: string | Decide | null | undefined,
  options: PageOptions & { readonly redirectUri: string | null },
): string | Decide {
  if (given == null) return "/";
  if (typeof given === "function") return given;
  const redirectUri = options.redirectUri ?? unknownOrigin + options.callbackPath;
  const { origin } = new URL(redirectUri);
  const page = typeof given === "string"
    ? pageOfSite(given, { origin, redirectUri }, options)
    : null;
  if (page !== null) return page;
  throwBadArgument(
    "afterLogin",
    'a function, a path, as in "/app", that is not a path of the login itself, or a URL of a frontend',
    given,
  );
}
