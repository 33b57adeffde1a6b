/**
 * A month in the life of an application: people log in, come back around the end of their tokens, and log out, while processes are
 * killed, answers get lost, the store is slow, and clocks differ.
 *
 * @module
 */

import { day, hour, minute, second, SimulatedClock, StandstillMeter } from "./clock.ts";
import { type DatabaseKind, type SoakDatabase, startDatabase } from "./databases.ts";
import { Ledger, tokenLifetime, type Trouble } from "./ledger.ts";
import { createPerson, type Person } from "./people.ts";
import { calmPlatform, fates, servePlatform, type SoakPlatform } from "./platform.ts";
import { Random } from "./random.ts";
import { type Notes, type Servers, standstillAt, startServers } from "./servers.ts";
import { Visits } from "./visits.ts";

/** The options of a run. */
export interface MonthOptions {
  readonly store: DatabaseKind;
  readonly people: number;
  readonly seed: number;
  /** The simulated seconds in a real one, while something happens. */
  readonly speed: number;
  /** Receives a line about each moment. */
  readonly onProgress: (line: string) => void;
}

/** The result of a run. */
export interface MonthResult {
  readonly ledger: Ledger;
  /** The samples of the process that lives for the whole month. */
  readonly memory: readonly MemorySample[];
  /** The number of keys in the store at the end, by their kind. */
  readonly keys: Readonly<Record<string, number>>;
  /** The people whose sessions go on after the month. */
  readonly loggedIn: number;
  /** The longest time in which a process stood still, in real milliseconds. */
  readonly standstill: number;
  /** The name of the database with its version. */
  readonly database: string;
}

/** The memory of a process at a time. */
export interface MemorySample {
  /** The days since the start of the month. */
  readonly day: number;
  /** Bytes. */
  readonly heap: number;
  /** Bytes. */
  readonly rss: number;
}

/** The length of the month, in days. */
export const days = 30;

/** The most parts of the people. Each part logs in at a time of its own. */
const maxCohorts = 6;

/** The most people whose requests are under way. */
const concurrency = 40;

/** The most problems of a moment that are reported at once. */
const maxReported = 5;

/** People who come at the same time. */
interface Group {
  readonly people: readonly Person[];
  readonly isEarly: boolean;
  /** The number of lifetimes of a token that are over. */
  readonly cycle: number;
}

/** An entry of the timetable. */
interface Moment {
  readonly at: number;
  readonly name: string;
  readonly people: readonly Person[];
  readonly act: (person: Person) => Promise<void>;
  /** Plans what follows. */
  readonly next?: () => void;
}

/** A sudden trouble for everybody. */
type Disturbance = () => void | Promise<void>;

/** Runs a month. */
export async function runMonth(options: MonthOptions): Promise<MonthResult> {
  await using opened = new AsyncDisposableStack();
  const database = opened.use(await startDatabase(options.store));
  // Without this, the database would go on after Ctrl-C. The processes of the application end with this one.
  const stop = () => void database[Symbol.asyncDispose]().then(() => Deno.exit(130));
  for (const signal of ["SIGINT", "SIGTERM"] as const) Deno.addSignalListener(signal, stop);
  const random = new Random(options.seed);
  // The month begins after the real time, so that the database itself deletes nothing too early: see `deleteEnded`.
  const clock = new SimulatedClock(options.speed, Date.now() + hour);
  const ledger = new Ledger();
  const people = Array.from({ length: options.people }, (_, at) => createPerson(random, at));
  let servers: Servers | null = null;
  const platform = opened.use(
    await servePlatform({
      clock,
      ledger,
      random: random.fork(),
      users: people.map(({ id }) => ({ id, username: `person${id}` })),
      senderOf: (name) => servers?.find(name) ?? null,
      mayBeKilled: (sender) => servers?.mayBeKilled(sender) ?? false,
      kill: () => servers?.kill(),
    }),
  );
  const settings = {
    database: database.address,
    platformOrigin: platform.origin,
    secret: crypto.randomUUID() + crypto.randomUUID(),
  };
  servers = opened.use(await startServers({ clock, ledger, random: random.fork(), settings }));
  const visits = new Visits({ clock, ledger, platform, servers, random: random.fork() });
  const parts = { clock, ledger, people, platform, servers, visits, database };
  return await new Month(options, parts, random.fork()).run();
}

interface Parts {
  readonly clock: SimulatedClock;
  readonly ledger: Ledger;
  readonly people: readonly Person[];
  readonly platform: SoakPlatform;
  readonly servers: Servers;
  readonly visits: Visits;
  readonly database: SoakDatabase;
}

