/**
 * The world around the simulated processes: a token endpoint with a limit and outages, and a store with latency that counts its
 * operations. Both are models; the code of the library is the real one.
 *
 * @module
 */

import {
  type Fetch,
  MemoryStore,
  PlatformApi,
  type SaveOptions,
  type Store,
  type StoredValue,
  TokenSource,
} from "../../../../mod.ts";
import type { Random } from "../random.ts";
import type { VirtualClock } from "./virtual_clock.ts";

/** The behavior of the platform. */
export interface PlatformModel {
  /** The requests of each second that are not refused with 429. */
  readonly limit: number;
  /** The wait that a 429 states, in seconds. */
  readonly retryAfter: number;
  /** The lifetime of access tokens, in seconds. */
  readonly lifetime: number;
  /** The end of the outage, in milliseconds of virtual time; 0 without one. Until then, all responses are 503. */
  readonly outageUntil: number;
}

/** The delay of a response and of an operation of the store, in milliseconds. */
export const latencies = { platform: [80, 160], outage: [500, 1500], store: [3, 8] } as const;

/** The client id of the application. */
const clientId = "1000000000000000099";

/** The token endpoint. Its refresh tokens work once. */
export class Platform {
  readonly model: PlatformModel;
  readonly #clock: VirtualClock;
  readonly #random: Random;
  /** The number of the newest token of each person. */
  readonly #newest = new Map<string, number>();
  #second = 0;
  #inSecond = 0;
  /** The number of responses by status. */
  readonly #statuses = new Map<number, number>();
  /** The number of 429s in each minute. */
  readonly #limited = new Map<number, number>();

  constructor(model: PlatformModel, clock: VirtualClock, random: Random) {
    this.model = model;
    this.#clock = clock;
    this.#random = random;
  }

  /** Returns the tokens of a new login, which was some time ago. */
  issue(person: string, ageMs: number): Record<string, unknown> {
    this.#newest.set(person, 1);
    return this.#payload(person, 1, ageMs);
  }

  /** Creates a process with its own `fetch`, and with it its own knowledge of limits. */
  createProcess(): PlatformApi {
    const fetch: Fetch = (input, init) => this.#respond(new Request(input, init));
    return new PlatformApi(clientId, "s3cret", ["identify"], null, { fetch });
  }

  /** Returns the number of responses with a status. */
  count(status: number): number {
    return this.#statuses.get(status) ?? 0;
  }

  /** The number of all responses. */
  get requests(): number {
    return [...this.#statuses.values()].reduce((sum, count) => sum + count, 0);
  }

  /** The maximum number of 429s in ten minutes, by whole minutes. */
  get mostLimited(): number {
    const sums = [...this.#limited.keys()].map((first) =>
      Array.from({ length: 10 }, (_, minute) => this.#limited.get(first + minute) ?? 0)
        .reduce((sum, count) => sum + count)
    );
    return Math.max(0, ...sums);
  }

  async #respond(request: Request): Promise<Response> {
    const { limit, retryAfter, outageUntil } = this.model;
    const form = new URLSearchParams(await this.#clock.real(request.text()));
    const isDown = this.#clock.now < outageUntil;
    const [least, most] = isDown ? latencies.outage : latencies.platform;
    const there = this.#random.between(least / 2, most / 2);
    await this.#clock.sleep(there);
    const second = Math.floor(this.#clock.now / 1000);
    if (second !== this.#second) this.#inSecond = 0;
    this.#second = second;
    const isLimited = !isDown && ++this.#inSecond > limit;
    const result = isDown
      ? { status: 503, json: { message: "The service is not available", code: 0 } }
      : isLimited
      ? { status: 429, json: { message: "You are being rate limited.", retry_after: retryAfter } }
      : this.#refresh(form.get("refresh_token") ?? "");
    const { status, json } = result;
    this.#statuses.set(status, this.count(status) + 1);
    if (status === 429) {
      const minute = Math.floor(this.#clock.now / 60_000);
      this.#limited.set(minute, (this.#limited.get(minute) ?? 0) + 1);
    }
    await this.#clock.sleep(there);
    this.#clock.settle();
    const headers = new Headers(status === 429 ? { "retry-after": String(retryAfter) } : {});
    // A plain object: its body is read without turns of the real event loop.
    return { status, headers, text: () => JSON.stringify(json) } as unknown as Response;
  }

  #refresh(refreshToken: string): { status: number; json: unknown } {
    const [person = "", number] = refreshToken.split(".");
    if (this.#newest.get(person) !== Number(number)) {
      return { status: 400, json: { error: "invalid_grant" } };
    }
    this.#newest.set(person, Number(number) + 1);
    return { status: 200, json: this.#payload(person, Number(number) + 1, 0) };
  }

  #payload(person: string, number: number, ageMs: number): Record<string, unknown> {
    const { lifetime } = this.model;
    return {
      access_token: `access.${person}.${number}`,
      refresh_token: `${person}.${number}`,
      token_type: "Bearer",
      scope: "identify",
      expires_in: lifetime,
      expires_at: Date.now() + lifetime * 1000 - ageMs,
    };
  }
}

/** The operations of a store, as counted. */
export interface Operations {
  readonly loads: number;
  readonly saves: number;
  /** The maximum number of saves of the record of one person. */
  readonly mostSaves: number;
}

/** The store that all processes share. */
export class SharedStore implements Store {
  readonly #memory = new MemoryStore();
  readonly #clock: VirtualClock;
  readonly #random: Random;
  /** The operations by key. */
  readonly #operations = new Map<string, { loads: number; saves: number }>();

  constructor(clock: VirtualClock, random: Random) {
    this.#clock = clock;
    this.#random = random;
  }

  /** Saves the token of a person without latency, and does not count it. */
  async prepare(api: PlatformApi, person: string, token: Record<string, unknown>): Promise<void> {
    await new TokenSource(api, this.#memory, person).save({
      guild: null,
      webhook: null,
      id_token: null,
      scopes: ["identify"],
      ...token,
    } as never);
  }

  load(key: string): Promise<StoredValue | null> {
    this.#of(key).loads += 1;
    return this.#travel(() => this.#memory.load(key));
  }

  save(key: string, value: unknown, options: SaveOptions): Promise<string | null> {
    this.#of(key).saves += 1;
    return this.#travel(() => this.#memory.save(key, value, options));
  }

  delete(key: string): Promise<void> {
    return this.#travel(() => this.#memory.delete(key));
  }

  /** Returns the sum of the operations since the begin. */
  get operations(): Operations {
    const sum = { loads: 0, saves: 0, mostSaves: 0 };
    for (const [key, { loads, saves }] of this.#operations) {
      sum.loads += loads;
      sum.saves += saves;
      if (key.startsWith("person")) sum.mostSaves = Math.max(sum.mostSaves, saves);
    }
    return sum;
  }

  #of(key: string): { loads: number; saves: number } {
    const known = this.#operations.get(key) ?? { loads: 0, saves: 0 };
    this.#operations.set(key, known);
    return known;
  }

  async #travel<Value>(operation: () => Promise<Value>): Promise<Value> {
    const half = this.#random.between(latencies.store[0], latencies.store[1]) / 2;
    await this.#clock.sleep(half);
    const value = await operation();
    await this.#clock.sleep(half);
    return value;
  }
}
