/**
 * The record of all tokens at the platform: it knows what became of each refresh token, and what a process could know of that.
 *
 * @module
 */

import { day, minute, second } from "./clock.ts";

/** The lifetime of an access token, in milliseconds. */
export const tokenLifetime = 7 * day;

/** The time for which the lease of a process that was killed holds the others back, in milliseconds: a little less than it lasts. */
const leaseTime = 15 * second;

/** The most by which two clocks differ, in milliseconds. */
export const clockDifference = minute;

/** The most that is left of an access token when its refresh token is sent: a quarter, and a clock ahead. */
const earliestRefresh = tokenLifetime / 4 + clockDifference + second;

/** The most that is left of an access token when its refresh token is sent again after a lost answer. */
const earliestRepetition = minute + clockDifference;

/** The time after an answer in which a process saves the token, or loses it if it is killed. */
const savingTime = 30 * second;

/** The time after which a refused token leaves the store, in milliseconds. */
const refusalKept = day - 10 * minute;

/** The time that a held up save may take, in milliseconds. */
const heldUpTime = minute;

/** The time in which a session is prolonged at most once, as a share of the time after which it ends unused. */
const prolongedAfter = 0.1;

/** A process that sends tokens. */
export interface Sender {
  readonly name: string;
  /** The simulated time at which it was killed. */
  readonly killedAt: number | null;
}

/** A command to the store that took seconds, or a process that stood still for seconds: a lease may not survive either. */
export interface Trouble {
  readonly by: "the store" | "a standstill";
  /** The person whose request had it; empty if everybody had it. */
  readonly person: string;
  /** The simulated time. */
  readonly at: number;
}

/** One authorization of a person. */
export interface Grant {
  readonly person: string;
  /** True once a loss of its tokens was counted. */
  isLost: boolean;
  /** The latest request that brought tokens; `null` for the code. */
  lastDone: Sending | null;
  /** The time of the latest refusal of a refresh token, or `null`. */
  refusedAt: number | null;
}

/** A refresh token with its access token. */
interface Pair {
  readonly grant: Grant;
  readonly endsAt: number;
  readonly sendings: Sending[];
}

/** A code or a refresh token on its way to the platform. Times are simulated. */
export interface Sending {
  readonly id: number;
  readonly at: number;
  readonly by: Sender | null;
  /** The trouble that it met, for messages. */
  readonly fate: string;
  /** The platform's decision: it did what it was asked to, or refused the token for good, or the request for now. `"none"` without one. */
  result: "none" | "done" | "refused" | "not processed";
  /** The end of the connection; `null` while it is open. */
  endedAt: number | null;
  /** True once the whole answer was sent, to a process that has read it in time. */
  isDelivered: boolean;
}

/** A request as it was when its refresh token was sent again. */
interface Earlier extends Sending {
  /** The request, with all that has become of it. */
  readonly original: Sending;
}

/** A token that was sent again, or a person who had to log in again. It is judged once the troubles are known. */
interface Incident {
  readonly person: string;
  readonly at: number;
  readonly judge: (heldUpBy: Trouble["by"] | null) => void;
}

/** The rules that a run must not break. */
export const rules = {
  tokens: "A refresh token was sent again although nothing demanded it, or too early",
  codes: "A code was sent again although the platform may have used it",
  logouts: "Somebody was logged out, or had to log in again without need",
  answers: "Somebody got a wrong answer",
  memory: "A process or the store kept growing",
} as const;
export type Rule = keyof typeof rules;

/** A rule that was broken. */
export interface Problem {
  readonly rule: Rule;
  readonly message: string;
}

/** Keeps the record, and counts. */
export class Ledger {
  readonly counts: Map<string, number> = new Map();
  /** Everything that must not happen and did. */
  readonly problems: Problem[] = [];
  readonly #pairs = new Map<string, Pair>();
  readonly #accessTokens = new Map<string, Pair>();
  readonly #codes = new Map<string, Sending[]>();
  /** The latest grant of each person, and the time at which its first tokens were issued. */
  readonly #grants = new Map<string, { readonly grant: Grant; readonly since: number }>();
  /** The time of the latest visit of each person in which no command of the store failed. */
  readonly #noted = new Map<string, number>();
  #incidents: Incident[] = [];
  /** The requests since the last judgment. */
  #sendings: Sending[] = [];