class Month {
  readonly #options: MonthOptions;
  readonly #parts: Parts;
  readonly #random: Random;
  readonly #start: number;
  readonly #memory: MemorySample[] = [];
  readonly #standstills: StandstillMeter;
  /** The troubles of this process, and of the store for everybody. */
  #troubles: Trouble[] = [];
  #moments: Moment[] = [];
  /** The number of problems that were reported. */
  #reported = 0;

  constructor(options: MonthOptions, parts: Parts, random: Random) {
    this.#options = options;
    this.#parts = parts;
    this.#random = random;
    this.#start = parts.clock.now();
    this.#standstills = new StandstillMeter(parts.clock);
  }

  async run(): Promise<MonthResult> {
    const { people, ledger, servers } = this.#parts;
    const cohorts = Math.min(Math.ceil(people.length / 1000), maxCohorts);
    for (let cohort = 0; cohort < cohorts; cohort++) {
      this.#planCohort(cohort, people.filter((_, index) => index % cohorts === cohort));
    }
    while (this.#moments.length > 0) {
      this.#moments.sort((a, b) => a.at - b.at);
      const [moment, ...others] = this.#moments;
      this.#moments = others;
      if (moment && moment.at < this.#start + days * day) await this.#live(moment, true);
    }
    await this.#end();
    return {
      ledger,
      memory: this.#memory,
      keys: await this.#countKeys(),
      loggedIn: people.filter(({ isLoggedIn }) => isLoggedIn).length,
      standstill: servers.standstill,
      database: this.#parts.database.name,
    };
  }

  #planCohort(cohort: number, people: readonly Person[]): void {
    const { visits } = this.#parts;
    const at = this.#start + cohort * 9 * hour;
    const isLate = ({ habit }: Person) => habit === "late";
    const logIn = async (person: Person) => {
      await visits.logIn(person);
      await visits.open(person);
    };
    this.#plan({
      at,
      name: "logins",
      people,
      act: logIn,
      next: () => {
        this.#planCycle({ people: people.filter(isLate), isEarly: false, cycle: 1 });
        const others = people.filter((person) => !isLate(person));
        this.#planCycle({ people: others, isEarly: true, cycle: 1 });
      },
    });
    const some = people.filter(() => this.#random.chance(0.3));
    const visit = (person: Person) => visits.open(person);
    this.#plan({ at: at + 3 * day, name: "visits", people: some, act: visit });
  }

  /** Plans the visits around the end of a group's tokens. */
  #planCycle(group: Group): void {
    const { visits, clock } = this.#parts;
    const end = median(group.people.map(({ tokenEnd }) => tokenEnd));
    const next = () => this.#planCycle({ ...group, cycle: group.cycle + 1 });
    const act = (person: Person) => this.#comeBack(person, group.cycle);
    // If nobody had a token of their own, the group would never come back.
    const safeEnd = Math.max(end, clock.now() + tokenLifetime / 2);
    if (!group.isEarly) {
      const at = safeEnd + 20 * minute;
      return this.#plan({ at, name: "visits after the end", people: group.people, act, next });
    }
    // A token is refreshed in its last 42 hours, and no more used in its last minute.
    const at = safeEnd - (group.cycle % 2 === 0 ? 30 * hour : 235 * second);
    this.#plan({ at, name: "visits before the end", people: group.people, act });
    // Those who still have the old token, for example since the answer with a new one was lost, and some others.
    const again = async (person: Person) => {
      if (isAbsent(person, group.cycle)) return;
      const hasOldToken = person.tokenEnd < clock.now();
      if (hasOldToken || this.#random.chance(0.2)) await visits.openEverywhere(person, 1, false);
    };
    const later = safeEnd + 10 * minute;
    this.#plan({ at: later, name: "visits once more", people: group.people, act: again, next });
  }

  async #comeBack(person: Person, cycle: number): Promise<void> {
    const { visits } = this.#parts;
    const job = person.hasJob ? visits.runJob(person) : null;
    if (!isAbsent(person, cycle)) {
      if (person.habit === "leaving" && cycle === 2) await visits.logOut(person);
      else {
        const times = this.#random.chance(0.1) ? 3 : 1;
        await visits.openEverywhere(person, times, this.#random.chance(0.1));
      }
    }
    await job;
  }

  #plan(moment: Moment): void {
    this.#moments.push(moment);
  }

  /** Lets a moment happen, and waits until nothing is under way. */
  async #live({ at, name, people, act, next }: Moment, hasTrouble: boolean): Promise<void> {
    const { clock, platform, servers, ledger, visits } = this.#parts;
    if (people.length === 0) return;
    const begin = performance.now();
    clock.jumpTo(at);
    await this.#deleteEnded();
    visits.isCalm = !hasTrouble;
    platform.fates = hasTrouble ? fates : calmPlatform;
    await servers.setTrouble(hasTrouble);
    await this.#forEach(people, act, hasTrouble ? this.#disturbances(people.length) : new Map());
    const { troubles, received } = await this.#untilIdle();
    const { longest, ends } = this.#standstills.take();
    servers.standstill = Math.max(servers.standstill, longest);
    ledger.judge([...troubles, ...this.#troubles, ...ends.map(standstillAt)], received);
    this.#troubles = [];
    await this.#measure();
    next?.();
    const now = ((clock.now() - this.#start) / day).toFixed(2);
    const seconds = ((performance.now() - begin) / second).toFixed(1);
    const { problems } = ledger;
    for (const { message } of problems.slice(this.#reported, this.#reported + maxReported)) {
      this.#options.onProgress(`- ${message}`);
    }
    this.#reported = problems.length;
    this.#options.onProgress(
      `day ${now}: ${name} of ${people.length} people, ${seconds} s, ${problems.length} problems`,
    );
  }

  /** Acts for all people, some at a time. */
  async #forEach(
    people: readonly Person[],
    act: (person: Person) => Promise<void>,
    disturbances: ReadonlyMap<number, Disturbance>,
  ): Promise<void> {
    const entries = people.entries();
    const work = async () => {
      for (const [index, person] of entries) {
        void disturbances.get(index)?.();
        await act(person);
      }
    };
    await Promise.all(Array.from({ length: concurrency }, work));
  }

  /** Chooses the troubles of a moment, by the number of the person at whose turn they begin. */
  #disturbances(people: number): ReadonlyMap<number, Disturbance> {
    const { servers, ledger, database, clock } = this.#parts;
    const random = this.#random;
    const chosen = new Map<number, Disturbance>();
    const add = (probability: number, disturbance: Disturbance) => {
      if (random.chance(probability)) chosen.set(Math.floor(random.next() * people), disturbance);
    };
    add(0.4, () => servers.kill());
    add(0.5, () => servers.jumpOneClock());
    const { pause, cut } = database;
    if (pause) {
      add(0.3, async () => {
        ledger.count("pauses of the database");
        this.#troubles.push({ by: "the store", person: "", at: clock.now() });
        await pause(random.between(500, 4000) / this.#options.speed);
      });
    }
    if (cut) {
      add(0.3, () => {
        ledger.count("cuts of all connections to the database");
        cut();
      });
    }
    return chosen;
  }

  async #untilIdle(): Promise<Notes> {
    const { platform, servers, clock } = this.#parts;
    while (platform.pending > 0) await clock.sleep(second);
    return await servers.untilIdle();
  }

  async #measure(): Promise<void> {
    const state = await this.#parts.servers.memory();
    if (!state) return;
    const { heap, rss } = state;
    this.#memory.push({ day: (this.#parts.clock.now() - this.#start) / day, heap, rss });
  }

  /** Lets everybody come once more, without any trouble. */
  async #end(): Promise<void> {
    const { people, visits } = this.#parts;
    const at = this.#start + days * day;
    const act = async (person: Person) => {
      if (person.habit === "gone") person.isLoggedIn = false;
      if (person.isLoggedIn) await visits.openEverywhere(person, 1, true);
      else await visits.expectNoSession(person);
    };
    await this.#live({ at, name: "last visits", people, act }, false);
  }

  async #deleteEnded(): Promise<void> {
    const { database, ledger, clock } = this.#parts;
    ledger.count("values that ended in the store", await database.deleteEnded(clock.now()));
  }

  async #countKeys(): Promise<Record<string, number>> {
    await this.#deleteEnded();
    const keys = await this.#parts.database.keys();
    const kinds = Map.groupBy(keys, (key) => key.split(":")[1] ?? key);
    return Object.fromEntries([...kinds].map(([kind, { length }]) => [kind, length]));
  }
}

/** Returns true if a person does not come. */
function isAbsent({ habit, isLoggedIn }: Person, cycle: number): boolean {
  return !isLoggedIn || (habit === "holiday" && cycle === 2) || (habit === "gone" && cycle > 1);
}

/** Returns the middle one of some numbers. */
export function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}
