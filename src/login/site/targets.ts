/**
 * The places other than the callback where a login may end: the targets of apps, and the previews of a deployment.
 *
 * @module
 */

import { checkSetting, throwBadArgument, throwBadObject } from "../../core/arguments.ts";
import { checkOptionNames } from "../../core/options.ts";
import { checkSecrets, type Secrets } from "../../stores/sealed.ts";
import type { RelayOptions } from "../base/options.ts";
import { isExactOrigin } from "./frontends.ts";
import { canHaveSafeCookies } from "./site_address.ts";

/** A target of an app: scheme, perhaps host, and path. */
const targetForm = /^[a-z][a-z\d+.-]*:\/[^\s?#*\\]*$/;

/** Schemes that a browser opens itself. */
const browserSchemes = /^(javascript|data|blob|file|about|ftp|wss?):/;

/** A loopback address, its port and its path. */
const loopback = /^http:\/\/(127\.0\.0\.1|\[::1\])(:\d{1,5})?(\/.*)$/;

/**
 * Checks the option `appTargets`.
 *
 * @throws {TypeError} If a target is not a URL as the platform's redirect needs it.
 */
export function checkTargets(given: unknown): readonly string[] {
  if (!Array.isArray(given)) throwBadArgument("appTargets", "a list of URLs", given);
  for (const [index, target] of given.entries()) checkTarget(`appTargets[${index}]`, target);
  return [...given];
}

function checkTarget(name: string, target: unknown): void {
  checkSetting(name, target);
  if (typeof target === "string" && isTarget(target)) return;
  throwBadArgument(
    name,
    'a URL as a browser writes it, without a user, a query and a fragment: with https:, as in "myapp://login", or at ' +
      '"http://127.0.0.1/" without a port, since an app on this machine may use any port',
    target,
  );
}

/** Each target is compared as text, so it has one spelling. */
function isTarget(target: string): boolean {
  if (!targetForm.test(target) || browserSchemes.test(target) || !URL.canParse(target)) {
    return false;
  }
  const { href, username, password } = new URL(target);
  if (href !== target || username || password) return false;
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
  if (typeof given !== "object" || given === null) throwBadObject("relay", "an object", given);
  checkOptionNames("relay", given, ["url", "origin", "secret", "origins"]);
  const { origin, origins } = given;
  const url = String(given.url);
  checkSetting("relay.url", url);
  if (!URL.canParse(url) || !canHaveSafeCookies(new URL(url)) || /[?#]/.test(url)) {
    throwBadArgument("relay.url", "the registered callback", given.url);
  }
  if (!isExactOrigin(origin) || !canHaveSafeCookies(new URL(origin))) {
    throwBadArgument("relay.origin", 'an origin, as in "https://branch.preview.example"', origin);
  }
  if (!Array.isArray(origins)) throwBadArgument("relay.origins", "a list of origins", origins);
  for (const [index, one] of origins.entries()) checkPreview(`relay.origins[${index}]`, one);
  const relaySecret = checkSecrets("relay.secret", given.secret);
  const all = [secret].flat();
  if ([relaySecret].flat().some((one) => all.includes(one))) {
    throw new TypeError("relay.secret must differ from secret: previews share it");
  }
  const isMain = new URL(url).origin === origin;
  if (!isMain && !isPreview(origin, origins)) {
    throw new TypeError("relay.origins must have relay.origin, since logins end there");
  }
  return { url, origin, secret: relaySecret, origins: [...origins], isMain };
}

function checkPreview(name: string, origin: unknown): void {
  const rest = typeof origin === "string" ? /^https:\/\/\*\.([^:]+)/.exec(origin)?.[1] : undefined;
  const exact = typeof origin === "string" ? origin.replace("//*.", "//a.") : origin;
  if (!isExactOrigin(exact) || !canHaveSafeCookies(new URL(exact))) {
    throwBadArgument(name, 'an origin, as in "https://*.preview.example"', origin);
  }
  if (rest === undefined) return;
  // An IP address, or a domain of one label, has no subdomains of one owner.
  if (!/\.[a-z-]+$/.test(rest) || sharedHosts.includes(rest)) {
    throw new TypeError(
      `${name} must not have a star below ${rest}, whose subdomains have many owners`,
    );
  }
}

/** Returns true for an origin of the list, in which a star stands for one label. */
export function isPreview(origin: string, origins: readonly string[]): boolean {
  return origins.includes(origin) ||
    origins.includes(origin.replace(/^https:\/\/[a-z\d-]+\./, "https://*."));
}