  count(name: string, number = 1): void {
    this.counts.set(name, this.countOf(name) + number);
  }

  fail(rule: Rule, message: string): void {
    this.problems.push({ rule, message });
  }

  countOf(name: string): number {
    return this.counts.get(name) ?? 0;
  }

  /** Records the tokens of an answer of the platform. */
  issue(
    grant: Grant,
    { access_token, refresh_token }: { access_token: string; refresh_token: string },
    now: number,
  ): void {
    const pair: Pair = { grant, endsAt: now + tokenLifetime, sendings: [] };
    this.#pairs.set(refresh_token, pair);
    this.#accessTokens.set(access_token, pair);
    if (this.#grants.get(grant.person)?.grant !== grant) {
      this.#grants.set(grant.person, { grant, since: now });
    }
  }

  grantOf(refreshToken: string): Grant | null {
    return this.#pairs.get(refreshToken)?.grant ?? null;
  }

  /** Returns the end of a person's access token; `null` if the platform has issued none like it to this person. */
  endOf(accessToken: string, person: string): number | null {
    const pair = this.#accessTokens.get(accessToken);
    return pair?.grant.person === person ? pair.endsAt : null;
  }

  /** Records a code on its way to the platform. */
  sendCode(code: string, sending: Sending): void {
    this.#sendings.push(sending);
    const earlier = this.#codes.get(code) ?? [];
    this.#codes.set(code, [...earlier, sending]);
    this.count("codes sent");
    if (earlier.length === 0) return;
    if (earlier.every(({ result }) => result === "not processed")) {
      this.count("codes sent again after the platform had not processed them");
    } else this.fail("codes", `a code was sent again after ${earlier.map(describe).join(", ")}`);
  }

  /** Records a refresh token on its way to the platform. */
  sendRefreshToken(token: string, sending: Sending): void {
    this.#sendings.push(sending);
    this.count("refresh tokens sent");
    const pair = this.#pairs.get(token);
    if (!pair) return this.fail("tokens", "a refresh token was sent that nobody has issued");
    const earlier = pair.sendings.map((one): Earlier => ({ ...one, original: one }));
    pair.sendings.push(sending);
    const left = pair.endsAt - sending.at;
    if (left > earliestRefresh) {
      this.fail("tokens", `a refresh token was sent ${left / second} s before its token ended`);
    }
    if (earlier.length === 0) return;
    const judge = (heldUpBy: Trouble["by"] | null) =>
      this.#judgeRepetition(sending, earlier, left, heldUpBy);
    this.#incidents.push({ person: pair.grant.person, at: sending.at, judge });
  }

  /** Records a visit with a session in which no command of the store failed, so that the session was prolonged. */
  noteVisit(person: string, at: number): void {
    this.#noted.set(person, at);
  }

  /**
   * Records that a person has no session any more.
   *
   * @param idleTimeout The time after which an unused session ends, in milliseconds.
   */
  loseSession(person: string, idleTimeout: number, now: number): void {
    const noted = this.#noted.get(person) ?? -Infinity;
    if (now - noted > (1 - prolongedAfter) * idleTimeout - clockDifference) {
      return this.count("sessions that ended, as the store failed in every visit of that time");
    }
    this.fail("logouts", `${person} was logged out`);
  }

  /**
   * Records that a person has to log in again.
   *
   * @param tokenEnd The end of the latest access token that the person is known to have had.
   * @param askedAt The time of the request that said so. Before the latest login of the person, it was about an earlier grant, of which
   * the request that led to that login has told.
   */
  requireLogin(
    person: string,
    reason: string,
    askedAt: number,
    now: number,
    tokenEnd: number = -Infinity,
  ): void {
    const { grant = null, since = 0 } = this.#grants.get(person) ?? {};
    if (grant?.isLost || askedAt < since) return;
    if (grant) grant.isLost = true;
    const last = grant?.lastDone ?? null;
    if (now < tokenEnd - 2 * clockDifference) {
      const left = (tokenEnd - now) / second;
      return this.fail("logouts", `${person} had to log in again (${reason}) ${left} s too early`);
    }
    // The visitor who found the refusal may have got another error, and come back after the record had ended.
    const refusedAt = grant?.refusedAt ?? null;
    const isOld = refusedAt !== null && now - refusedAt > refusalKept;
    const cause = reason === "no_token" && isOld ? "refused" : reason;
    const judge = (heldUpBy: Trouble["by"] | null) =>
      this.#judgeLoss(person, cause, last, heldUpBy);
    this.#incidents.push({ person, at: now, judge });
  }

