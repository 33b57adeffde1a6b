/**
 * A platform and a store that fail in virtual time: they lose, delay or refuse requests, or carry them out without a response.
 *
 * @module
 */

import { generateState, MemoryStore, type Store } from "../../mod.ts";
import { pause } from "./model_platform.ts";

export const platform = {
  authorizeUrl: "https://platform.example/authorize",
  apiUrl: "https://platform.example/api",
  cdnUrl: "https://platform.example/cdn",
  issuer: "https://platform.example",
} as const;

/** Secrets besides codes, verifiers and tokens. */
export const clientSecret = "canary-client-secret-Zk3vQ8";
export const platformText = "canary-text-of-the-platform-W4";

/** The outcomes of a request to the platform. */
export const requestOutcomes = [
  "works",
  "works, as text of another type",
  "429",
  "429 without a time",
  "429 of the edge",
  "429 for a day",
  "no connection",
  "cut, not done",
  "cut, done",
  "cut in the body, done",
  "no response, not done",
  "no response, done",
  "late, done",
  "500, not done",
  "500, done",
  "HTML",
  "nothing",
  "redirect",
  "another shape",
  "broken text",
  "endless",
  "refused",
] as const;
export type RequestOutcome = typeof requestOutcomes[number];

/** The outcomes that certainly leave a code unused, each with the pause before the code may be sent again. */
export const pauseMsOfUnusedCode: ReadonlyMap<RequestOutcome, number> = new Map<
  RequestOutcome,
  number
>([
  ["429", 7500],
  ["429 without a time", 5000],
  ["429 of the edge", 30_000],
  ["429 for a day", 86_400_000],
  ["no connection", 0],
]);

/** The outcomes of an operation of the store. A late operation happens long after its caller has stopped waiting. */
export const storeOutcomes = [
  "none",
  "fails before",
  "fails after",
  "slow",
  "late",
  "hangs before",
  "hangs after",
] as const;
export type StoreOutcome = typeof storeOutcomes[number];

/** A sent code. */
interface Sent {
  readonly code: string;
  readonly outcome: RequestOutcome;
  readonly at: number;
}

/** A platform that gives the first requests these outcomes until it is healthy. */
export class FailingPlatform {
  readonly #tokenOutcomes: RequestOutcome[];
  readonly #userOutcomes: RequestOutcome[];
  /** The persons who consented, by code. */
  readonly #unusedCodes = new Map<string, string>();
  /** The persons, by `Authorization` header. */
  readonly #people = new Map<string, string>();
  readonly sent: Sent[] = [];
  /** Codes, verifiers and tokens. */
  readonly secrets: string[] = [];
  /** The codes with a token that has reached the application. */
  readonly delivered = new Set<string>();
  isHealthy = false;

  constructor(tokenOutcomes: readonly RequestOutcome[], userOutcomes: readonly RequestOutcome[]) {
    this.#tokenOutcomes = [...tokenOutcomes];
    this.#userOutcomes = [...userOutcomes];
  }

  /** Consents as a person, and returns the query of the callback. */
  consent(link: string, person: string): URLSearchParams {
    const code = `canary-code-${generateState()}`;
    this.secrets.push(code);
    this.#unusedCodes.set(code, person);
    const state = new URL(link).searchParams.get("state") ?? "";
    return new URLSearchParams({ code, state });
  }

  readonly fetch = async (url: string, init: RequestInit): Promise<Response> => {
    const request = new Request(url, init);
    const isForToken = request.url.endsWith("/oauth2/token");
    const outcomes = isForToken ? this.#tokenOutcomes : this.#userOutcomes;
    const outcome = (this.isHealthy ? null : outcomes.shift()) ?? "works";
    if (!isForToken) {
      const person = this.#people.get(request.headers.get("authorization") ?? "");
      return await respond(outcome, () => JSON.stringify({ id: person, username: "ada" }));
    }
    const form = new URLSearchParams(await request.text());
    const code = form.get("code") ?? "";
    this.secrets.push(form.get("code_verifier") ?? "");
    this.sent.push({ code, outcome, at: Date.now() });
    const response = await respond(outcome, () => this.#exchange(code));
    if (outcome.startsWith("works")) this.delivered.add(code);
    return response;
  };

  #exchange(code: string): string {
    const person = this.#unusedCodes.get(code);
    if (person === undefined) throw new Error("The code was used");
    this.#unusedCodes.delete(code);
    const access_token = `canary-access-${generateState()}`;
    const refresh_token = `canary-refresh-${generateState()}`;
    this.secrets.push(access_token, refresh_token);
    this.#people.set(`Bearer ${access_token}`, person);
    const rest = { token_type: "Bearer", expires_in: 604_800, scope: "identify" };
    return JSON.stringify({ access_token, refresh_token, ...rest });
  }
}

