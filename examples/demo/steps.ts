/**
 * Records the steps of a visitor's login, so that the pages can show what happened. It keeps no secret, code, verifier or token.
 *
 * @module
 */

import { AsyncLocalStorage } from "node:async_hooks";

/** The kinds of steps, in the order of a login. */
export type StepKind =
  | "authorization"
  | "callback"
  | "exchange"
  | "user"
  | "session"
  | "guilds"
  | "bot"
  | "refresh"
  | "replay"
  | "logout";

/** A request, or its result. */
export interface Step {
  readonly kind: StepKind;
  /** The method and the path, or the cookie of a session. */
  readonly request: string;
  /** The parameters, as `name=value`, without secrets. */
  readonly fields: readonly string[];
  /** The status of the response. */
  readonly status: number;
}

/** A login of a browser, from its first request to the logout. */
export class Visit {
  readonly id: string = crypto.randomUUID();
  /** The address of the callback that began the session. Its code is used up. */
  callback: string | null = null;
  #steps: readonly Step[] = [];

  /** The latest steps. */
  get steps(): readonly Step[] {
    return this.#steps;
  }

  /** Adds a step. It replaces an earlier one that read the same. */
  add(step: Step): void {
    const isSame = (one: Step) => reads.has(one.kind) && one.request === step.request;
    this.#steps = [...this.#steps.filter((one) => !isSame(one)), step].slice(-30);
  }
}

const reads: ReadonlySet<StepKind> = new Set(["user", "guilds", "bot"]);

/** The visits of all browsers, at most 100. A cookie has the id of each. */
export class Visits {
  readonly #byId = new Map<string, Visit>();
  readonly #current = new AsyncLocalStorage<Visit>();

  /** The visit of the request that is being handled, or `null`. */
  get current(): Visit | null {
    return this.#current.getStore() ?? null;
  }

  /** Handles a request, and records it if it belongs to a visit. A login begins one. */
  async handle(request: Request, handler: () => Promise<Response>): Promise<Response> {
    const { pathname } = new URL(request.url);
    const isLogin = pathname === "/login";
    const [, id = ""] = /(?:^|; )steps=([\w-]+)/.exec(request.headers.get("cookie") ?? "") ?? [];
    const visit = isLogin ? new Visit() : this.#byId.get(id);
    if (!visit) return await handler();
    if (pathname === "/callback") {
      // This step is before the requests that it causes, and only the login decides about it.
      visit.add({ kind: "callback", ...describeUrl("GET", new URL(request.url)), status: 302 });
    }
    const response = await this.#current.run(visit, handler);
    const cookies = response.headers.getSetCookie();
    const session = cookies.find((cookie) => /^[^=;]*session=[^;]/.test(cookie));
    if (pathname === "/callback" && session) {
      visit.callback = request.url;
      const [pair = "", ...attributes] = session.split("; ");
      const fields = [pair.replace(/=.*/, "=hidden"), ...attributes];
      visit.add({ kind: "session", request: "Set-Cookie", fields, status: response.status });
    }
    const location = response.headers.get("location");
    if (isLogin && location !== null && response.status === 302) {
      this.#keep(visit);
      const described = describeUrl("GET", new URL(location, request.url));
      visit.add({ kind: "authorization", ...described, status: response.status });
      return withCookie(response, `steps=${visit.id}; Path=/; HttpOnly; SameSite=Lax`);
    }
    if (pathname === "/logout" && response.status === 303) {
      visit.add({ kind: "logout", request: "POST /logout", fields: [], status: response.status });
    }
    if (response.status !== 401) return response;
    this.#byId.delete(id);
    return withCookie(response, "steps=; Path=/; Max-Age=0");
  }

  /** Returns a `fetch` that records the requests to the platform. */
  recorded(send: typeof fetch): typeof fetch {
    return async (input, init) => {
      const visit = this.current;
      const response = await send(input, init);
      if (visit) await record(visit, new Request(input, init), response.status);
      return response;
    };
  }

  #keep(visit: Visit): void {
    this.#byId.set(visit.id, visit);
    const [oldest = ""] = this.#byId.keys();
    if (this.#byId.size > 100) this.#byId.delete(oldest);
  }
}

async function record(visit: Visit, request: Request, status: number): Promise<void> {
  const url = new URL(request.url);
  const body = new URLSearchParams(request.method === "POST" ? await request.text() : "");
  const [scheme] = (request.headers.get("authorization") ?? "").split(" ");
  const kind = kindOf(url.pathname, body, scheme);
  if (kind === null) return;
  const { request: line, fields } = describeUrl(request.method, url);
  const others = [...body].map(describeField);
  const authorization = scheme ? [`Authorization: ${scheme} hidden`] : [];
  visit.add({ kind, request: line, fields: [...authorization, ...fields, ...others], status });
}

function kindOf(path: string, body: URLSearchParams, scheme = ""): StepKind | null {
  if (path.endsWith("/oauth2/token")) {
    return body.get("grant_type") === "refresh_token" ? "refresh" : "exchange";
  }
  if (scheme === "Bot") return "bot";
  if (path.endsWith("/users/@me")) return "user";
  return path.endsWith("/users/@me/guilds") ? "guilds" : null;
}

function describeUrl(method: string, url: URL): Pick<Step, "request" | "fields"> {
  return {
    request: `${method} ${url.pathname}`,
    fields: [...url.searchParams].map(describeField),
  };
}

/** The parameters without a secret. All others are hidden. */
const open: ReadonlySet<string> = new Set([
  "client_id",
  "redirect_uri",
  "response_type",
  "scope",
  "code_challenge_method",
  "grant_type",
  "prompt",
  "iss",
  "with_counts",
]);

/** The parameters to recognize by their beginning. They were in the address of a page. */
const recognized: ReadonlySet<string> = new Set(["state", "code_challenge"]);

function describeField([name, value]: readonly [string, string]): string {
  if (open.has(name)) return `${name}=${value}`;
  return `${name}=${recognized.has(name) ? `${value.slice(0, 6)}…` : "hidden"}`;
}

function withCookie(response: Response, cookie: string): Response {
  const copy = new Response(response.body, response);
  copy.headers.append("set-cookie", cookie);
  return copy;
}
