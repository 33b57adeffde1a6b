/**
 * The page after a login: the page that the login named, or the page of the option `afterLogin`.
 *
 * @module
 */

import { throwBadArgument } from "../../core/arguments.ts";
import { localPath } from "./local_path.ts";
import type { SiteAddress } from "./site_address.ts";

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
  site: Pick<SiteAddress, "origin" | "callbackPath">,
  { loginPath, callbackPath, logoutPath, sessionPath, frontends }: PageOptions,
): string | null {
  const page = localPath(address, site.origin, frontends);
  if (page === null) return null;
  // The URL of a frontend is not among these paths.
  const [path = ""] = page.split(/[?#]/, 1);
  const ownPaths = [loginPath, callbackPath, logoutPath, sessionPath, site.callbackPath];
  return ownPaths.includes(path) ? null : page;
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
  options: PageOptions & { readonly site: SiteAddress | null },
): string | Decide {
  if (given == null) return "/";
  if (typeof given === "function") return given;
  const site = options.site ?? { origin: unknownOrigin, callbackPath: options.callbackPath };
  const page = typeof given === "string" ? pageOfSite(given, site, options) : null;
  if (page !== null) return page;
  throwBadArgument(
    "afterLogin",
    'a function, a path, as in "/app", that is not a path of the login itself, or a URL of a frontend',
    given,
  );
}
