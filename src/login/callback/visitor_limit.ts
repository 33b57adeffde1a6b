/**
 * The limit for a visitor whose codes Discord refuses. Without it, one visitor with made-up codes uses up the limit of the token
 * endpoint for all visitors.
 *
 * @module
 */

import { checkReturnedText } from "../../core/arguments.ts";
import { RecentMap } from "../../core/recent_map.ts";
import { untilFound } from "../../http/limits/claim.ts";
import { refusedCodeMs } from "../../http/waits.ts";
import { format, ofThisFormat, recordKeys } from "../../stores/names.ts";
import type { Store } from "../../stores/store.ts";
import { type LoginError, tooManyFailuresError } from "../base/login_error.ts";
import type { LoginParts } from "./login_parts.ts";

/** The number of refused codes after which a visitor has to wait. */
const maxFailures = 10;

/** The maximum number of visitors in memory. The least recently used ones are removed first. */
const maxVisitors = 10_000;

/** The refused codes of a visitor, as far as this process knows. All times are in milliseconds since the epoch. */
export interface Visitor {
  /** The key of the record. */
  readonly key: string;
  /** The time at which the last refused code is forgotten. Each refused code adds a minute. */
  until: number;
  /** The same time if Discord also refuses the codes of all exchanges under way. */
  heldUntil: number;
  /** The version of the record; `null` without a record, and `undefined` if another process has changed it. */
  version: string | null | undefined;
}

/** The visitors of all logins of the process: a `Login` that is made for each request finds them again. Made at the first use. */
let visitors: RecentMap<Visitor> | undefined;

/**
 * Returns the visitor of a callback, or `null` if the option `visitor` names none.
 *
 * @throws {TypeError} If `visitor` returns something other than text or `null`.
 */
export async function visitorOf(
  { options, namespace }: LoginParts,
  request: Request,
): Promise<Visitor | null> {
  const address = checkReturnedText("visitor", options.visitor?.(request)).trim();
  if (!address) return null;
  const digest = await namespace.visitorDigest(options.secret, networkOf(address));
  const key = recordKeys.visitor + digest;
  visitors ??= new RecentMap(maxVisitors);
  return visitors.get(key, () => ({ key, until: 0, heldUntil: 0, version: null }));
}

/**
 * Begins an exchange of a visitor. Returns an error if too many codes of the visitor were refused. If too many exchanges are under way,
 * waits for their results, because only refused codes are limited.
 *
 * A good login needs no operation of the store: a process reads the record of a visitor only after it could not save its own. Each process
 * therefore sends a visitor's codes until Discord refuses one.
 */
export async function enter(
  { store, maxStepMs }: LoginParts,
  visitor: Visitor,
): Promise<LoginError | null> {
  if (store && visitor.version === undefined) {
    const found = await store.load(visitor.key);
    const record = ofThisFormat<{ readonly until: number }>(found?.value);
    visitor.until = Math.max(visitor.until, record?.until ?? 0);
    visitor.version = found?.version ?? null;
  }
  const deadline = performance.now() + maxStepMs;
  const waitMs = await untilFound(() => tryToEnter(visitor), deadline, null) ?? refusedCodeMs;
  return waitMs > 0 ? tooManyFailuresError(waitMs / 1000) : null;
}

/** Ends an exchange of a visitor. */
export function leave(visitor: Visitor): void {
  visitor.heldUntil -= refusedCodeMs;
}

/** Counts a refused code: saves the record once. If another process was faster, the next exchange reads its record. */
export async function countFailure(store: Store | null, visitor: Visitor): Promise<void> {
  const now = Date.now();
  // Then the record of before has expired.
  if (visitor.until <= now) visitor.version = null;
  const { key, version = null } = visitor;
  const until = Math.max(visitor.until, now) + refusedCodeMs;
  visitor.until = until;
  visitor.heldUntil += refusedCodeMs;
  const options = { version, expiresAt: until };
  const saved = await store?.save(key, { format, until }, options).catch(() => null);
  visitor.version = saved ?? undefined;
}

/** Returns 0 if the exchange has begun, the time to wait after too many refused codes, or `null` while too many are under way. */
function tryToEnter(visitor: Visitor): number | null {
  const now = Date.now();
  const latest = now + maxFailures * refusedCodeMs;
  const limit = latest - refusedCodeMs;
  // A clock that was ahead may have gone back.
  visitor.until = Math.min(visitor.until, latest);
  visitor.heldUntil = Math.min(Math.max(visitor.heldUntil, visitor.until, now), latest);
  if (visitor.until > limit) return visitor.until - limit;
  if (visitor.heldUntil > limit) return null;
  visitor.heldUntil += refusedCodeMs;
  return 0;
}

/** Returns the /64 network of an IPv6 address in one spelling. Returns an IPv4 address, and any other name, as it is. */
function networkOf(address: string): string {
  const url = `http://[${address}]`;
  if (!URL.canParse(url)) return address;
  const short = new URL(url).hostname.slice(1, -1);
  // An IPv4 address, as the socket of a server for both kinds shows it.
  if (short.startsWith("::ffff:")) return short;
  const groups = short.split(":").filter(Boolean);
  const long = short.replace("::", `:${"0:".repeat(8 - groups.length)}`);
  return long.split(":").filter(Boolean).slice(0, 4).join(":");
}
