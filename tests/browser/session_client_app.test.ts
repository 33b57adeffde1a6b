import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { MemoryStore } from "../../mod.ts";
import { SessionClient, type SessionClientOptions } from "../../src/browser/mod.ts";
import { createApp, SITE } from "../login/test_app.ts";

const url = `${SITE}/session`;
const token = `gps_${"a".repeat(43)}`;
const user = { username: "ada" };

/** The requests that the server has received. */
let requests: Request[];

/** The responses of the server. A test changes them. */
let respond: (request: Request) => Response | null | Promise<Response | null>;

beforeEach(() => {
  requests = [];
  respond = () => Response.json(null);
  vi.stubGlobal("BroadcastChannel", undefined);
  vi.stubGlobal("fetch", async (request: Request) => {
    requests.push(request.clone());
    const response = await respond(request);
    if (response) return response;
    throw new TypeError("fetch failed");
  });
});

afterEach(() => void vi.unstubAllGlobals());

function createClient(options: Partial<SessionClientOptions> = {}): SessionClient {
  return new SessionClient({ url, appPath: "/app", apiPaths: ["/api", "/me"], ...options });
}

/** A client with a token, as after an earlier login. */
function clientWithToken(options: Partial<SessionClientOptions> = {}): SessionClient {
  return createClient({ store: { get: () => token, set: () => {} }, ...options });
}

const sessionOf = (username = "ada") => ({
  user: { username },
  scopes: ["identify"],
  endsAt: Date.now() + 60_000,
});

const authorizationOf = ({ headers }: Request) => headers.get("authorization");

describe("enter()", () => {
  test("logs in, and works with the token from then on, without a page", async () => {
    const app = createApp({
      store: new MemoryStore(),
      appPath: "/app",
      sessionPath: "/session",
    });
    respond = async (request) => {
      const { pathname } = new URL(request.url);
      if (pathname !== "/api/me") return await app.login.handle(request);
      const session = await app.login.session(request);
      return Response.json(session?.user ?? { error: "login_required" }, {
        status: session ? 200 : 401,
      });
    };
    const client = createClient();
    const states: string[] = [];
    onTestFinished(client.subscribe(({ status }) => states.push(status)));
    expect((await client.refresh()).status).toBe("logged_out");
    const entered = await client.enter(({ authorize }) => {
      return app.fake.authorizeActivity(authorize, { as: "ada" });
    });
    expect(Object.keys(entered).sort()).toEqual(["accessToken", "session"]);
    expect(entered.session.user.username).toBe("ada");
    expect(client.state).toMatchObject({ status: "logged_in", user: { username: "ada" } });
    expect((await client.refresh()).status).toBe("logged_in");
    expect(await (await client.fetch("/api/me")).json()).toMatchObject({ username: "ada" });
    const [session] = await app.login.sessionsOf(client.state.user?.id ?? "");
    // Opened again, the Activity adds no session.
    await client.enter(({ authorize }) => app.fake.authorizeActivity(authorize, { as: "ada" }));
    const after = await app.login.sessionsOf(client.state.user?.id ?? "");
    expect(after.map(({ id }) => id)).toEqual([session?.id]);
    await client.logOut();
    expect(client.state.status).toBe("logged_out");
    expect((await client.fetch("/api/me")).status).toBe(401);
    expect(requests.map(({ credentials }) => credentials)).not.toContain("include");
    expect(states).toEqual(["unknown", "logged_out", "logged_in", "logged_out"]);
  });

  test("passes the target, code and state of an app, and keeps the token in the store", async () => {
    const kept: (string | null)[] = [];
    const store = { get: () => kept.at(-1), set: (value: string | null) => void kept.push(value) };
    const bodies: unknown[] = [];
    respond = async (request) => {
      const body = await request.json();
      bodies.push(body);
      return Response.json(
        body.begin ? { url: "https://discord.example", state: "s", pending: "p" } : {
          token,
          session: sessionOf(),
        },
      );
    };
    const opened = vi.fn(() => ({ code: "c", state: "s", iss: "ignored" }));
    const begin = { target: "myapp://login", scope: ["guilds"] } as const;
    const { session } = await createClient({ store }).enter(opened, begin);
    expect(session.user).toEqual(user);
    expect(opened.mock.calls).toEqual([[{ url: "https://discord.example", state: "s" }]]);
    expect(bodies).toEqual([{ begin }, { finish: { code: "c", state: "s", pending: "p" } }]);
    expect(kept).toEqual([token]);
    expect(requests.map(({ headers }) => headers.get("content-type"))).toEqual([
      "application/json",
      "application/json",
    ]);
  });

  test("sends a request again after a lost response", async () => {
    let lost = 0;
    respond = async (request) => {
      if (lost++ % 2 === 0) return null;
      const { begin } = await request.json();
      return Response.json(begin ? { pending: "p" } : { token, session: sessionOf() });
    };
    const client = createClient();
    await client.enter(() => ({ code: "c" }));
    expect(client.state.status).toBe("logged_in");
    expect(requests).toHaveLength(4);
  });

  test("rejects with the message and the code of the server", async () => {
    respond = () => {
      const refusal = { error: "x", code: "access_denied", message: "You refused the login" };
      return Response.json(refusal, { status: 403 });
    };
    const error = await createClient().enter(() => ({ code: "c" })).catch((error) => error);
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({ message: "You refused the login", code: "access_denied" });
  });

  test.each<[string, () => Response | null]>([
    ["no response", () => null],
    ["502", () => new Response("<h1>502</h1>", { status: 502 })],
    ["200", () => new Response("<h1>Welcome</h1>", { headers: { "content-type": "text/html" } })],
  ])("rejects after %s", async (found, bad) => {
    respond = bad;
    const client = createClient();
    await expect(client.enter(() => ({ code: "c" }))).rejects.toThrow(`Could not log in: ${found}`);
    expect(client.state.status).toBe("unknown");
  });

  test("passes the error of the function on, and finishes nothing", async () => {
    respond = () => Response.json({ pending: "p" });
    const entered = createClient().enter(() => Promise.reject(new Error("The person refused")));
    await expect(entered).rejects.toThrow("The person refused");
    expect(requests).toHaveLength(1);
  });

  test("does not let an older response replace the login", async () => {
    let release = (_response: Response) => {};
    const old = new Promise<Response>((resolve) => release = resolve);
    const client = createClient();
    respond = () => old;
    const refreshed = client.refresh();
    await vi.waitUntil(() => requests.length);
    respond = async (request) => {
      if (request.method === "GET") return Response.json(sessionOf());
      const { begin } = await request.json();
      return Response.json(begin ? { pending: "p" } : { token, session: sessionOf() });
    };
    await client.enter(() => ({ code: "c" }));
    release(Response.json(null));
    expect((await refreshed).status).toBe("logged_in");
  });
});

