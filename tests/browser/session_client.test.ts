// @vitest-environment happy-dom

import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import {
  SessionClient,
  type SessionClientOptions,
  type SessionState,
} from "../../src/browser/mod.ts";

const day = 24 * 60 * 60_000;
const user = {
  id: "1",
  username: "ada",
  global_name: null,
  avatar: null,
  avatar_url: "https://cdn.example/1.png",
};
const page = "https://app.example/settings?tab=1#name";
const loggedOut = { status: "logged_out", user: null, scopes: [], endsAt: null };

/** A session as the server sends it, which ends in a day. */
function sessionOf(username = "ada") {
  return { user: { ...user, username }, scopes: ["identify"], endsAt: Date.now() + day };
}

/** The responses of the server. A test changes them. */
let respond: (request: Request) => Response | Promise<Response>;

/** The requests that the server has received, as in `GET https://app.example/session`. */
let requests: string[];

/** The subscriptions of the test. */
let subscriptions: (() => void)[];

/** The open channels of all tabs. */
let channels: Set<Channel>;

/** A `BroadcastChannel` that delivers within a few microtasks. */
class Channel {
  onmessage: ((event: { data: unknown }) => void) | null = null;
  constructor(readonly name: string) {
    channels.add(this);
  }
  postMessage(data: unknown): void {
    const copy = structuredClone(data);
    for (const other of channels) {
      if (other === this || other.name !== this.name) continue;
      queueMicrotask(() => channels.has(other) && other.onmessage?.({ data: copy }));
    }
  }
  close(): void {
    channels.delete(this);
  }
}

beforeEach(() => {
  vi.useFakeTimers();
  Reflect.get(globalThis, "happyDOM").setURL(page);
  requests = [];
  subscriptions = [];
  channels = new Set();
  respond = () => Response.json(sessionOf());
  vi.stubGlobal("BroadcastChannel", Channel);
  vi.stubGlobal("fetch", async (input: Request | URL, init?: RequestInit) => {
    const request = input instanceof Request ? input : new Request(input, init);
    requests.push(`${request.method} ${request.url}`);
    const { signal } = request;
    return await new Promise<Response>((resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason));
      Promise.resolve(request).then(respond).then(resolve, reject);
    });
  });
});