  /**
   * Judges what has happened since the last call.
   *
   * @param received The numbers of the answers that the running processes have read.
   */
  judge(troubles: readonly Trouble[], received: ReadonlySet<number>): void {
    // On a busy machine, a process may stop to wait before it can read an answer.
    for (const sending of this.#sendings) {
      if (sending.by?.killedAt === null && !received.has(sending.id)) sending.isDelivered = false;
    }
    this.#sendings = [];
    const byPerson = Map.groupBy(troubles, ({ person }) => person);
    for (const { person, at, judge } of this.#incidents) {
      const own = [...byPerson.get(person) ?? [], ...byPerson.get("") ?? []];
      judge(own.find((trouble) => Math.abs(trouble.at - at) < heldUpTime)?.by ?? null);
    }
    this.#incidents = [];
  }

  #judgeRepetition(
    sending: Sending,
    earlier: readonly Earlier[],
    left: number,
    heldUpBy: Trouble["by"] | null,
  ): void {
    const unknown = earlier.filter(({ result }) => result !== "not processed");
    if (unknown.length === 0) {
      return this.count("refresh tokens sent again after the platform had not processed them");
    }
    const outcome = describe(sending);
    const fail = (what: string) =>
      this.fail(
        "tokens",
        `a refresh token was sent again ${what} (${outcome}) after: ${
          unknown.map((one) =>
            `${describe(one)} ${((sending.at - one.at) / second).toFixed(1)} s ago`
          )
            .join(", ")
        }`,
      );
    if (unknown.some((one) => isUnderWay(one, sending.at))) {
      if (heldUpBy !== "a standstill") return fail("while the first request was under way");
      return this.count(`refresh tokens sent again as ${heldUpBy} held up the first request`);
    }
    if (unknown.some(isKnown)) {
      if (!heldUpBy) return fail("although its answer had arrived");
      return this.count(`refresh tokens sent again as ${heldUpBy} held up the new one`);
    }
    if (left > earliestRepetition) return fail(`${left / second} s before the end`);
    this.count(
      unknown.some(({ result }) => result === "done")
        ? "second tries after a lost answer, refused by the platform"
        : "second tries after a lost request, which gave new tokens",
    );
  }

  #judgeLoss(
    person: string,
    reason: string,
    last: Sending | null,
    heldUpBy: Trouble["by"] | null,
  ): void {
    if (reason === "refused" && last !== null && !isKnown(last)) {
      return this.count(
        last.by?.killedAt !== null && last.isDelivered
          ? "new logins, as a process was killed before it saved the only new token"
          : "new logins, as the answer with the only new token was lost",
      );
    }
    if (reason === "refused" && heldUpBy) {
      return this.count(`new logins, as ${heldUpBy} held up the only new token`);
    }
    const cause = last ? describe(last) : "the login";
    this.fail("logouts", `${person} had to log in again (${reason}) after ${cause}`);
  }
}

/** Returns true if the sender of a request waited for its response, or others had to assume so since it was killed. */
function isUnderWay({ at, by, original }: Earlier, now: number): boolean {
  const endedAt = original.endedAt ?? Infinity;
  if (by?.killedAt != null && by.killedAt <= endedAt && now - at < leaseTime) return true;
  // The platform notices the end of a connection a little late.
  return endedAt > now + second;
}

/** Returns true if the sender has got the answer, and has had the time to save it. */
function isKnown({ result, isDelivered, endedAt, by }: Sending): boolean {
  if (result !== "done" && result !== "refused" || !isDelivered || endedAt === null) return false;
  const killedAt = by?.killedAt ?? null;
  return killedAt === null || killedAt > endedAt + savingTime;
}

function describe({ fate, result, isDelivered, by }: Sending): string {
  const delivery = isDelivered ? "answered" : "not answered";
  const killed = by?.killedAt === null ? "" : ", sender killed";
  return `"${fate}" by ${by?.name}: ${result}, ${delivery}${killed}`;
}