describe("The token", () => {
  test.each(["/api", "/api/", "/api/things?a=1", "/me#x", `${SITE}/api/x`])(
    "goes to %s, without cookies, and not after a redirect",
    async (path) => {
      await clientWithToken().fetch(path, { credentials: "include", redirect: "follow" });
      const [request] = requests;
      expect(request && authorizationOf(request)).toBe(`Bearer ${token}`);
      expect([request?.credentials, request?.redirect]).toEqual(["omit", "error"]);
    },
  );

  test.each([
    "/",
    "/apis",
    "/ap",
    "/API/x",
    "/api/../other",
    "/api/%2e%2e/other",
    "/api\\..\\other",
    "/session",
    "https://evil.example/api",
    "http://app.example/api",
    "//evil.example/api",
    "blob:https://app.example/api",
  ])("never goes to %s", async (path) => {
    await expect(clientWithToken().fetch(path)).rejects.toThrow(
      `input must be on ${SITE}/api,${SITE}/me, received `,
    );
    expect(requests).toEqual([]);
  });

  test("goes to no path without apiPaths", async () => {
    await expect(clientWithToken({ apiPaths: undefined }).fetch("/api")).rejects.toThrow(TypeError);
  });

  test("goes to the login's own paths, without cookies, and not after a redirect", async () => {
    respond = ({ method }) =>
      method === "GET" ? Response.json(sessionOf()) : new Response(null, { status: 204 });
    const client = clientWithToken();
    await client.refresh();
    await client.logOut();
    expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      `GET ${url}`,
      `POST ${SITE}/logout`,
    ]);
    for (const request of requests) {
      expect(authorizationOf(request)).toBe(`Bearer ${token}`);
      expect([request.credentials, request.redirect]).toEqual(["omit", "error"]);
    }
  });

  test("is kept until a logout has ended the session", async () => {
    const set = vi.fn();
    const client = clientWithToken({ store: { get: () => Promise.resolve(token), set } });
    respond = () => null;
    await expect(client.logOut()).rejects.toThrow("Could not log out: no response");
    expect(set).not.toHaveBeenCalled();
    respond = () => new Response(null, { status: 204 });
    await client.logOut();
    expect(set.mock.calls).toEqual([[null]]);
  });

  test("that can't be read leaves the session unknown to the client", async () => {
    const store = { get: () => Promise.reject(new Error("The keychain is locked")), set: () => {} };
    expect((await createClient({ store }).refresh()).status).toBe("unreachable");
  });

  test("of a session that has ended makes the client logged out", async () => {
    respond = ({ url }) =>
      url.endsWith("/session")
        ? Response.json(null)
        : Response.json({ error: "login_required" }, { status: 401 });
    const client = clientWithToken();
    expect((await client.fetch("/me")).status).toBe(401);
    expect(client.state.status).toBe("logged_out");
  });
});

test("The appPath must be a path", () => {
  expect(() => createClient({ appPath: "app" })).toThrow(
    "appPath must be a /path or URL",
  );
});

test("Requests that other tabs cause are a second apart", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const channels: { onmessage?: (event: { data: unknown }) => void }[] = [];
  vi.stubGlobal(
    "BroadcastChannel",
    class {
      onmessage?: (event: { data: unknown }) => void;
      constructor() {
        channels.push(this);
      }
      postMessage() {}
      close() {}
    },
  );
  let times: number[] = [];
  respond = () => {
    times.push(Date.now());
    return Response.json(sessionOf());
  };
  const client = clientWithToken();
  onTestFinished(client.subscribe(() => {}));
  await vi.advanceTimersByTimeAsync(0);
  times = [];
  for (let time = 0; time < 5000; time += 100) {
    channels[0]?.onmessage?.({ data: null });
    await vi.advanceTimersByTimeAsync(100);
  }
  const [first = 0] = times;
  expect(times.map((time) => time - first)).toEqual([0, 1000, 2000, 3000, 4000, 5000]);
});
