/**
 * The application: two `Login`s over a store, pages that use the token of the session, and a background job.
 *
 * @module
 */

import { AsyncLocalStorage } from "node:async_hooks";
import type { Store } from "../../../src/stores/store.ts";
import { LoginRequiredError, type Platform, User } from "../../../mod.ts";
import { Login } from "../../../src/login/mod.ts";
import { sampleApplication } from "../../../src/testing/mod.ts";
import {
  type ProcessClocks,
  type SimulatedClock,
  StandstillMeter,
  type Standstills,
} from "./clock.ts";
import { type DatabaseAddress, openStore } from "./databases.ts";
import { FaultyStore, type RequestContext, type StoreFate } from "./faulty_store.ts";
import { sendingHeader, storeFailedHeader } from "./headers.ts";
import type { Trouble } from "./ledger.ts";
import { Random } from "./random.ts";

/** The settings of a process. */
export interface Settings {
  readonly database: DatabaseAddress;
  readonly platformOrigin: string;
  readonly secret: string;
  /** The name of the process, which is in its `User-Agent`. */
  readonly name: string;
  readonly seed: number;
  readonly speed: number;
  /** The simulated time. */
  readonly now: number;
  /** The milliseconds by which its clock is ahead. */
  readonly skew: number;
}

/** The address of the application as browsers see it. */
export const site = "http://localhost:3000";

/** The time after which an unused session ends, and the longest time that it lasts, in seconds. */
export const idleTimeout = 20 * 86_400;
export const maxAge = 60 * 86_400;

/** The `Login`s: each session of `own` has a token of its own, and the sessions of a person share that of `shared`. */
export const logins = {
  own: { name: "", path: "" },
  shared: { name: "shared", path: "/shared" },
} as const;
export type LoginName = keyof typeof logins;

/** The answer of a page or a job. */
export type PageAnswer =
  | { readonly kind: "token"; readonly accessToken: string }
  | { readonly kind: "no session" }
  | { readonly kind: "login required"; readonly reason: string }
  | { readonly kind: "error"; readonly name: string };

/** A command for the process itself. */
export interface Control {
  /** The simulated time. */
  readonly now: number;
  readonly skew: number;
  readonly storeFates: Readonly<Record<StoreFate, number>>;
}

/** The state of the process. */
export interface State {
  /** The bytes of the heap that are in use. */
  readonly heap: number;
  readonly rss: number;
  /** Its standstills since the last call. */
  readonly standstills: Standstills;
  readonly troubles: readonly Trouble[];
  /** The numbers of the answers with tokens that it has read since the last call. */
  readonly received: readonly number[];
  /** True if it works with its store no more. */
  readonly isIdle: boolean;
}

/** The parts of the process that the application uses. */
export interface ApplicationParts {
  readonly settings: Settings;
  readonly clock: SimulatedClock;
  readonly clocks: ProcessClocks;
  readonly store: Store;
}

/** Starts the application on a free port, and prints the port. */
export async function startApplication(parts: Omit<ApplicationParts, "store">): Promise<void> {
  const store = await openStore(parts.settings.database);
  const application = new Application({ ...parts, store });
  const onListen = ({ port }: { readonly port: number }) => console.log(port);
  Deno.serve({ hostname: "127.0.0.1", port: 0, onListen }, (request) => application.fetch(request));
}

/** The application in one process. */
class Application {
  readonly #parts: ApplicationParts;
  readonly #contexts = new AsyncLocalStorage<RequestContext>();
  readonly #store: FaultyStore;
  readonly #standstills: StandstillMeter;
  readonly #own: SoakLogin;
  readonly #shared: SoakLogin;
  /** The numbers of the answers with tokens that were read since the state was last asked for. */
  #received: number[] = [];

