/**
 * The members of the option `members`: reads whether a person is one, at the login and later in a session.
 *
 * @module
 */

import { LoginRequiredError, MissingScopeError } from "../../core/errors.ts";
import { freeze } from "../../core/freeze.ts";
import {
  ApiError,
  NetworkError,
  PayloadError,
  RateLimitError,
  TimeoutError,
} from "../../core/response_errors.ts";
import { deadlineIn } from "../../core/wait.ts";
import type { User } from "../../api/user.ts";
import {
  clockDifferenceMs,
  maxMemberOutageMs,
  memberRetryMs,
  storeAllowanceMs,
} from "../../http/waits.ts";
import { format, ofThisFormat, recordKeys } from "../../stores/names.ts";
import { sealedBy, type Sealer } from "../../stores/sealed.ts";
import type { Store } from "../../stores/store.ts";
import { pollStore, untilSaved } from "../../tokens/store_loops.ts";
import type { SessionMember } from "../base/session.ts";
import type { MemberRule } from "../site/member_rules.ts";
import type { Namespace } from "../site/namespace.ts";

/** Options of {@link Members}. */
export interface MembersParts {
  readonly rules: readonly MemberRule[];
  /** The application's store, with a time limit for each operation. */
  readonly store: Store;
  /** Encrypts the records. */
  readonly sealer: Sealer;
  readonly namespace: Pick<Namespace, "personDigest">;
  /** The time limit of one request, in milliseconds. */
  readonly timeout: number;
}

/** A membership, frozen, or the reason why the session ends. */
export type Membership = SessionMember | "not_a_member" | "refused_token";

/**
 * The record of a person's membership, which all their sessions share: Discord limits the reads of each token, and sessions may share
 * a token. Times are in milliseconds since the epoch.
 */
interface MemberRecord {
  /** The result of the last read. During an `outage` or a rate limit, the last membership stays valid. */
  readonly result: "member" | "not_a_member" | "outage" | "limit" | "failure";
  /** The last membership that Discord has confirmed. */
  readonly member: SessionMember | null;
  readonly confirmedAt: number;
  /** The time of the next read. */
  readonly until: number;
  /** The deadline of the request that reads. Others wait for it. */
  readonly readUntil: number;
}

/** Discord's code for a person who is not a member of the guild. */
const unknownMember = 10004;

/** Reads memberships, and keeps one record for each person. */
export class Members {
  readonly #rules: readonly MemberRule[];
  /** The records, encrypted. */
  readonly #store: Store;
  readonly #namespace: MembersParts["namespace"];
  readonly #maxReadMs: number;

  constructor({ rules, store, sealer, namespace, timeout }: MembersParts) {
    this.#rules = rules;
    this.#store = sealedBy(store, sealer);
    this.#namespace = namespace;
    this.#maxReadMs = rules.length * timeout + storeAllowanceMs;
  }

  /** Reads the membership at a login, and saves it. Returns false if the person is not a member. */
  async admit(userId: string, user: User): Promise<boolean> {
    const record = await this.#read(user);
    if (!record.member) return false;
    await this.#change(await this.#keyOf(userId), () => record);
    return true;
  }

  /**
   * Returns the membership in the store, or `null` if it must be read.
   *
   * @throws {NetworkError} If the last read failed less than a minute ago.
   */
  async known(userId: string): Promise<Membership | null> {
    const { record } = await this.#load(await this.#keyOf(userId));
    return this.#current(record, Date.now());
  }

