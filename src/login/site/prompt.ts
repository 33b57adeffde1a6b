/**
 * The option `prompt`, and the cookie that makes the next logins of a browser show the consent page. Without this cookie, a login that
 * `onLogin` refuses could redirect forever between Discord and the application.
 *
 * @module
 */

import { forcedConsentSeconds } from "../../http/waits.ts";
import { nameOrKind, throwBadValue } from "../../core/arguments.ts";
import { cookieCandidates, setCookieHeader } from "./cookies.ts";
import type { Namespace } from "./namespace.ts";
import type { PendingLogin } from "../base/pending_login.ts";
import type { SiteAddress } from "./site_address.ts";

/** The parts of a login that decide about the cookie. */
interface Parts {
  readonly options: { readonly prompt: "none" | "consent" | null };
  readonly namespace: Namespace;
}

/** The value of the cookie. It is not encrypted: a visitor who makes one sees the consent page, and nothing else happens. */
const value = "1";

/**
 * Checks the option `prompt`.
 *
 * @throws {TypeError} If it is neither `"none"` nor `"consent"`.
 */
export function checkPrompt(given: unknown): "none" | "consent" | null {
  if (given == null || given === "none" || given === "consent") return given ?? null;
  throwBadValue("prompt", '"none" or "consent"', nameOrKind(given));
}

/** Returns true if this browser has logged out, or a login in it has failed, in the last five minutes. */
export function mustShowConsent(
  { namespace }: Parts,
  request: Request,
  site: SiteAddress,
): boolean {
  return cookieCandidates(request, site, namespace.consentCookie, /^1$/).length > 0;
}

/**
 * Returns the cookie that makes the next logins show the consent page, for a response without a new session: after a logout or a failed
 * login. Returns none if logins show that page in any case.
 *
 * @param pending The failed login, or `null`.
 */
export function forcedConsentCookies(
  { options, namespace }: Parts,
  site: SiteAddress,
  pending: PendingLogin | null,
): readonly string[] {
  return options.prompt === "none" || pending?.isSilent
    ? [setCookieHeader(site, namespace.consentCookie, value, forcedConsentSeconds)]
    : [];
}
