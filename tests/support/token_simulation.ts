/**
 * Simulates processes of an application with a shared store and one person's token, in virtual time. Their clocks differ, they
 * end at any moment, and the platform loses, delays or refuses their requests, or carries them out without a response.
 *
 * @module
 */

import {
  ApiError,
  MemoryStore,
  NetworkError,
  OAuthError,
  RateLimitError,
  type RefreshOptions,
  type SaveOptions,
  type Store,
  TimeoutError,
  type TokenObj,
  TokenSource,
} from "../../mod.ts";
import { pause, timeLimitMs, tokenLifetimeMs } from "./model_platform.ts";

/** The maximum time of a call to save a token without trouble in the store. */
const maxSaveTimeMs = 2000;

/** The earliest time of a refresh by the fastest clock, after the token was issued. */
const earliestRefreshMs = tokenLifetimeMs - tokenLifetimeMs / 4 - 60_000;

/** The earliest time of a second attempt to refresh by the fastest clock, after the token was issued. */
const earliestRepetitionMs = tokenLifetimeMs - 60_000 - 60_000;

const key = "ada";

/** The outcomes of a refresh. */
export const fates = [
  "works",
  "never arrives",
  "no connection",
  "response is lost",
  "arrives after the time limit",
  "done, and status 500",
  "not done, and status 500",
  "status 503",
  "limited",
  "refused",
  "application is refused",
  "process ends before it is done",
  "process ends after it is done",
] as const;
export type Fate = typeof fates[number];

/** The actions of callers in a process. */
export const actions = [
  "ask",
  "crowd",
  "use",
  "use, status 401",
  "end the process",
] as const;
export type Action = typeof actions[number];

/** The plan of a run. */
export interface Scenario {
  /** The fates of the first refreshes. Later ones work. */
  readonly fates: readonly Fate[];
  readonly actions: readonly {
    readonly at: number;
    readonly process: number;
    readonly action: Action;
  }[];
  /** The lead of each process's clock, in milliseconds. */
  readonly skews: readonly number[];
  /** The time of the application's removal by the person. A time after the run means never. */
  readonly removedAt: number;
  /** The time of the person's second login. A time after the run means never. */
  readonly loginAt: number;
  readonly seed: number;
  /** The end of all failures. @default {shortly after the end of the second token} */
  readonly until?: number;
  /** The failing or slow operations of the store. */
  readonly storeTrouble?: readonly StoreTrouble[];
}

/** A slow operation of the store, or one that fails before or after it is done. */
export interface StoreTrouble {
  readonly operation: number;
  readonly wait: number;
  readonly failure: "none" | "before" | "after";
}

/** A sent refresh token. */
interface Sent {
  readonly token: string;
  readonly by: Process;
  /** True while its sender waits for the response, or would wait if the process had not ended. */
  isPending: boolean;
  /** True once the sender knows the outcome. */
  isKnown: boolean;
  /** True once the sender has cut the request. */
  isCut: boolean;
}

/** One pair of tokens. */
interface Pair {
  readonly number: number;
  readonly issuedAt: number;
  /** The process with the tokens; `null` after a lost response. */
  holder: Process | null;
  heldSince: number;
}

/** A process of the application. */
class Process {
  isAlive = true;
  readonly source: TokenSource;

  constructor(readonly simulation: Simulation, readonly skew: number) {
    const store = withClockAhead(simulation.storeOf(this), skew);
    const api = {
      timeout: timeLimitMs,
      refresh: (token: TokenObj, options?: RefreshOptions | null) =>
        simulation.refresh(this, token, options?.timeout ?? timeLimitMs),
      revoke: () => Promise.resolve(),
    };
    this.source = new TokenSource(api, store, key);
  }
}

/** A run. */
export class Simulation {
  readonly #memory = new MemoryStore();
  readonly #scenario: Scenario;
  readonly #fates: Fate[];
  readonly #processes: Process[];
  readonly #pairs: Pair[] = [];
  readonly #sent: Sent[] = [];
  /** The valid access tokens with a 401 from the platform. */
  readonly #rejected = new Set<string>();
  #current: Pair | null = null;
  #random: number;
  #storeOperations = 0;
  /** Descriptions of all broken laws. */
  readonly problems: string[] = [];
  /** The number of callers by result: `token`, or the name of an error. */
  readonly results = new Map<string, number>();

  constructor(scenario: Scenario) {
    this.#scenario = scenario;
    this.#fates = [...scenario.fates];
    this.#random = scenario.seed;
    this.#processes = scenario.skews.map((skew) => new Process(this, skew));
  }

