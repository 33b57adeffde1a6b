/**
 * An application in a process of its own: two `Login`s over Redis, pages that use the token of the session, and a background job.
 *
 * @module
 */

import { AsyncLocalStorage } from "node:async_hooks";
import { SimulatedClock, simulateTime, StandstillMeter, type Standstills } from "./clock.ts";
import type { RequestContext, StoreFate } from "./faulty_redis.ts";
import type { Trouble } from "./ledger.ts";
import { sendingHeader, storeFailedHeader } from "./headers.ts";

/** The settings of a process. */
export interface Settings {
  readonly redisUrl: string;
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

if (import.meta.main) await main(JSON.parse(Deno.args[0] ?? "{}"));

async function main(settings: Settings): Promise<void> {
  const clock = new SimulatedClock(settings.speed, settings.now);
  const clocks = simulateTime(clock, settings.skew);
  // These are loaded after the clock was replaced.
  const { createClient } = await import("redis");
  const { LoginRequiredError, User } = await import("../../mod.ts");
  const { Login } = await import("../../src/login/mod.ts");
  const { sampleApplication } = await import("../../src/testing/mod.ts");
  const { redisStore } = await import("../../examples/stores/redis.ts");
  const { FaultyRedis } = await import("./faulty_redis.ts");
  const { Random } = await import("./random.ts");

  // The first request would load it.
  await import("ky");

  const contexts = new AsyncLocalStorage<RequestContext>();
  // Connections that are cut are part of the soak, and the client connects again.
  const client = await createClient({ url: settings.redisUrl }).on("error", () => {}).connect();
  const random = new Random(settings.seed);
  const redis = new FaultyRedis(client, clock, random, () => contexts.getStore());
  const platform = {
    authorizeUrl: `${settings.platformOrigin}/oauth2/authorize`,
    apiUrl: `${settings.platformOrigin}/api/v10`,
    cdnUrl: settings.platformOrigin,
    issuer: settings.platformOrigin,
  };
  const userAgent = `DiscordBot (https://soak.example, ${settings.name})`;
  let received: number[] = [];
  const fetchAndReport = async (input: Request, init?: RequestInit): Promise<Response> => {
    const response = await fetch(input, init);
    const id = response.headers.get(sendingHeader);
    if (id === null) return response;
    const text = await response.text();
    received.push(Number(id));
    return new Response(text, response);
  };
  const createLogin = (name: LoginName) =>
    new Login({
      clientId: sampleApplication.id,
      clientSecret: sampleApplication.secret,
      scope: ["identify", "guilds"],
      secret: settings.secret,
      name: logins[name].name,
      redirectUri: `${site}${logins[name].path}/callback`,
      loginPath: `${logins[name].path}/login`,
      logoutPath: `${logins[name].path}/logout`,
      store: redisStore(redis),
      backgroundTokens: name === "shared",
      idleTimeout,
      maxAge,
      platform,
      userAgent,
      fetch: fetchAndReport,
      onError: (error) => new Response(error.name, { status: 500 }),
    });
  const own = createLogin("own");
  const shared = createLogin("shared");

  async function answerWith(
    source: ReturnType<typeof shared.tokensOf>,
    usesApi: boolean,
  ): Promise<PageAnswer> {
    if (usesApi) await new User(source, { platform, userAgent }).getCurrentUser({ fresh: true });
    return { kind: "token", accessToken: (await source.token()).access_token };
  }

  async function answer(request: Request, path: string, query: URLSearchParams) {
    const usesApi = query.has("api");
    if (path === "/job") return await answerWith(shared.tokensOf(query.get("user") ?? ""), usesApi);
    const login = query.get("login") === "shared" ? shared : own;
    const session = await login.session(request);
    return session
      ? await answerWith(session.token, usesApi)
      : { kind: "no session" } satisfies PageAnswer;
  }

  function control({ now, skew, storeFates }: Control): Response {
    clocks.set(now, skew);
    redis.weights = storeFates;
    return new Response();
  }

  function state(collectsGarbage: boolean): Response {
    if (collectsGarbage) (globalThis as { gc?: () => void }).gc?.();
    const { heapUsed, rss } = Deno.memoryUsage();
    const result: State = {
      heap: heapUsed,
      rss,
      standstills: standstills.take(),
      troubles: redis.takeTroubles(),
      received,
      isIdle: redis.isIdle,
    };
    received = [];
    return Response.json(result);
  }

  async function handle(incoming: Request): Promise<Response> {
    const { pathname, search, searchParams } = new URL(incoming.url);
    if (pathname === "/control") return control(await incoming.json());
    if (pathname === "/state") return state(searchParams.has("gc"));
    const { method, headers } = incoming;
    const request = new Request(site + pathname + search, { method, headers });
    const handled = await own.handle(request) ?? await shared.handle(request);
    if (handled) return handled;
    const found = await answer(request, pathname, searchParams).catch((error: Error) =>
      error instanceof LoginRequiredError
        ? { kind: "login required", reason: error.reason } satisfies PageAnswer
        : { kind: "error", name: error.name } satisfies PageAnswer
    );
    return Response.json(found);
  }

  const standstills = new StandstillMeter(clock);
  Deno.serve({
    hostname: "127.0.0.1",
    port: 0,
    onListen: ({ port }) => console.log(port),
  }, async (request) => {
    const person = request.headers.get("x-person") ?? "";
    const context: RequestContext = { person, hasStoreFailed: false };
    const response = await contexts.run(context, () => handle(request));
    if (context.hasStoreFailed) response.headers.set(storeFailedHeader, "1");
    return response;
  });
  // The process that has started this one is gone.
  for await (const _ of Deno.stdin.readable);
  Deno.exit();
}