async function respond(outcome: RequestOutcome, act: () => string): Promise<Response> {
  const headers = { "content-type": "application/json" };
  await pause(50);
  switch (outcome) {
    case "works":
      return new Response(act(), { headers });
    case "works, as text of another type":
      return new Response(act(), { headers: { "content-type": "text/html" } });
    case "429":
      return Response.json({ message: platformText, retry_after: 7.5 }, { status: 429 });
    case "429 without a time":
      return Response.json({ message: platformText }, { status: 429 });
    case "429 of the edge":
      return new Response(platformText, { status: 429 });
    case "429 for a day":
      return Response.json({ message: platformText, retry_after: 86_400 }, { status: 429 });
    case "no connection":
      throw new TypeError(`failed ${platformText}`, { cause: { code: "ECONNREFUSED" } });
    case "cut, not done":
      throw new TypeError(`failed ${platformText}`);
    case "cut, done":
      act();
      throw new TypeError("failed", { cause: { code: "ECONNRESET" } });
    case "cut in the body, done": {
      const begin = new TextEncoder().encode(act().slice(0, 20));
      return new Response(streamOf(begin, (controller) => controller.error(new Error("cut"))));
    }
    case "no response, not done":
      return await new Promise(() => {});
    case "no response, done":
      act();
      return await new Promise(() => {});
    case "late, done": {
      const text = act();
      await pause(60_000);
      return new Response(text, { headers });
    }
    case "500, not done":
      return Response.json({ message: platformText }, { status: 500 });
    case "500, done":
      act();
      return new Response(platformText, { status: 500 });
    case "HTML":
      return new Response(`<html><script>${platformText}</script>`);
    case "nothing":
      return new Response(null, { status: 204 });
    case "redirect": {
      const location = `https://elsewhere.example/${platformText}`;
      return new Response(null, { status: 307, headers: { location } });
    }
    case "another shape":
      return Response.json({ access_token: [platformText], id: {}, username: 1 });
    case "broken text":
      return new Response(new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0xc0]), { headers });
    case "endless": {
      const space = new Uint8Array(1000).fill(0x20);
      return new Response(streamOf(space, async (controller) => {
        await pause(100);
        controller.enqueue(space);
      }));
    }
    case "refused": {
      const refusal = { error: "invalid_grant", error_description: platformText };
      return Response.json(refusal, { status: 400 });
    }
  }
}

function streamOf(
  begin: Uint8Array<ArrayBuffer>,
  pull: (controller: ReadableStreamDefaultController) => void | Promise<void>,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({ start: (controller) => controller.enqueue(begin), pull });
}

/** A failing store, and all texts saved in it. */
interface FailingStore {
  readonly store: Store;
  /** Keys, and values as JSON. */
  readonly saved: readonly string[];
  readonly state: { isHealthy: boolean };
}

/** Makes a store that gives the first operations these outcomes until it is healthy. */
export function failingStore(given: readonly StoreOutcome[]): FailingStore {
  const memory = new MemoryStore();
  const left = [...given];
  const saved: string[] = [];
  const state = { isHealthy: false };
  const run = async <Value>(operation: () => Promise<Value>): Promise<Value> => {
    const outcome = (state.isHealthy ? null : left.shift()) ?? "none";
    await pause(outcome === "late" ? 25_000 : outcome === "slow" ? 8000 : 5);
    if (outcome === "fails before") throw new Error("The store is down");
    if (outcome === "hangs before") return await new Promise(() => {});
    const value = await operation();
    if (outcome === "fails after") throw new Error("The store is down");
    if (outcome === "hangs after") return await new Promise(() => {});
    return value;
  };
  const store: Store = {
    load: (key) => run(() => memory.load(key)),
    save(key, value, options) {
      saved.push(key, JSON.stringify(value));
      return run(() => memory.save(key, value, options));
    },
    delete: (key) => run(() => memory.delete(key)),
  };
  return { store, saved, state };
}