  /** Returns a number from 0 to 1. The sequence depends only on the seed. */
  random(): number {
    this.#random = (1664525 * this.#random + 1013904223) % 2 ** 32;
    return this.#random / 2 ** 32;
  }

  get sent(): number {
    return this.#sent.length;
  }

  /** Logs the person in, and runs the scenario until virtual time has passed. */
  async run(advance: (milliseconds: number) => Promise<unknown>): Promise<void> {
    const { actions, removedAt, loginAt, until = 2 * tokenLifetimeMs + 300_000 } = this.#scenario;
    void this.#login();
    for (const { at, process, action } of actions) void this.#act(at, process, action);
    void pause(removedAt).then(() => this.#current = null);
    void pause(loginAt).then(() => this.#login());
    await advance(until);
    // In the end, every running process saves its token, and a new process finds it.
    this.#isOver = true;
    this.#processes.forEach((_, index) => void this.#ask(index));
    await advance(60_000);
    const last = this.#processes.push(new Process(this, 0)) - 1;
    this.#lastResult = "nothing";
    void this.#ask(last);
    await advance(60_000);
    if (this.#current && this.#isSafe(this.#current) && this.#lastResult !== "token") {
      this.problems.push(`in the end there is ${this.#lastResult}, and no token`);
    }
  }

  /** True after the last failure. */
  #isOver = false;

  #lastResult = "";

  async #login(): Promise<void> {
    const pair = this.#issue();
    const [process] = this.#processes;
    if (!process) return;
    pair.holder = process;
    pair.heldSince = Date.now();
    // Without trouble in the store: an application would tell the person that the login has failed.
    await new TokenSource(
      { refresh: () => Promise.reject(), revoke: () => Promise.reject() },
      this.#memory,
      key,
    ).save(this.#tokenOf(pair));
    await this.#readStore();
  }

  async #readStore(): Promise<void> {
    const stored = (await this.#memory.load(key))?.value as { token: TokenObj } | undefined;
    this.#stored = stored?.token.refresh_token ?? null;
    if (stored) this.#wasStored.add(stored.token.access_token);
  }

  #issue(): Pair {
    const pair = {
      number: this.#pairs.length + 1,
      issuedAt: Date.now(),
      holder: null,
      heldSince: Infinity,
    };
    this.#pairs.push(pair);
    this.#current = pair;
    return pair;
  }

  #tokenOf({ number, issuedAt }: Pair): TokenObj {
    return {
      access_token: `access${number}`,
      refresh_token: `refresh${number}`,
      token_type: "Bearer",
      expires_in: tokenLifetimeMs / 1000,
      expires_at: issuedAt + tokenLifetimeMs,
      scope: "identify",
      scopes: ["identify"],
      guild: null,
      webhook: null,
      id_token: null,
    };
  }

