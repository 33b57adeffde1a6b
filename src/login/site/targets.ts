/**
 * The places other than the callback where a login may end: the targets of apps, and the previews of a deployment.
 *
 * @module
 */

import { checkSetting, throwBadArgument } from "../../core/arguments.ts";
import { checkOptionNames } from "../../core/options.ts";
import { checkSecrets, type Secrets } from "../../stores/sealed.ts";
import type { RelayOptions } from "../base/options.ts";
import { checkEach, checkOrigin } from "./frontends.ts";
import { canHaveSafeCookies } from "./site_address.ts";

/** A target of an app: scheme, perhaps host, and path. */
const targetForm = /^[a-z][a-z\d+.-]*:\/[^\s?#*@\\]*$/;

/** Schemes that a browser opens itself. */
const otherSchemes = /^(javascript|data|blob|file|about|ftp|wss?):/;

/** A loopback address, its port and its path. */
const loopback = /^http:\/\/(127\.0\.0\.1|\[::1\])(:\d{1,5})?(\/.*)$/;

/**
 * Checks the option `appTargets`.
 *
 * @throws {TypeError} If a target is not a URL as Discord's redirect needs it.
 */
export function checkTargets(given: unknown): readonly string[] {
  return checkEach("appTargets", given, "URLs", (name, target) => {
    checkSetting(name, target);
    if (isTarget(String(target))) return;
    throwBadArgument(
      name,
      'a URL as a browser writes it, without a user, query or fragment, like "myapp://login" or, for any port, ' +
        '"http://127.0.0.1/callback"',
      target,
    );
  });
}

/** Each target is compared as text, so it has one spelling. */
function isTarget(target: string): boolean {
  const hasForm = targetForm.test(target) && !otherSchemes.test(target);
  if (!hasForm || !URL.canParse(target) || new URL(target).href !== target) return false;
  const [isLocal, , port] = loopback.exec(target) ?? [];
  return isLocal ? !port : !target.startsWith("http:");
}

/** Returns true for a target of the list. Only the port of a loopback address is free (RFC 8252 section 7.3). */
export function isListedTarget(target: string, targets: readonly string[]): boolean {
  const local = loopback.exec(target);
  const compared = local ? `http://${local[1]}${local[3]}` : target;
  return targets.includes(compared);
}

/** The option `relay`, checked. */
export interface CheckedRelay {
  readonly url: string;
  readonly origin: string;
  readonly secret: Secrets;
  readonly origins: readonly string[];
  /** True for the deployment with the registered callback. */
  readonly isMain: boolean;
}

/** Hosts whose subdomains belong to many people. */
const sharedHosts: readonly string[] = [
  "deno.dev",
  "deno.net",
  "firebaseapp.com",
  "fly.dev",
  "github.io",
  "gitlab.io",
  "herokuapp.com",
  "netlify.app",
  "ngrok-free.app",
  "onrender.com",
  "pages.dev",
  "run.app",
  "up.railway.app",
  "vercel.app",
  "web.app",
  "workers.dev",
];

/**
 * Checks the option `relay`.
 *
 * @param secret The option `secret`.
 * @throws {TypeError} If a value is wrong.
 */
export function checkRelay(given: RelayOptions, secret: Secrets): CheckedRelay {
  checkOptionNames("relay", given, ["url", "origin", "secret", "origins"]);
  const { origin, origins } = given;
  const url = String(given.url);
  checkSetting("relay.url", url);
  if (!URL.canParse(url) || !canHaveSafeCookies(new URL(url)) || /[?#]/.test(url)) {
    throwBadArgument("relay.url", "the registered callback", given.url);
  }
  checkOrigin("relay.origin", origin);
  const previews = checkEach("relay.origins", origins, "origins", checkPreview);
  const relaySecret = checkSecrets("relay.secret", given.secret);
  const all = [secret].flat();
  if ([relaySecret].flat().some((one) => all.includes(one))) {
    throw new TypeError("relay.secret must differ from secret: previews share it");
  }
  const isMain = new URL(url).origin === origin;
  if (!isMain && !isPreview(origin, previews)) {
    throw new TypeError("relay.origins must include relay.origin, since logins end there");
  }
  return { url, origin, secret: relaySecret, origins: previews, isMain };
}

function checkPreview(name: string, origin: unknown): void {
  const [star, rest = ""] = /^https:\/\/\*\.([^:]+)/.exec(String(origin)) ?? [];
  const exact = star ? String(origin).replace("*", "a") : origin;
  checkOrigin(name, exact, "https://*.preview.example");
  // An IP address, or a domain of one label, has no subdomains of one owner.
  if (star && (!/\.[a-z-]+$/.test(rest) || sharedHosts.includes(rest))) {
    throw new TypeError(
      `${name} must not have * under ${rest}: its subdomains have many owners`,
    );
  }
}

/** Returns true for an origin of the list, in which a star stands for one label. */
export function isPreview(origin: string, origins: readonly string[]): boolean {
  return origins.includes(origin) ||
    origins.includes(origin.replace(/^https:\/\/[a-z\d-]+\./, "https://*."));
}