  constructor(parts: ApplicationParts) {
    const { settings, clock, store } = parts;
    this.#parts = parts;
    this.#store = new FaultyStore(
      store,
      clock,
      new Random(settings.seed),
      () => this.#contexts.getStore(),
    );
    this.#standstills = new StandstillMeter(clock);
    this.#own = createLogin("own", settings, this.#store, this.#fetchAndNote);
    this.#shared = createLogin("shared", settings, this.#store, this.#fetchAndNote);
  }

  /** Answers a request, and says if the store failed meanwhile. */
  async fetch(request: Request): Promise<Response> {
    const person = request.headers.get("x-person") ?? "";
    const context: RequestContext = { person, hasStoreFailed: false };
    const response = await this.#contexts.run(context, () => this.#handle(request));
    if (context.hasStoreFailed) response.headers.set(storeFailedHeader, "1");
    return response;
  }

  async #handle(incoming: Request): Promise<Response> {
    const { pathname, search, searchParams } = new URL(incoming.url);
    if (pathname === "/control") return this.#control(await incoming.json());
    if (pathname === "/state") return this.#state(searchParams.has("gc"));
    const { method, headers } = incoming;
    const request = new Request(site + pathname + search, { method, headers });
    const handled = await this.#own.handle(request) ?? await this.#shared.handle(request);
    if (handled) return handled;
    const answer = await this.#answer(request, pathname, searchParams).catch((error: Error) =>
      error instanceof LoginRequiredError
        ? { kind: "login required", reason: error.reason } satisfies PageAnswer
        : { kind: "error", name: error.name } satisfies PageAnswer
    );
    return Response.json(answer);
  }

  /** Answers a page or the job. */
  async #answer(request: Request, path: string, query: URLSearchParams): Promise<PageAnswer> {
    const usesApi = query.has("api");
    if (path === "/job") {
      return await this.#tokenOf(this.#shared.tokensOf(query.get("user") ?? ""), usesApi);
    }
    const login = query.get("login") === "shared" ? this.#shared : this.#own;
    const session = await login.session(request);
    return session ? await this.#tokenOf(session.token, usesApi) : { kind: "no session" };
  }

  async #tokenOf(
    source: ReturnType<SoakLogin["tokensOf"]>,
    usesApi: boolean,
  ): Promise<PageAnswer> {
    const { settings } = this.#parts;
    const options = { platform: platformOf(settings), userAgent: userAgentOf(settings) };
    if (usesApi) await new User(source, options).getCurrentUser({ fresh: true });
    return { kind: "token", accessToken: (await source.token()).access_token };
  }

  #control({ now, skew, storeFates }: Control): Response {
    this.#parts.clocks.set(now, skew);
    this.#store.weights = storeFates;
    return new Response();
  }

  #state(collectsGarbage: boolean): Response {
    if (collectsGarbage) (globalThis as { gc?: () => void }).gc?.();
    const { heapUsed, rss } = Deno.memoryUsage();
    const state: State = {
      heap: heapUsed,
      rss,
      standstills: this.#standstills.take(),
      troubles: this.#store.takeTroubles(),
      received: this.#received,
      isIdle: this.#store.isIdle,
    };
    this.#received = [];
    return Response.json(state);
  }

  /** Sends a request, and notes the number of an answer with tokens once it was read. */
  readonly #fetchAndNote = async (url: string, init: RequestInit): Promise<Response> => {
    const response = await fetch(url, init);
    const id = response.headers.get(sendingHeader);
    if (id === null) return response;
    const text = await response.text();
    this.#received.push(Number(id));
    return new Response(text, response);
  };
}

type SoakLogin = ReturnType<typeof createLogin>;

function createLogin(
  name: LoginName,
  settings: Settings,
  store: Store,
  fetch: (url: string, init: RequestInit) => Promise<Response>,
) {
  return new Login({
    clientId: sampleApplication.id,
    clientSecret: sampleApplication.secret,
    scope: ["identify", "guilds"],
    secret: settings.secret,
    name: logins[name].name,
    redirectUri: `${site}${logins[name].path}/callback`,
    loginPath: `${logins[name].path}/login`,
    logoutPath: `${logins[name].path}/logout`,
    store,
    backgroundTokens: name === "shared",
    idleTimeout,
    maxAge,
    platform: platformOf(settings),
    userAgent: userAgentOf(settings),
    fetch,
    onError: (error) => new Response(error.name, { status: 500 }),
  });
}

function platformOf({ platformOrigin }: Settings): Platform {
  return {
    authorizeUrl: `${platformOrigin}/oauth2/authorize`,
    apiUrl: `${platformOrigin}/api/v10`,
    cdnUrl: platformOrigin,
    issuer: platformOrigin,
  };
}

/** Returns the `User-Agent`, by which the platform knows the process. */
function userAgentOf({ name }: Settings): string {
  return `DiscordBot (https://soak.example, ${name})`;
}