  /**
   * Reads the membership. One request reads it, and the requests of all processes wait for that.
   *
   * @throws The error of the read, unless the last membership is still valid.
   */
  async read(userId: string, user: User): Promise<Membership> {
    const key = await this.#keyOf(userId);
    const look = async () => {
      const { record: last, version } = await this.#load(key);
      const now = Date.now();
      const current = this.#current(last, now);
      if (current) return current;
      if (isAhead(last.readUntil, now, this.#maxReadMs)) {
        return last.result === "outage" && this.#lastingRule(last, now) ? membershipOf(last) : null;
      }
      const claim = { ...last, readUntil: now + this.#maxReadMs };
      if (await this.#save(key, claim, version) === null) return null;
      return await this.#readAgain(key, user, claim);
    };
    const createError = () =>
      new TimeoutError("Another request did not finish reading the membership");
    return await pollStore(look, deadlineIn(2 * this.#maxReadMs), createError);
  }

  /** Deletes the record of a person. */
  async forget(userId: string): Promise<void> {
    await this.#store.delete(await this.#keyOf(userId));
  }

  /** Reads the membership, and saves the result unless another request has saved one since. */
  async #readAgain(key: string, user: User, claim: MemberRecord): Promise<Membership> {
    let next: MemberRecord;
    let failure: unknown = null;
    try {
      next = await this.#read(user);
    } catch (error) {
      failure = error;
      next = this.#afterFailure(error, claim, Date.now());
    }
    await this.#change(key, ({ readUntil }) => readUntil === claim.readUntil ? next : null);
    if (next.result !== "failure") return membershipOf(next);
    if (isRefusedToken(failure)) return "refused_token";
    throw failure;
  }

  /**
   * Reads the memberships one by one, and returns the first one that fits. A person who has not passed the membership screening is not a
   * member yet.
   *
   * @throws The errors of the request, other than the one for a person who is not a member.
   */
  async #read(user: User): Promise<MemberRecord> {
    for (const rule of this.#rules) {
      const { guildId: guild_id, checkedForMs } = rule;
      const found = await user.getGuildMember(guild_id, { fresh: true }).catch((error) => {
        if (error instanceof ApiError && error.platformCode === unknownMember) return null;
        throw error;
      });
      if (!found || found.pending === true) continue;
      const { nick, joined_at } = found;
      const member = { guild_id, roles: found.roles ?? [], nick, joined_at };
      if (fits(rule, member)) return recordOf("member", member, checkedForMs);
    }
    // Ends the other sessions of the person without a read.
    return recordOf("not_a_member", null, memberRetryMs);
  }

  /** Returns the record after a failed read. A membership stays valid during an outage of an hour, and once during a rate limit. */
  #afterFailure(error: unknown, last: MemberRecord, now: number): MemberRecord {
    const next = { ...last, readUntil: 0 };
    const isLimit = error instanceof RateLimitError;
    // The reads during an outage also use up the limit of the token.
    const isDown = isOutage(error) || (isLimit && last.result === "outage");
    const mayLast = isDown || (isLimit && last.result === "member");
    const rule = mayLast ? this.#lastingRule(last, now) : null;
    if (rule) {
      const waitMs = isLimit && !isDown ? Number(error.retryAfter) * 1000 : memberRetryMs;
      const until = now + Math.min(waitMs, rule.checkedForMs);
      return { ...next, result: isDown ? "outage" : "limit", until };
    }
    // Another session may have another token, and the store may work again.
    const mustWait = !isRefusedToken(error) &&
      (error instanceof ApiError || error instanceof NetworkError || error instanceof PayloadError);
    return { ...next, result: "failure", until: mustWait ? now + memberRetryMs : 0 };
  }

  /**
   * Returns the result of a record before its next read, or `null`. The next read is earlier if the clock was set back or `checkedFor` was
   * reduced.
   *
   * @throws {NetworkError} If the last read has failed.
   */
  #current(record: MemberRecord, now: number): Membership | null {
    const { result, until } = record;
    const isOver = result === "not_a_member" || result === "failure";
    const maxMs = isOver ? memberRetryMs : this.#ruleOf(record)?.checkedForMs ?? -Infinity;
    if (!isAhead(until, now, maxMs)) return null;
    if (result === "failure") {
      const retryAfter = Math.ceil((until - now) / 1000);
      throw new NetworkError("The membership could not be read", { retryAfter });
    }
    return membershipOf(record);
  }

  /** Returns the rule of the last membership, if an outage or a rate limit does not end it yet. */
  #lastingRule(record: MemberRecord, now: number): MemberRule | null {
    const rule = this.#ruleOf(record);
    if (!rule) return null;
    const maxMs = rule.checkedForMs + maxMemberOutageMs;
    return Math.abs(now - record.confirmedAt) < maxMs ? rule : null;
  }

  /** Returns the rule that the last membership fits, or `undefined`. */
  #ruleOf({ member }: MemberRecord): MemberRule | undefined {
    return member ? this.#rules.find((rule) => fits(rule, member)) : undefined;
  }

  async #load(key: string): Promise<{
    readonly record: MemberRecord;
    readonly version: string | null;
  }> {
    const found = await this.#store.load(key);
    const record = ofThisFormat<MemberRecord>(found?.value) ?? recordOf("failure", null, 0);
    return { record, version: found?.version ?? null };
  }

  async #save(key: string, record: MemberRecord, version: string | null): Promise<string | null> {
    // The longest `checkedFor` is an hour, and an outage may follow it.
    const expiresAt = Date.now() + 2 * maxMemberOutageMs;
    return await this.#store.save(key, { format, ...record }, { version, expiresAt });
  }

  /** Changes a record, unless `change` returns `null`. */
  async #change(
    key: string,
    change: (record: MemberRecord) => MemberRecord | null,
  ): Promise<void> {
    await untilSaved("The membership was not saved", async () => {
      const { record, version } = await this.#load(key);
      const next = change(record);
      return next && await this.#save(key, next, version) === null ? null : true;
    });
  }

  async #keyOf(userId: string): Promise<string> {
    return recordKeys.personMembership + await this.#namespace.personDigest(userId);
  }
}

function fits({ guildId, roles }: MemberRule, member: SessionMember): boolean {
  return guildId === member.guild_id &&
    (roles === null || roles.some((role) => member.roles.includes(role)));
}

function recordOf(
  result: MemberRecord["result"],
  member: SessionMember | null,
  validMs: number,
): MemberRecord {
  const confirmedAt = Date.now();
  return { result, member, confirmedAt, until: confirmedAt + validMs, readUntil: 0 };
}

/** Returns true if a time is in the future, and near enough that another process may have set it. */
function isAhead(time: number, now: number, maxMs: number): boolean {
  return time > now && time <= now + maxMs + clockDifferenceMs;
}

function membershipOf({ member }: MemberRecord): Membership {
  return member ? freeze(member) : "not_a_member";
}

/** Returns true if Discord is down, or its edge blocks this server. */
function isOutage(error: unknown): boolean {
  return error instanceof NetworkError ||
    (error instanceof ApiError && (error.httpStatus >= 500 || error.blockedByEdge));
}

/** Returns true if the person must log in again. A token that can't be decrypted is a mistake in the settings instead. */
function isRefusedToken(error: unknown): boolean {
  return error instanceof LoginRequiredError
    ? error.reason !== "unreadable"
    : error instanceof MissingScopeError ||
      (error instanceof ApiError && error.httpStatus === 401);
}
