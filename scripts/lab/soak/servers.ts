/**
 * The two processes of the application. The first one lives for the whole month; the second one is killed and started again.
 *
 * @module
 */

import type { Settings, State } from "./application.ts";
import { ApplicationProcess } from "./application_process.ts";
import { second, type SimulatedClock } from "./clock.ts";
import { calmStore, storeFates } from "./faulty_store.ts";
import { clockDifference, type Ledger, type Sender, type Trouble } from "./ledger.ts";
import type { Random } from "./random.ts";

/** The parts of the soak that the processes use. */
export interface ServerParts {
  readonly clock: SimulatedClock;
  readonly random: Random;
  readonly ledger: Ledger;
  readonly settings: Pick<Settings, "database" | "platformOrigin" | "secret">;
}

/** Starts both processes. */
export async function startServers(parts: ServerParts): Promise<Servers> {
  const servers = new Servers(parts);
  await servers.startAll();
  return servers;
}

/** The things that the processes have noticed. */
export interface Notes {
  readonly troubles: readonly Trouble[];
  /** The numbers of the answers with tokens that were read. */
  readonly received: ReadonlySet<number>;
}

/** The place of a process: the first or the second. */
type Place = 0 | 1;

/** The processes. */
export class Servers implements AsyncDisposable {
  readonly #parts: ServerParts;
  /** The sign of all clock differences. Two clocks then differ by a minute at most, and each from that of the platform too. */
  readonly #sign: 1 | -1;
  readonly #current = new Map<Place, ApplicationProcess>();
  readonly #byName = new Map<string, ApplicationProcess>();
  #restarts: Promise<unknown> = Promise.resolve();
  #starts = 0;
  #hasTrouble = false;
  #troubles: Trouble[] = [];
  #received = new Set<number>();
  /** The longest time in which a process stood still, in real milliseconds. */
  standstill = 0;

  constructor(parts: ServerParts) {
    this.#parts = parts;
    this.#sign = parts.random.chance(0.5) ? 1 : -1;
  }

  async startAll(): Promise<void> {
    await Promise.all([this.#start(0), this.#start(1)]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#restarts;
    const now = this.#parts.clock.now();
    await Promise.all([...this.#current.values()].map((process) => process.kill(now)));
  }

  find(name: string): Sender | null {
    return this.#byName.get(name) ?? null;
  }

  /** Returns true if the sender is the second process, and the time for trouble has come. */
  mayBeKilled(sender: Sender | null): boolean {
    const process = this.#current.get(1);
    return this.#hasTrouble && sender === process && process?.killedAt === null;
  }

  /** Kills the second process at once, and starts it again. */
  kill(): void {
    const process = this.#current.get(1);
    if (!process || !this.mayBeKilled(process)) return;
    const { ledger, clock } = this.#parts;
    ledger.count("processes killed");
    const killed = process.kill(clock.now());
    this.#restarts = Promise.all([this.#restarts, killed.then(() => this.#start(1))]);
  }

  /** Sets the clocks of all processes, and begins or ends the trouble with the store. */
  async setTrouble(hasTrouble: boolean): Promise<void> {
    this.#hasTrouble = hasTrouble;
    await Promise.all([...this.#current.values()].map((process) => this.#control(process)));
  }

  /** Changes the clock of one process by up to a minute. */
  async jumpOneClock(): Promise<void> {
    const { random, ledger } = this.#parts;
    const process = this.#current.get(random.chance(0.5) ? 0 : 1);
    if (!process || process.killedAt !== null) return;
    ledger.count("clocks changed while requests were under way");
    process.skew = this.#newSkew();
    await this.#control(process).catch(() => {});
  }

  /** Sends a request to a process; to the other one if that is being started. */
  async fetch(place: Place, path: string, init: RequestInit): Promise<Response> {
    const process = this.#current.get(place);
    if (process?.killedAt === null) {
      try {
        const response = await fetch(process.origin + path, { ...init, redirect: "manual" });
        const body = await response.text();
        const { status, headers } = response;
        return new Response(body === "" ? null : body, { status, headers });
      } catch (error) {
        if (process.killedAt === null) throw error;
        this.#parts.ledger.count("requests lost as their process was killed");
      }
    }
    if (place === 0) throw new Error("The first process has ended");
    return await this.fetch(0, path, init);
  }

  /** Waits until no process works any more, and returns what they have noticed. From then on, no process is killed. */
  async untilIdle(): Promise<Notes> {
    this.#hasTrouble = false;
    await this.#restarts;
    while (!(await this.#states(false)).every(({ isIdle }) => isIdle)) {
      await this.#parts.clock.sleep(second / 2);
    }
    const notes = { troubles: this.#troubles, received: this.#received };
    this.#troubles = [];
    this.#received = new Set();
    return notes;
  }

  /** Returns the state of the first process after a garbage collection. */
  async memory(): Promise<State | null> {
    return (await this.#states(true))[0] ?? null;
  }

  async #states(collectsGarbage: boolean): Promise<readonly State[]> {
    const processes = ([0, 1] as const).flatMap((place) => this.#current.get(place) ?? []);
    const states = await Promise.all(processes.map((process) => process.state(collectsGarbage)));
    for (const { standstills, troubles, received } of states) {
      for (const id of received) this.#received.add(id);
      this.standstill = Math.max(this.standstill, standstills.longest);
      this.#troubles.push(...troubles, ...standstills.ends.map(standstillAt));
    }
    return states;
  }

  async #start(place: Place): Promise<void> {
    const { clock, random, settings } = this.#parts;
    const process = await ApplicationProcess.start({
      ...settings,
      name: `${place === 0 ? "first" : "second"}.${++this.#starts}`,
      seed: Math.floor(random.next() * 2 ** 32),
      speed: clock.speed,
      now: clock.now(),
      skew: this.#newSkew(),
    });
    await this.#control(process);
    this.#byName.set(process.name, process);
    this.#current.set(place, process);
  }

  async #control(process: ApplicationProcess): Promise<void> {
    await process.control({
      now: this.#parts.clock.now(),
      skew: process.skew,
      storeFates: this.#hasTrouble ? storeFates : calmStore,
    });
  }

  /** Returns a clock difference that is near one of the ends, or anywhere. */
  #newSkew(): number {
    const { random } = this.#parts;
    const share = random.chance(0.7) ? (random.chance(0.5) ? 1 : 0) : random.next();
    return this.#sign * share * clockDifference;
  }
}

/** Returns the trouble of a standstill, which everybody has. */
export function standstillAt(at: number): Trouble {
  return { by: "a standstill", person: "", at };
}
