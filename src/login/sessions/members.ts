/**
 * The members of the option `members`: reads whether a person is one, at the login and later in a session.
 *
 * @module
 */

import { LoginRequiredError } from "../../core/errors.ts";
import { freeze } from "../../core/freeze.ts";
import {
  ApiError,
  NetworkError,
  RateLimitError,
  TimeoutError,
} from "../../core/response_errors.ts";
import { deadlineIn } from "../../core/wait.ts";
import type { User } from "../../api/user.ts";
import { maxMemberOutageMs, memberRetryMs, storeAllowanceMs } from "../../http/waits.ts";
import { pollStore } from "../../tokens/store_loops.ts";
import type { MemberRule } from "../site/member_rules.ts";
import type { KnownMember } from "./open_session.ts";
import type { SessionRecord, SessionRecords, StoredSession } from "./session_records.ts";

/**
 * Reads the membership of a person in the first guild that fits, or returns `null` if no guild fits. A person who has not passed the
 * membership screening is not a member yet.
 */
export async function readMember(
  user: User,
  rules: readonly MemberRule[],
): Promise<KnownMember | null> {
  for (const rule of rules) {
    const { guildId, checkedForMs } = rule;
    const member = await user.getGuildMember(guildId, { fresh: true }).catch((error) => {
      if (error instanceof ApiError && error.platformCode === unknownMember) return null;
      throw error;
    });
    if (!member || member.pending === true) continue;
    const { roles: given, nick, joined_at } = member;
    const roles = given ?? [];
    if (!hasRole(rule, roles)) continue;
    const confirmedAt = Date.now();
    const until = confirmedAt + checkedForMs;
    return freeze({
      guild_id: guildId,
      roles,
      nick,
      joined_at,
      confirmedAt,
      until,
      prolonged: null,
    });
  }
  return null;
}

/** The platform's code for a person who is not a member of the guild. */
const unknownMember = 10004;

function hasRole({ roles }: MemberRule, given: readonly string[]): boolean {
  return roles === null || roles.some((role) => given.includes(role));
}

/**
 * Returns a session whose person is a member, or `null` and ends the session. Reads the membership if the last read was too long ago: one
 * request reads it, and the requests of all processes wait for that.
 *
 * @throws The error of the read, unless the last read is still valid.
 */
export async function withMember(
  records: SessionRecords,
  rules: readonly MemberRule[],
  session: StoredSession,
): Promise<StoredSession | null> {
  const maxReadMs = records.options.timeout + storeAllowanceMs;
  let known: StoredSession | null = session;
  const { found } = await pollStore(look, deadlineIn(2 * maxReadMs), otherReadError);
  return found;

  /** Returns `null` while another request reads. */
  async function look(): Promise<{ readonly found: StoredSession | null } | null> {
    const found = known ?? await records.load(session.keys);
    known = null;
    if (!found || !records.isValid(found.record)) return { found: null };
    const last = lastReadOf(rules, found.record);
    const now = Date.now();
    if (last && isCurrent(last, now)) return { found };
    const { memberReadUntil = 0 } = found.record;
    if (memberReadUntil > now && memberReadUntil <= now + maxReadMs) {
      const isOutage = last?.member.prolonged === "outage" && isRecent(last, now);
      return isOutage ? { found } : null;
    }
    const record = { ...found.record, memberReadUntil: now + maxReadMs };
    const version = await records.save(found.keys, record, found.version);
    if (version === null) return null;
    return { found: await readAgain(records, rules, { ...found, record, version }, last) };
  }
}

/** Reads the membership of a session, and saves it. Returns `null` if the session has ended. */
async function readAgain(
  records: SessionRecords,
  rules: readonly MemberRule[],
  session: StoredSession,
  last: LastRead | null,
): Promise<StoredSession | null> {
  const { userId, memberReadUntil: own } = session.record;
  let member: KnownMember | null;
  let failure: unknown = null;
  try {
    const user = records.options.clients.user(records.tokenOf(session), userId);
    member = await readMember(user, rules);
    if (!member) return await endWith("not_a_member");
  } catch (error) {
    if (isRefusedToken(error)) return await endWith("refused_token");
    member = last && prolongedMember(error, last, Date.now());
    if (!member) failure = error;
  }
  // With 0, the requests that wait go on.
  const change = { memberReadUntil: 0, ...(member && { member }) };
  // After the end of this claim, another request may have read.
  const isOpen = await records.change(
    session,
    (record) => record.memberReadUntil === own ? { ...record, ...change } : record,
  );
  if (failure) throw failure;
  return isOpen ? { ...session, record: freeze({ ...session.record, ...change }) } : null;

  async function endWith(cause: "not_a_member" | "refused_token"): Promise<null> {
    await records.end(session, cause);
    return null;
  }
}

/** The last read of a membership, and the rule that it fits. */
interface LastRead {
  readonly rule: MemberRule;
  readonly member: KnownMember;
}

/** Returns the last read in a record, if it fits the rules. */
function lastReadOf(
  rules: readonly MemberRule[],
  { member }: SessionRecord,
): LastRead | null {
  const rule = member &&
    rules.find((one) => one.guildId === member.guild_id && hasRole(one, member.roles));
  return rule ? { rule, member } : null;
}

/** Returns true before the next read. A clock that was set back, or a reduced `checkedFor`, brings the read forward. */
function isCurrent({ rule, member: { until } }: LastRead, now: number): boolean {
  return until > now && until <= now + rule.checkedForMs;
}

/** Returns true if an outage does not end the membership yet. */
function isRecent({ rule, member }: LastRead, now: number): boolean {
  return Math.abs(now - member.confirmedAt) < rule.checkedForMs + maxMemberOutageMs;
}

/** Returns a membership that goes on after a failed read, or `null`: it holds through an outage of an hour, and once through a rate limit. */
function prolongedMember(
  error: unknown,
  last: LastRead,
  now: number,
): KnownMember | null {
  const { rule: { checkedForMs }, member } = last;
  if (!isRecent(last, now)) return null;
  if (isOutage(error)) {
    const until = now + Math.min(memberRetryMs, checkedForMs);
    return { ...member, until, prolonged: "outage" };
  }
  if (!(error instanceof RateLimitError) || member.prolonged === "limit") return null;
  const waitMs = Number(error.retryAfter) * 1000;
  return { ...member, until: now + Math.min(waitMs, checkedForMs), prolonged: "limit" };
}

/** Returns true if the platform is down, or its edge blocks this server. */
function isOutage(error: unknown): boolean {
  return error instanceof NetworkError ||
    (error instanceof ApiError && (error.httpStatus >= 500 || error.blockedByEdge));
}

/** Returns true if the person must log in again. A token that no secret opens is a mistake in the settings. */
function isRefusedToken(error: unknown): boolean {
  return error instanceof LoginRequiredError
    ? error.reason !== "unreadable"
    : error instanceof ApiError && error.httpStatus === 401;
}

function otherReadError(): TimeoutError {
  return new TimeoutError("Another request did not finish reading the membership");
}