afterEach(() => {
  for (const stop of subscriptions) stop();
  // Before the real functions are back, since a spy keeps the ones that it replaced.
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

function createClient(options: Partial<SessionClientOptions> = {}): SessionClient {
  return new SessionClient({ url: "/session", ...options });
}

/** Subscribes until the end of the test, and returns the list of all states. */
function follow(client: SessionClient): SessionState[] {
  const states: SessionState[] = [];
  subscriptions.push(client.subscribe((state) => states.push(state)));
  return states;
}

/** Waits until all responses have come. No timer runs. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await Promise.resolve();
  await vi.advanceTimersByTimeAsync(0);
}

/** A client with a session that has been read, and a subscription. */
async function followedClient(options: Partial<SessionClientOptions> = {}) {
  const client = createClient(options);
  const states = follow(client);
  await settle();
  requests.length = 0;
  return { client, states };
}

function dispatch(type: string, properties: object = {}): void {
  const target = type === "visibilitychange" ? document : globalThis;
  target.dispatchEvent(Object.assign(new Event(type, { bubbles: true }), properties));
}

function setHidden(hidden: boolean): void {
  vi.spyOn(document, "hidden", "get").mockReturnValue(hidden);
  dispatch("visibilitychange");
}

/** A response that comes when the test wants it. */
function heldResponse() {
  let release = (_response: Response) => {};
  const response = new Promise<Response>((resolve) => release = resolve);
  return { response, release };
}

const statusesOf = (states: readonly SessionState[]) => states.map(({ status }) => status);

describe("The state", () => {
  test("is unknown without `initial`, and nothing is sent", () => {
    expect(createClient().state).toEqual({ ...loggedOut, status: "unknown" });
    expect(requests).toEqual([]);
  });

  test("begins with the session that the server has rendered", () => {
    const initial = sessionOf();
    expect(createClient({ initial }).state).toEqual({ status: "logged_in", ...initial });
    expect(createClient({ initial: null }).state).toEqual(loggedOut);
    expect(requests).toEqual([]);
  });

  test("is unknown after an initial session that has ended", () => {
    const initial = { ...sessionOf(), endsAt: Date.now() };
    expect(createClient({ initial }).state.status).toBe("unknown");
    expect(createClient({ initial: { ...initial, endsAt: Date.now() + 1 } }).state.status)
      .toBe("logged_in");
  });

  test("is frozen, also its user, and is a copy of `initial`", () => {
    const initial = sessionOf();
    const { state } = createClient({ initial });
    expect(Object.isFrozen(state) && Object.isFrozen(state.user) && Object.isFrozen(state.scopes))
      .toBe(true);
    initial.scopes.push("guilds");
    expect(state.scopes).toEqual(["identify"]);
  });

  test("is the same object until it changes", async () => {
    const { client, states } = await followedClient();
    const before = client.state;
    expect(await client.refresh()).toBe(before);
    expect(statusesOf(states)).toEqual(["unknown", "logged_in"]);
    const session = sessionOf("grace");
    respond = () => Response.json(session);
    const after = await client.refresh();
    expect(after).not.toBe(before);
    expect(after).toEqual({ status: "logged_in", ...session });
    expect(states.at(-1)).toBe(after);
  });
});

describe("The options", () => {
  test.each([
    [
      { url: undefined },
      "options.url must be a /path or URL, received undefined",
    ],
    [{ url: 3 }, "options.url must be a /path or URL, received number"],
    [
      { url: "session" },
      "options.url must be a /path or URL, received string",
    ],
    [{ url: "//evil.example/session" }, "url must be"],
    [{ url: "/\\evil.example" }, "url must be"],
    [{ url: "ftp://app.example/session" }, "url must be"],
    [{ url: "javascript:alert()" }, "url must be"],
    [{ url: "/session?a" }, "url must be"],
    [{ url: "https://a@b.example/session" }, "url must be"],
    [
      { url: "/session", loginPath: "login" },
      "options.loginPath must be a /path or URL, received string",
    ],
    [
      { url: "/session", logoutPath: null },
      "options.logoutPath must be a /path or URL, received null",
    ],
    [{ url: "/session", loginpath: "/login" }, "options.loginpath is unknown: known names: url, "],
    ["/session", 'options must be an object like { url: "/session" }'],
    [undefined, 'options must be an object like { url: "/session" }'],
    [null, "options.url must be a /path or URL, received undefined"],
    [{ path: "/session" }, "options.path is unknown: known names: url, "],
    [{}, "options.url must be a /path or URL, received undefined"],
  ])("%j are refused with a TypeError that names the argument", (options, message) => {
    const create = () => new SessionClient(options as unknown as SessionClientOptions);
    expect(create).toThrow(TypeError);
    expect(create).toThrow(message);
  });

  test("has an unknown option: the error lists every option", () => {
    const known: Required<Record<keyof SessionClientOptions, true>> = {
      url: true,
      loginPath: true,
      logoutPath: true,
      initial: true,
      appPath: true,
      store: true,
      apiPaths: true,
    };
    const options = { url: "/session", timeout: 5 };
    expect(() => new SessionClient(options)).toThrow(
      `options.timeout is unknown: known names: ${Object.keys(known).join(", ")}`,
    );
  });

  test.each([
    "/session",
    "/app/session/",
    "https://api.app.example/v1/session",
    "http://localhost:1/s",
  ])(
    "accept the url %s",
    async (url) => {
      await createClient({ url }).refresh();
      expect(requests).toEqual([`GET ${new URL(url, page)}`]);
    },
  );

  test("may be undefined", () => {
    createClient({ loginPath: undefined, logoutPath: undefined, initial: undefined });
  });
});

describe("refresh()", () => {
  test("sends one request, however many callers, with the cookies", async () => {
    const { response, release } = heldResponse();
    respond = ({ credentials }) => {
      expect(credentials).toBe("include");
      return response;
    };
    const { refresh } = createClient();
    const all = [refresh(), refresh(), refresh()];
    release(Response.json(null));
    expect(await Promise.all(all)).toEqual([loggedOut, loggedOut, loggedOut]);
    expect(requests).toEqual(["GET https://app.example/session"]);
    await refresh();
    expect(requests).toHaveLength(2);
  });

  test("accepts null in place of a user", async () => {
    respond = () => Response.json({ ...sessionOf(), user: null });
    expect((await createClient().refresh()).status).toBe("logged_in");
  });

  const json = { headers: { "content-type": "application/json" } };
  const { scopes, endsAt } = { scopes: ["identify"], endsAt: 5 };
  test.each<[string, () => Response | Promise<Response>]>([
    ["no connection", () => Promise.reject(new TypeError("Failed to fetch"))],
    ["a page of a proxy", () => new Response("<h1>502</h1>", { status: 502 })],
    [
      "a page with the status 200",
      () => new Response("null", { headers: { "content-type": "text/html" } }),
    ],
    ["no content type", () => new Response(new Uint8Array())],
    ["a failing store", () => Response.json({ error: "store" }, { status: 503 })],
    ["null with the status 500", () => Response.json(null, { status: 500 })],
    ["an empty response", () => new Response(null, { status: 204 })],
    ["half of the JSON", () => new Response('{"user":', json)],
    ["a text", () => Response.json("logged in")],
    ["a session without a user", () => Response.json({ scopes, endsAt })],
    ["a session without scopes", () => Response.json({ user, endsAt })],
    ["a session with a text as scopes", () => Response.json({ user, scopes: "identify", endsAt })],
    ["a session without an end", () => Response.json({ user, scopes })],
    ["a session with a wrong end", () => Response.json({ user, scopes, endsAt: "soon" })],
  ])("is unreachable after %s, keeps the user, and recovers", async (_, bad) => {
    const { client } = await followedClient();
    const session = client.state;
    respond = bad;
    expect(await client.refresh()).toEqual({ ...session, status: "unreachable" });
    respond = () => Response.json(sessionOf());
    expect((await client.refresh()).status).toBe("logged_in");
    respond = () => Response.json(null);
    await client.refresh();
    respond = bad;
    expect(await client.refresh()).toEqual({ ...loggedOut, status: "unreachable" });
  });

  test("ends after ten seconds without a response", async () => {
    const controller = new AbortController();
    const timeout = vi.spyOn(AbortSignal, "timeout").mockReturnValue(controller.signal);
    respond = () => new Promise(() => {});
    const state = createClient().refresh();
    await settle();
    expect(timeout).toHaveBeenCalledWith(10_000);
    controller.abort();
    expect((await state).status).toBe("unreachable");
  });

  test("ends after ten seconds with half a response", async () => {
    const controller = new AbortController();
    vi.spyOn(AbortSignal, "timeout").mockReturnValue(controller.signal);
    const body = new ReadableStream({
      start(stream) {
        stream.enqueue(new TextEncoder().encode('{"user":'));
        controller.signal.addEventListener("abort", () => stream.error(controller.signal.reason));
      },
    });
    respond = () => new Response(body, json);
    const state = createClient().refresh();
    await settle();
    controller.abort();
    expect((await state).status).toBe("unreachable");
  });

  test("works in browsers without AbortSignal.timeout", async () => {
    vi.stubGlobal("AbortSignal", class {});
    expect((await createClient().refresh()).status).toBe("logged_in");
  });

  test("does not let an old response replace a logout", async () => {
    const { client, states } = await followedClient();
    const old = heldResponse();
    respond = () => old.response;
    const refreshed = client.refresh();
    await settle();
    respond = ({ method }) =>
      method === "POST" ? new Response(null, { status: 204 }) : Response.json(null);
    await client.logOut();
    old.release(Response.json(sessionOf()));
    expect(await refreshed).toEqual(loggedOut);
    expect(statusesOf(states)).toEqual(["unknown", "logged_in", "logged_out"]);
  });
});

describe("subscribe()", () => {
  test("calls the function at once and after each change, until it ends", async () => {
    const { client, states } = await followedClient();
    expect(statusesOf(states)).toEqual(["unknown", "logged_in"]);
    const seen: SessionState[] = [];
    const stop = client.subscribe((state) => seen.push(state));
    expect(seen).toEqual([client.state]);
    stop();
    respond = () => Response.json(null);
    await client.refresh();
    expect(seen).toHaveLength(1);
    expect(statusesOf(states)).toEqual(["unknown", "logged_in", "logged_out"]);
  });

  test("keeps two subscriptions of one function apart", async () => {
    const client = createClient();
    const listener = vi.fn();
    const stop = client.subscribe(listener);
    subscriptions.push(client.subscribe(listener));
    stop();
    listener.mockClear();
    await settle();
    expect(listener).toHaveBeenCalledTimes(1);
  });

  test("asks the server once if the state is unknown", async () => {
    const client = createClient();
    follow(client);
    follow(client);
    await settle();
    expect(requests).toEqual(["GET https://app.example/session"]);
  });

  test("asks nothing if the server has rendered the state", async () => {
    follow(createClient({ initial: null }));
    await settle();
    expect(requests).toEqual([]);
  });

  test("asks nothing in a hidden page, until it is visible", async () => {
    setHidden(true);
    const client = createClient();
    follow(client);
    await settle();
    expect(requests).toEqual([]);
    setHidden(false);
    await settle();
    expect(client.state.status).toBe("logged_in");
  });

  test("leaves no listener, channel or timer behind", async () => {
    const add = vi.spyOn(globalThis, "addEventListener");
    const remove = vi.spyOn(globalThis, "removeEventListener");
    const client = createClient();
    const stops = [client.subscribe(() => {}), client.subscribe(() => {})];
    await settle();
    expect(add.mock.calls.map(([type]) => type)).toEqual([
      "visibilitychange",
      "pagehide",
      "pageshow",
      "online",
    ]);
    expect([channels.size, vi.getTimerCount()]).toEqual([1, 1]);
    stops[0]?.();
    expect([channels.size, vi.getTimerCount()]).toEqual([1, 1]);
    expect(remove).not.toHaveBeenCalled();
    stops[1]?.();
    expect(remove.mock.calls).toEqual(add.mock.calls);
    expect([channels.size, vi.getTimerCount()]).toEqual([0, 0]);
    await client.refresh();
    expect([channels.size, vi.getTimerCount()]).toEqual([0, 0]);
    follow(client);
    expect([channels.size, vi.getTimerCount()]).toEqual([1, 1]);
  });

  test("leaves no timer behind that another tab has set", async () => {
    const client = createClient();
    const stop = client.subscribe(() => {});
    await settle();
    for (let message = 0; message < 2; message++) {
      new Channel("https://app.example/session").postMessage(message);
      await settle();
    }
    stop();
    expect(vi.getTimerCount()).toBe(0);
  });

  test("works where the browser forbids channels, or has none", async () => {
    vi.stubGlobal(
      "BroadcastChannel",
      class {
        constructor() {
          throw new DOMException("The operation is insecure.", "SecurityError");
        }
      },
    );
    const { client } = await followedClient();
    expect(client.state.status).toBe("logged_in");
    dispatch("pagehide");
    vi.stubGlobal("BroadcastChannel", undefined);
    respond = () => new Response(null, { status: 204 });
    await client.logOut();
    expect(client.state.status).toBe("logged_out");
  });
});

describe("A page that comes back", () => {
  test.each(["visibilitychange", "online", "pageshow"])(
    "asks the server after %s, at most once a minute",
    async (type) => {
      await followedClient();
      await vi.advanceTimersByTimeAsync(59_999);
      dispatch(type);
      await settle();
      expect(requests).toEqual([]);
      await vi.advanceTimersByTimeAsync(1);
      for (let times = 0; times < 3; times++) dispatch(type);
      await settle();
      dispatch(type);
      await settle();
      expect(requests).toEqual(["GET https://app.example/session"]);
    },
  );

  test("asks at most once a minute after a failure too", async () => {
    const { client } = await followedClient();
    respond = () => Response.json({ error: "store" }, { status: 503 });
    await client.refresh();
    respond = () => Response.json(sessionOf());
    await vi.advanceTimersByTimeAsync(59_999);
    for (const type of ["visibilitychange", "pageshow"]) dispatch(type);
    await settle();
    expect(client.state.status).toBe("unreachable");
    await vi.advanceTimersByTimeAsync(1);
    dispatch("visibilitychange");
    await settle();
    expect(client.state.status).toBe("logged_in");
    expect(requests).toHaveLength(2);
  });

  test("asks again at once after a failure", async () => {
    const { client } = await followedClient();
    respond = () => Promise.reject(new TypeError("Failed to fetch"));
    await client.refresh();
    expect(client.state.status).toBe("unreachable");
    respond = () => Response.json(sessionOf());
    dispatch("online");
    await settle();
    expect(client.state.status).toBe("logged_in");
  });

  test("asks nothing while it is hidden", async () => {
    await followedClient();
    setHidden(true);
    await vi.advanceTimersByTimeAsync(60_000);
    dispatch("online");
    await settle();
    expect(requests).toEqual([]);
    setHidden(false);
    await settle();
    expect(requests).toHaveLength(1);
  });

  test("asks the server if the clock was set back", async () => {
    await followedClient();
    vi.setSystemTime(Date.now() - 60_000);
    dispatch("online");
    await settle();
    expect(requests).toHaveLength(1);
  });

  test("from the back-forward cache does not show the last user, and asks at once", async () => {
    const { client, states } = await followedClient();
    dispatch("pagehide");
    expect(channels.size).toBe(0);
    respond = () => Response.json(null);
    dispatch("pageshow", { persisted: true });
    expect(client.state).toEqual({ ...loggedOut, status: "unknown" });
    expect(channels.size).toBe(1);
    await settle();
    expect(statusesOf(states)).toEqual(["unknown", "logged_in", "unknown", "logged_out"]);
    expect(requests).toHaveLength(1);
  });

  test("from the back-forward cache does not show the last user without a connection", async () => {
    const { client } = await followedClient();
    dispatch("pagehide");
    respond = () => Promise.reject(new TypeError("Failed to fetch"));
    dispatch("pageshow", { persisted: true });
    await settle();
    expect(client.state).toEqual({ ...loggedOut, status: "unreachable" });
  });

  test("from the back-forward cache does not take a response from before", async () => {
    const { client } = await followedClient();
    const old = heldResponse();
    respond = () => old.response;
    void client.refresh();
    await settle();
    dispatch("pagehide");
    respond = () => Response.json(null);
    dispatch("pageshow", { persisted: true });
    old.release(Response.json(sessionOf()));
    await settle();
    expect(client.state).toEqual(loggedOut);
  });
});

describe("At the end of the session, the client", () => {
  test("asks the server, also in a hidden page", async () => {
    const { client } = await followedClient();
    setHidden(true);
    respond = () => Response.json(null);
    await vi.advanceTimersByTimeAsync(day - 1);
    expect(requests).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(client.state).toEqual(loggedOut);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("does not claim a session without a connection", async () => {
    const { client } = await followedClient();
    respond = () => Promise.reject(new TypeError("Failed to fetch"));
    await vi.advanceTimersByTimeAsync(day);
    expect(client.state.status).toBe("unreachable");
  });

  test("asks once a minute while the clock of the server is slow", async () => {
    const session = sessionOf();
    respond = () => Response.json(session);
    const { client } = await followedClient();
    await vi.advanceTimersByTimeAsync(day);
    expect(requests).toHaveLength(1);
    expect(client.state.status).toBe("logged_in");
    respond = () => Response.json(null);
    await vi.advanceTimersByTimeAsync(59_999);
    expect(requests).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(client.state).toEqual(loggedOut);
  });

  test("goes on with a session that the server has prolonged", async () => {
    const { client } = await followedClient();
    await vi.advanceTimersByTimeAsync(day);
    expect(client.state.endsAt).toBe(Date.now() + day);
    await vi.advanceTimersByTimeAsync(day);
    expect(requests).toHaveLength(2);
  });

  test("waits no longer than a timer can", async () => {
    respond = () => Response.json({ ...sessionOf(), endsAt: Date.now() + 300 * day });
    await followedClient();
    await vi.advanceTimersByTimeAsync(999_999_999);
    expect(requests).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(requests).toHaveLength(1);
  });

  test("has a timer also for a session that the server has rendered", async () => {
    const { client } = await followedClient({ initial: sessionOf() });
    respond = () => Response.json(null);
    await vi.advanceTimersByTimeAsync(day);
    expect(client.state).toEqual(loggedOut);
  });
});

describe("logIn()", () => {
  test.each<
    [string, Partial<SessionClientOptions>, { returnTo?: string | URL } | undefined, string]
  >([
    [
      "to the current page",
      {},
      undefined,
      `https://app.example/login?returnTo=${encodeURIComponent(page)}`,
    ],
    [
      "to a path",
      { loginPath: "/auth/login" },
      { returnTo: "/account" },
      "https://app.example/auth/login?returnTo=https%3A%2F%2Fapp.example%2Faccount",
    ],
    [
      "to a URL",
      {},
      { returnTo: new URL("https://app.example/a") },
      "https://app.example/login?returnTo=https%3A%2F%2Fapp.example%2Fa",
    ],
    [
      "to a page on another origin than the API",
      { url: "https://api.app.example/session" },
      { returnTo: "/a?b" },
      "https://api.app.example/login?returnTo=https%3A%2F%2Fapp.example%2Fa%3Fb",
    ],
  ])("leads to the login, and then %s", (_, options, argument, address) => {
    const assign = vi.spyOn(location, "assign").mockReturnValue();
    createClient(options).logIn(argument);
    expect(String(assign.mock.calls[0]?.[0])).toBe(address);
  });

  test("works as the listener of a click", () => {
    const assign = vi.spyOn(location, "assign").mockReturnValue();
    const listener: (event: never) => void = createClient().logIn;
    listener(new Event("click") as never);
    expect(String(assign.mock.calls[0]?.[0])).toContain(encodeURIComponent(page));
  });

  test.each(["/settings", { returnto: "/settings" }])("refuses the options %j", (options) => {
    const assign = vi.spyOn(location, "assign").mockReturnValue();
    expect(() => createClient().logIn(options as never))
      .toThrow(new TypeError('options must be like { returnTo: "/settings" }'));
    expect(assign).not.toHaveBeenCalled();
  });

  test("refuses a page that is not a URL", () => {
    expect(() => createClient().logIn({ returnTo: "https://[" })).toThrow(TypeError);
  });
});

describe("logOut()", () => {
  test("ends the session on the server, and tells all tabs", async () => {
    const { client } = await followedClient();
    const other = await followedClient();
    respond = ({ method, credentials }) => {
      if (method === "GET") return Response.json(null);
      expect(credentials).toBe("include");
      return new Response(null, { status: 204 });
    };
    const inits: unknown[] = [];
    // The requests of happy-dom have no `keepalive`.
    class RecordedRequest extends Request {
      constructor(input: RequestInfo | URL, init?: RequestInit) {
        super(input, init);
        inits.push(init);
      }
    }
    vi.stubGlobal("Request", RecordedRequest);
    await client.logOut();
    expect(inits[0]).toMatchObject({ method: "POST", keepalive: true });
    expect(client.state).toEqual(loggedOut);
    await settle();
    expect(other.client.state).toEqual(loggedOut);
    expect(requests[0]).toBe("POST https://app.example/logout");
  });

  test("tells all tabs, also if a login in one of them is not known yet", async () => {
    const client = createClient({ initial: null });
    const other = await followedClient();
    respond = ({ method }) =>
      method === "GET" ? Response.json(null) : new Response(null, { status: 204 });
    await client.logOut();
    await settle();
    expect(statusesOf(other.states)).toEqual(["unknown", "logged_in", "logged_out"]);
  });

  test("needs no subscription to tell all tabs, and leaves no channel open", async () => {
    const other = await followedClient();
    respond = ({ method }) =>
      method === "GET" ? Response.json(null) : new Response(null, { status: 204 });
    await createClient({ logoutPath: "/auth/logout" }).logOut();
    await settle();
    expect(requests[0]).toBe("POST https://app.example/auth/logout");
    expect(statusesOf(other.states)).toEqual(["unknown", "logged_in", "logged_out"]);
    expect(channels.size).toBe(1);
  });

  test.each([
    ["a lost response", () => Promise.reject(new TypeError("Failed to fetch"))],
    ["a page", () => new Response("<p>Bye</p>", { headers: { "content-type": "text/html" } })],
  ])("succeeds after %s if the session has ended", async (_, bad) => {
    const { client } = await followedClient();
    respond = ({ method }) => method === "POST" ? bad() : Response.json(null);
    await client.logOut();
    expect(client.state).toEqual(loggedOut);
  });

  test.each([
    ["502", () => new Response("<h1>502</h1>", { status: 502 })],
    ["no response", () => Promise.reject(new TypeError("Failed to fetch"))],
  ])("rejects with %s if the session goes on, and can be repeated", async (message, bad) => {
    const { client } = await followedClient();
    respond = ({ method }) => method === "POST" ? bad() : Response.json(sessionOf());
    await expect(client.logOut()).rejects.toThrow(`Could not log out: ${message}`);
    expect(client.state.status).toBe("logged_in");
    respond = () => new Response(null, { status: 204 });
    await client.logOut();
    expect(client.state.status).toBe("logged_out");
  });

  test("does not believe a response from before the logout", async () => {
    const { client } = await followedClient();
    const old = heldResponse();
    respond = () => old.response;
    void client.refresh();
    await settle();
    respond = ({ method }) =>
      method === "POST" ? new Response(null, { status: 500 }) : Response.json(sessionOf());
    const end = client.logOut();
    await settle();
    old.release(Response.json(null));
    await expect(end).rejects.toThrow("Could not log out: 500");
  });
});

describe("fetch()", () => {
  const refusal = () => Response.json({ error: "login_required" }, { status: 401 });

  test.each<[string, RequestInfo | URL]>([
    ["a path", "/api/things?a=1"],
    ["a URL", new URL("https://api.app.example/api/things?a=1")],
    ["a Request", new Request("https://api.app.example/api/things?a=1")],
  ])("sends the cookies with %s, on the origin of the API", async (_, input) => {
    respond = ({ credentials, method, headers }) =>
      Response.json([credentials, method, headers.get("x-test")]);
    const { fetch } = createClient({ url: "https://api.app.example/v1/session" });
    const response = await fetch(input, { method: "PUT", headers: { "x-test": "yes" } });
    expect(await response.json()).toEqual(["include", "PUT", "yes"]);
    expect(requests).toEqual(["PUT https://api.app.example/api/things?a=1"]);
  });

  test("keeps the method, the headers and the body of a Request", async () => {
    respond = async (request) =>
      Response.json([request.method, request.headers.get("x-test"), await request.text()]);
    const init = { method: "PUT", headers: { "x-test": "yes" }, body: "green" };
    const request = new Request("https://app.example/api", init);
    const response = await createClient().fetch(request);
    expect(await response.json()).toEqual(["PUT", "yes", "green"]);
  });

  test("sends to the origin of the page too", async () => {
    const { fetch } = createClient({ url: "https://api.app.example/session" });
    await fetch("https://app.example/api");
    expect(requests).toEqual(["GET https://app.example/api"]);
  });

  test.each([
    "https://evil.example/api?secret=1",
    "//evil.example/api",
    "/\\evil.example/api",
    "http://app.example/api",
    "https://app.example:444/api",
    "data:application/json,1",
    "blob:https://app.example/1",
    new Request("https://evil.example/api"),
  ])("refuses %s with a TypeError that names the argument, and no query", async (input) => {
    const error = await createClient().fetch(input).catch((error) => error);
    expect(error).toBeInstanceOf(TypeError);
    expect(error.message).toMatch(
      /^input must be on https:\/\/app\.example,https:\/\/app\.example, received \S+$/,
    );
    expect(error.message).not.toContain("secret");
    expect(requests).toEqual([]);
  });

  test("notices a 401 with login_required, and leaves the response unread", async () => {
    const { client, states } = await followedClient();
    const other = await followedClient();
    respond = ({ url }) => url.endsWith("/api") ? refusal() : Response.json(null);
    const response = await client.fetch("/api");
    expect(client.state).toEqual(loggedOut);
    expect(await response.json()).toEqual({ error: "login_required" });
    await settle();
    expect(other.client.state).toEqual(loggedOut);
    expect(statusesOf(states)).toEqual(["unknown", "logged_in", "logged_out"]);
  });

  test.each<[string, () => Response]>([
    ["another error", () => Response.json({ error: "expired" }, { status: 401 })],
    ["another status", () => Response.json({ error: "login_required" }, { status: 403 })],
    ["a page", () => new Response('{"error":"login_required"}', { status: 401 })],
    [
      "half of the JSON",
      () =>
        new Response('{"error":', { status: 401, headers: { "content-type": "application/json" } }),
    ],
    ["null", () => Response.json(null, { status: 401 })],
  ])("does not take %s for a logout", async (_, bad) => {
    const { client } = await followedClient();
    respond = bad;
    await client.fetch("/api");
    expect(client.state.status).toBe("logged_in");
    expect(requests).toEqual(["GET https://app.example/api"]);
  });

  test("believes the server of the session after a 401 with login_required", async () => {
    const { client, states } = await followedClient();
    respond = ({ url }) => url.endsWith("/api") ? refusal() : Response.json(sessionOf("grace"));
    expect((await client.fetch("/api")).status).toBe(401);
    expect(client.state.user?.username).toBe("grace");
    expect(statusesOf(states)).toEqual(["unknown", "logged_in", "logged_in"]);
  });

  test("does not believe a response from before the 401", async () => {
    const { client } = await followedClient();
    const old = heldResponse();
    respond = () => old.response;
    void client.refresh();
    await settle();
    respond = ({ url }) => url.endsWith("/api") ? refusal() : Response.json(null);
    const response = client.fetch("/api");
    await settle();
    old.release(Response.json(sessionOf()));
    expect((await response).status).toBe(401);
    expect(client.state).toEqual(loggedOut);
  });

  test("asks the server if the 401 came after a redirect", async () => {
    const { client } = await followedClient();
    respond = ({ url }) => {
      if (url.endsWith("/session")) return Response.json(sessionOf());
      return Object.defineProperty(refusal(), "redirected", { value: true });
    };
    await client.fetch("/api");
    await settle();
    expect(requests).toEqual(["GET https://app.example/api", "GET https://app.example/session"]);
    expect(client.state.status).toBe("logged_in");
  });

  test("asks the server if the 401 is older than the state", async () => {
    const { client, states } = await followedClient();
    const old = heldResponse();
    respond = ({ url }) => url.endsWith("/api") ? old.response : Response.json(sessionOf("grace"));
    const response = client.fetch("/api");
    await settle();
    await client.refresh();
    old.release(refusal());
    await response;
    await settle();
    expect(requests).toHaveLength(3);
    expect(statusesOf(states)).toEqual(["unknown", "logged_in", "logged_in"]);
  });

  test("passes the errors of fetch on, and an abort", async () => {
    const { client } = await followedClient();
    respond = () => new Promise(() => {});
    const controller = new AbortController();
    const response = client.fetch("/api", { signal: controller.signal });
    await settle();
    controller.abort();
    await expect(response).rejects.toMatchObject({ name: "AbortError" });
    expect(client.state.status).toBe("logged_in");
  });
});

describe("Several tabs", () => {
  test("get in step after a login, a logout and a login as another person", async () => {
    respond = () => Response.json(null);
    const first = await followedClient();
    const second = await followedClient();
    respond = () => Response.json(sessionOf());
    const third = createClient();
    await third.refresh();
    await settle();
    for (const { client } of [first, second]) expect(client.state.user?.username).toBe("ada");
    expect(requests).toHaveLength(3);
    respond = () => Response.json(sessionOf("grace"));
    await vi.advanceTimersByTimeAsync(1000);
    // A page that the server has rendered.
    createClient({ initial: sessionOf("grace") });
    await settle();
    for (const { client } of [first, second]) expect(client.state.user?.username).toBe("grace");
  });

  test("ask at once on any day, although browsers cut a delay to 32 bits", async () => {
    const { setTimeout } = globalThis;
    vi.stubGlobal("setTimeout", (run: () => void, delay = 0) => setTimeout(run, delay | 0));
    for (const day of ["2026-11-29", "2026-12-25"]) {
      vi.setSystemTime(`${day}T12:00:00Z`);
      const { client } = await followedClient();
      respond = () => Response.json(null);
      new Channel("https://app.example/session").postMessage(null);
      await settle();
      expect(client.state.status).toBe("logged_out");
      for (const stop of subscriptions.splice(0)) stop();
      respond = () => Response.json(sessionOf());
    }
  });

  test("never take the user of a message", async () => {
    const { client, states } = await followedClient();
    const session = { status: "logged_in", ...sessionOf("mallory") };
    new Channel("https://app.example/session").postMessage(session);
    await settle();
    expect(requests).toHaveLength(1);
    expect(client.state.user?.username).toBe("ada");
    expect(statusesOf(states)).toEqual(["unknown", "logged_in"]);
  });

  test("ask the server after a logout in another tab, in case it is older than the session", async () => {
    const { client, states } = await followedClient();
    new Channel("https://app.example/session").postMessage(loggedOut);
    await settle();
    expect(statusesOf(states)).toEqual(["unknown", "logged_in", "logged_out", "logged_in"]);
    expect(client.state.status).toBe("logged_in");
  });

  test.each([null, undefined, "logged_out", 5, { status: {} }, []])(
    "ask the server after the message %j",
    async (message) => {
      const { client } = await followedClient();
      new Channel("https://app.example/session").postMessage(message);
      await settle();
      expect(requests).toHaveLength(1);
      expect(client.state.status).toBe("logged_in");
    },
  );

  test("ask nothing after a message with their own state", async () => {
    const { client } = await followedClient();
    new Channel("https://app.example/session").postMessage(client.state);
    await settle();
    expect(requests).toEqual([]);
  });

  test("do not take a response that is older than a message", async () => {
    const { client } = await followedClient();
    const old = heldResponse();
    respond = () => old.response;
    void client.refresh();
    await settle();
    new Channel("https://app.example/session").postMessage(loggedOut);
    await settle();
    respond = () => Response.json(null);
    old.release(Response.json(sessionOf()));
    await settle();
    expect(client.state).toEqual(loggedOut);
    expect(requests).toHaveLength(2);
  });

  test("that are hidden ask when they are visible", async () => {
    const { client } = await followedClient();
    setHidden(true);
    respond = () => Response.json(sessionOf("grace"));
    new Channel("https://app.example/session").postMessage(null);
    await settle();
    expect(requests).toEqual([]);
    setHidden(false);
    await settle();
    expect(client.state.user?.username).toBe("grace");
  });

  test("with other URLs of the session are not disturbed", async () => {
    await followedClient();
    new Channel("https://app.example/other").postMessage(loggedOut);
    await settle();
    expect(requests).toEqual([]);
  });

  test("do not wake each other for ever if each response has new user data", async () => {
    let number = 0;
    respond = () => Response.json(sessionOf(`ada ${number++}`));
    const clients = await Promise.all(Array.from({ length: 5 }, () => followedClient()));
    await settle();
    requests.length = 0;
    await clients[0]?.client.refresh();
    await vi.advanceTimersByTimeAsync(60_000);
    await settle();
    expect(requests).toHaveLength(1);
  });

  test("do not wake each other for ever if two servers disagree", async () => {
    const clients = await Promise.all(Array.from({ length: 6 }, () => followedClient()));
    await settle();
    requests.length = 0;
    respond = () => Response.json(requests.length % 2 ? null : sessionOf());
    await clients[0]?.client.refresh();
    await settle();
    // Each of the others asks once, and tells nobody.
    expect(requests).toHaveLength(6);
    await vi.advanceTimersByTimeAsync(60_000);
    await settle();
    expect(requests).toHaveLength(6);
  });

  test("send few requests, also when there are 50 of them and the session ends", async () => {
    const clients = await Promise.all(Array.from({ length: 50 }, () => followedClient()));
    await settle();
    requests.length = 0;
    respond = () => Response.json(null);
    await vi.advanceTimersByTimeAsync(day + 120_000);
    for (const { client } of clients) expect(client.state).toEqual(loggedOut);
    expect(requests.length).toBeLessThanOrEqual(100);
  });
});

test("The methods work when they are detached from the client", async () => {
  const { subscribe, refresh, fetch, logOut, logIn } = createClient();
  onTestFinished(subscribe(() => {}));
  expect((await refresh()).status).toBe("logged_in");
  await fetch("/api");
  respond = () => new Response(null, { status: 204 });
  await logOut();
  const assign = vi.spyOn(location, "assign").mockReturnValue();
  logIn();
  expect(assign).toHaveBeenCalledOnce();
});
