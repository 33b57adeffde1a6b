/**
 * The things that people and jobs do with the application.
 *
 * @module
 */

import { idleTimeout, logins, type PageAnswer, site } from "./application.ts";
import { second, type SimulatedClock } from "./clock.ts";
import { storeFailedHeader } from "./headers.ts";
import type { Ledger } from "./ledger.ts";
import type { Person } from "./people.ts";
import type { SoakPlatform } from "./platform.ts";
import type { Random } from "./random.ts";
import type { Servers } from "./servers.ts";

/** The most attempts to log a person in. */
const maxLogins = 30;

/** The time for which an access token may be used after its end: the clocks differ, and the answer that brought it took a while. */
const tolerance = 12 * second;

/** The most times that a person asks who must get a token. */
const maxCalmTries = 5;

/** An answer, with the time of the request. */
interface Asked {
  readonly answer: PageAnswer;
  readonly askedAt: number;
  /** True if a command of the store failed meanwhile. */
  readonly hasStoreFailed: boolean;
}

/** The parts of the soak that the visits use. */
export interface VisitParts {
  readonly clock: SimulatedClock;
  readonly random: Random;
  readonly ledger: Ledger;
  readonly platform: SoakPlatform;
  readonly servers: Servers;
}

/** The visits of all people. */
export class Visits {
  readonly #parts: VisitParts;
  /** True if nothing fails, so that everybody must get a token. */
  isCalm = false;

  constructor(parts: VisitParts) {
    this.#parts = parts;
  }

  /** Logs a person in, and begins again after an error. */
  async logIn(person: Person): Promise<void> {
    const { clock, ledger } = this.#parts;
    for (let count = 0; count < maxLogins; count++) {
      if (await this.#tryToLogIn(person)) {
        person.isLoggedIn = true;
        ledger.noteVisit(person.id, clock.now());
        ledger.count("logins");
        return;
      }
      ledger.count("logins begun again after an error");
      await clock.sleep(2 * second);
    }
    ledger.fail("logouts", `${person.id} could not log in`);
  }

  /** Opens a page at both processes at the same moment, several times each. */
  async openEverywhere(person: Person, times: number, usesApi: boolean): Promise<void> {
    const path = `/page?login=${person.login}${usesApi ? "&api" : ""}`;
    const answers = await Promise.all(
      Array.from({ length: 2 * times }, (_, index) => this.#ask(index % 2, path, person)),
    );
    await this.#expectPages(person, answers);
  }

  /** Opens a page at one process. */
  async open(person: Person): Promise<void> {
    const place = this.#parts.random.chance(0.5) ? 0 : 1;
    const answer = await this.#ask(place, `/page?login=${person.login}&api`, person);
    await this.#expectPages(person, [answer]);
  }

  /** Runs the job with a person's token in both processes at the same moment. */
  async runJob(person: Person): Promise<void> {
    const path = `/job?user=${person.id}`;
    const answers = await Promise.all([0, 1].map((place) => this.#ask(place, path, person)));
    for (const answer of answers) this.#expect(person, answer, "job");
  }

  async logOut(person: Person): Promise<void> {
    const { ledger } = this.#parts;
    const path = `${logins[person.login].path}/logout`;
    const headers = { origin: site, "sec-fetch-site": "same-origin" };
    for (let count = 0; count < maxLogins; count++) {
      const { status } = await this.#send(0, path, person, { method: "POST", headers });
      if (status < 400) {
        person.isLoggedIn = false;
        return ledger.count("logouts");
      }
    }
    ledger.fail("logouts", `${person.id} could not log out`);
  }

  /** Checks that the session of a person has ended. */
  async expectNoSession(person: Person): Promise<void> {
    const { ledger } = this.#parts;
    const { answer } = await this.#ask(0, `/page?login=${person.login}`, person);
    if (answer.kind === "no session") return ledger.count("sessions that had to end, and did");
    ledger.fail("answers", `${person.id} (${person.habit}) still has a session: ${answer.kind}`);
  }

  async #tryToLogIn(person: Person): Promise<boolean> {
    const { clock, random, ledger, platform } = this.#parts;
    const { path } = logins[person.login];
    const place = () => random.chance(0.5) ? 0 : 1;
    const start = await this.#send(place(), `${path}/login`, person);
    const link = start.headers.get("location");
    if (link === null) return false;
    const callback = new URL(await platform.consent(link, person.id));
    // A browser may open the callback again, also at the other process.
    for (let count = 0; count < 3; count++) {
      const end = await this.#send(place(), callback.pathname + callback.search, person);
      if (end.headers.has("location")) return true;
      ledger.count(`callbacks answered with ${await end.text()}`);
      await clock.sleep(2 * second);
    }
    return false;
  }

  /** Checks the answers to requests of the same moment, and logs the person in if that is needed. */
  async #expectPages(person: Person, answers: readonly Asked[]): Promise<void> {
    const hasLost = answers.map((answer) => this.#expect(person, answer, "page")).includes(false);
    if (hasLost) await this.logIn(person);
  }

  /** Checks an answer. Returns false if the person has to log in. */
  #expect(
    person: Person,
    { answer, askedAt, hasStoreFailed }: Asked,
    what: "page" | "job",
  ): boolean {
    const { clock, ledger } = this.#parts;
    ledger.count(`${what}s`);
    const hasSession = answer.kind === "token" || answer.kind === "login required";
    if (what === "page" && hasSession && !hasStoreFailed) ledger.noteVisit(person.id, askedAt);
    switch (answer.kind) {
      case "token": {
        const end = ledger.endOf(answer.accessToken, person.id);
        if (end === null) ledger.fail("answers", `${person.id} got a token of somebody else`);
        else if (end < askedAt - tolerance) {
          const ago = (askedAt - end) / second;
          ledger.fail("answers", `${person.id} got a token ${ago} s after its end`);
        }
        person.tokenEnd = end ?? person.tokenEnd;
        return true;
      }
      case "no session":
        ledger.loseSession(person.id, idleTimeout * second, askedAt);
        return false;
      case "login required":
        ledger.requireLogin(person.id, answer.reason, askedAt, clock.now(), person.tokenEnd);
        return false;
      case "error":
        ledger.count(`${what}s answered with ${answer.name}`);
        if (this.isCalm) {
          ledger.fail("answers", `${person.id} got ${answer.name} while nothing failed`);
        }
        return true;
    }
  }

  /** Asks for a token. If nothing fails on purpose, it asks again after an error, which a busy machine may cause. */
  async #ask(place: number, path: string, person: Person): Promise<Asked> {
    const { clock } = this.#parts;
    for (let count = 1;; count++) {
      const askedAt = clock.now();
      const response = await this.#send(place, path, person);
      const answer: PageAnswer = response.ok
        ? await response.json()
        : { kind: "error", name: await response.text() };
      const isFinal = answer.kind !== "error" || !this.isCalm || count === maxCalmTries;
      if (isFinal) {
        return { answer, askedAt, hasStoreFailed: response.headers.has(storeFailedHeader) };
      }
      await clock.sleep(10 * second);
    }
  }

  async #send(
    place: number,
    path: string,
    { id, jar }: Person,
    { headers, ...init }: RequestInit = {},
  ): Promise<Response> {
    const response = await this.#parts.servers.fetch(place === 0 ? 0 : 1, path, {
      ...init,
      headers: {
        ...headers as Record<string, string>,
        accept: "text/html",
        cookie: jar.header,
        "x-person": id,
      },
    });
    jar.store(response, site);
    return response;
  }
}