  async #act(at: number, index: number, action: Action): Promise<void> {
    await pause(at);
    if (action === "end the process") return this.#restart(this.#processes[index]);
    const count = action === "crowd" ? 100 : 1;
    const isRejected = action === "use, status 401";
    for (let i = 0; i < count; i++) void this.#ask(index, action.startsWith("use"), isRejected);
  }

  /** Ends a process and starts another in its place. */
  #restart(process: Process | undefined): void {
    if (!process) return;
    process.isAlive = false;
    for (const sent of this.#sent) {
      if (sent.by === process && sent.isKnown && this.#stored === sent.token) {
        sent.isKnown = false;
      }
    }
    this.#processes[this.#processes.indexOf(process)] = new Process(this, process.skew);
  }

  /** Plays one caller: asks for the token, may use it, and renews it after a refusal by the platform. */
  async #ask(index: number, uses = false, isRejected = false): Promise<void> {
    const process = this.#processes[index];
    if (!process) return;
    const token = await this.#measure(process, () => process.source.token());
    if (!token || !uses) return;
    if (isRejected) this.#rejected.add(token.access_token);
    if (!isRejected && this.#works(token.access_token)) return;
    await this.#measure(process, () => process.source.renew(token.access_token));
  }

  /** Awaits a call, and checks its result. Returns `null` if it failed. */
  async #measure(process: Process, call: () => Promise<TokenObj>): Promise<TokenObj | null> {
    const begun = Date.now();
    const wasSafe = this.#current !== null && this.#isSafe(this.#current);
    const didOldWork = this.#doesStoredWork();
    const result = await call().catch((error: unknown) => error as Error);
    if (!process.isAlive) return null;
    const waited = Date.now() - begun;
    const limit = timeLimitMs + (this.#scenario.storeTrouble ? timeLimitMs : maxSaveTimeMs);
    if (waited > limit) this.problems.push(`a caller waited ${waited} ms`);
    const name = result instanceof Error ? result.name : "token";
    this.#lastResult = name;
    this.results.set(name, (this.results.get(name) ?? 0) + 1);
    const isSafe = this.#current !== null && this.#isSafe(this.#current);
    if (!(result instanceof Error)) {
      if (!this.#wasStored.has(result.access_token) && !this.#scenario.storeTrouble) {
        this.problems.push(`a caller got ${result.access_token} before it was saved`);
      }
      if (!this.#works(result.access_token) && wasSafe && isSafe) {
        this.problems.push(`a caller got ${result.access_token}, which has ended`);
      }
      return result;
    }
    if (name === "LoginRequiredError" && wasSafe && isSafe) {
      this.problems.push("a caller must log in although a process has a token");
    }
    if (name === "LoginRequiredError" && didOldWork && this.#doesStoredWork()) {
      this.problems.push("a caller must log in although the old token works");
    }
    if (this.#isUntroubled()) {
      this.problems.push(`a caller got ${name} although nothing went wrong`);
    }
    return null;
  }

  #isUntroubled(): boolean {
    const { fates, actions, removedAt, storeTrouble = [] } = this.#scenario;
    return fates.every((fate) => fate === "works") && storeTrouble.length === 0 &&
      removedAt > 3 * tokenLifetimeMs &&
      actions.every(({ action }) => action !== "end the process");
  }

  /** Returns true if the platform accepts an access token. */
  #works(accessToken: string): boolean {
    const pair = this.#pairs.find(({ number }) => accessToken === `access${number}`);
    // After a removal, only the tokens of the next login and their refreshed tokens work.
    const isAfterRemoval = this.#current !== null &&
        (pair?.issuedAt ?? 0) >= this.#scenario.loginAt || Date.now() < this.#scenario.removedAt;
    return pair !== undefined && isAfterRemoval && Date.now() < pair.issuedAt + tokenLifetimeMs;
  }

  /** Returns true if the access token in the store works, no response was 401, and it has ended by no clock. */
  #doesStoredWork(): boolean {
    const pair = this.#pairs.find(({ number }) => this.#stored === `refresh${number}`);
    if (!pair || Date.now() >= pair.issuedAt + earliestRepetitionMs) return false;
    const accessToken = `access${pair.number}`;
    return this.#works(accessToken) && !this.#rejected.has(accessToken);
  }

  /** Returns true if a pair of tokens is in the store, or a running process has had it for a while. */
  #isSafe({ number, holder, heldSince }: Pair): boolean {
    if (this.#stored === `refresh${number}`) return true;
    // Trouble in the store may delay the save for longer than a lease lasts.
    const isSoonSaved = !this.#scenario.storeTrouble || this.#isOver;
    return isSoonSaved && holder !== null && holder.isAlive && Date.now() - heldSince > 5000;
  }

  /** The access tokens that have been in the store. */
  readonly #wasStored = new Set<string>();
  /** The refresh token in the store. */
  #stored: string | null = null;

  /** Sends a refresh to the platform, and cuts the request at its time limit. */
  async refresh(by: Process, { refresh_token }: TokenObj, limit: number): Promise<TokenObj> {
    const token = String(refresh_token);
    this.#checkSending(token, by);
    const sent = { token, by, isPending: true, isKnown: false, isCut: false };
    this.#sent.push(sent);
    const cut = async (): Promise<never> => {
      await pause(limit);
      if (!by.isAlive) return await new Promise(() => {});
      sent.isPending = false;
      sent.isCut = true;
      throw new TimeoutError("cut");
    };
    return await Promise.race([this.#carryOut(sent, limit), cut()]);
  }

  /** Carries out a refresh at the platform, with the transport of request and response. */
  async #carryOut(sent: Sent, limit: number): Promise<TokenObj> {
    const { by, token } = sent;
    const fate = (this.#isOver ? null : this.#fates.shift()) ?? "works";
    const there = this.random() * 4000;
    const back = this.random() * 4000;
    const unprocessed = {
      "limited": new RateLimitError("limited", {
        httpStatus: 429,
        retryAfter: this.random() * 100,
      }),
      "application is refused": new OAuthError("invalid_client", { httpStatus: 401 }),
      "status 503": new ApiError("down", { httpStatus: 503 }),
    };
    if (fate in unprocessed) {
      await pause(there + back);
      this.#sent.splice(this.#sent.indexOf(sent), 1);
      throw unprocessed[fate as keyof typeof unprocessed];
    }
    if (fate === "refused") this.#current = null;
    if (fate === "no connection") {
      await pause(there);
      this.#sent.splice(this.#sent.indexOf(sent), 1);
      throw new NetworkError("no response", { mayHaveArrived: false });
    }
    if (fate === "never arrives" || fate === "not done, and status 500") {
      await pause(fate === "never arrives" ? this.random() * limit : there + back);
      sent.isPending = false;
      throw fate === "never arrives"
        ? new NetworkError("no response")
        : new ApiError("odd", { httpStatus: 500 });
    }
    if (fate === "arrives after the time limit") await pause(limit);
    await pause(there);
    if (fate === "process ends before it is done") {
      this.#restart(by);
      await pause(1000);
    }
    const pair = this.#exchange(token);
    if (fate === "process ends after it is done") this.#restart(by);
    await pause(back);
    sent.isPending = false;
    if (fate === "response is lost") throw new NetworkError("incomplete response");
    if (fate === "done, and status 500") throw new ApiError("odd", { httpStatus: 500 });
    if (!by.isAlive || sent.isCut) return await new Promise(() => {});
    sent.isKnown = true;
    if (!pair) throw new OAuthError("invalid_grant", { httpStatus: 400 });
    pair.holder = by;
    pair.heldSince = Date.now();
    return this.#tokenOf(pair);
  }

  #exchange(token: string): Pair | null {
    return token === `refresh${this.#current?.number}` ? this.#issue() : null;
  }

  #checkSending(token: string, by: Process): void {
    const earlier = this.#sent.filter((sent) => sent.token === token);
    if (earlier.some(({ isPending }) => isPending)) {
      this.problems.push(`${token} is sent while it is pending`);
    }
    const isKnown = earlier.some((sent) => sent.isKnown && (sent.by.isAlive || sent.by === by));
    if (isKnown && !this.#scenario.storeTrouble) {
      this.problems.push(`${token} is sent although its outcome is known`);
    }
    const pair = this.#pairs.find(({ number }) => token === `refresh${number}`);
    const age = Date.now() - (pair?.issuedAt ?? 0);
    const isRejected = this.#current === null || this.#rejected.has(`access${pair?.number}`);
    if (!isRejected && age < earliestRefreshMs) {
      this.problems.push(`${token} is sent ${age} ms after it came`);
    }
    if (!isRejected && earlier.length > 0 && age < earliestRepetitionMs) {
      this.problems.push(`${token} is sent again while the old access token works`);
    }
  }

  /** Returns the store behind a network. A request arrives even after the end of its process. */
  storeOf(process: Process): Store {
    const travel = async <Value>(action: () => Promise<Value>): Promise<Value> => {
      if (!process.isAlive) return await new Promise(() => {});
      const number = this.#storeOperations++;
      const trouble = this.#isOver
        ? undefined
        : this.#scenario.storeTrouble?.find(({ operation }) => operation === number);
      await pause(this.random() * 300 + (trouble?.wait ?? 0));
      if (trouble?.failure === "before") throw new Error("The store is down");
      const value = await action();
      await this.#readStore();
      await pause(this.random() * 300);
      if (!process.isAlive) return await new Promise(() => {});
      if (trouble?.failure === "after") throw new Error("The store is down");
      return value;
    };
    const store = this.#memory;
    return {
      load: (name) => travel(() => store.load(name)),
      save: (name, value, options) => travel(() => store.save(name, value, options)),
      delete: (name) => travel(() => store.delete(name)),
    };
  }
}

/** Shifts the times in a store: it has the effect of a fast clock. */
function withClockAhead(store: Store, ahead: number): Store {
  const times = ["expires_at", "until", "limitUntil", "renewedAt"];
  const shift = (value: unknown, by: number): unknown =>
    JSON.parse(
      JSON.stringify(value),
      (name, inner) => times.includes(name) && typeof inner === "number" ? inner + by : inner,
    );
  return {
    async load(name) {
      const stored = await store.load(name);
      return stored && { value: shift(stored.value, -ahead), version: stored.version };
    },
    save: (name, value, options: SaveOptions) => store.save(name, shift(value, ahead), options),
    delete: (name) => store.delete(name),
  };
}
