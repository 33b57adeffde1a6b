import { inspect } from "node:util";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  ApiError,
  type DeviceLogin,
  type GuildpassError,
  NetworkError,
  OAuthError,
  PayloadError,
  PlatformApi,
  RateLimitError,
  TimeoutError,
  type TokenObj,
  User,
} from "../../mod.ts";
import { createDeviceLogin } from "../../src/api/device_login.ts";
import { createFakePlatform, type FakePlatform, sampleApplication } from "../../src/testing/mod.ts";
import { fakeFetch, respondWith, thrownBy } from "../support/responders.ts";
import { leaksOf } from "../support/leaks.ts";

const { id, secret, redirectUris: [redirectUri = ""] } = sampleApplication;
const spa = { id: "1100000000000000002", secret: null, redirectUris: ["https://spa.example/cb"] };
const second = 1000;

const authorization = {
  device_code: "d3v1ce-c0de-d3v1ce-c0de",
  user_code: "WDJB-MJHT",
  verification_uri: "https://platform.test/activate",
  verification_uri_complete: "https://platform.test/activate?user_code=WDJB-MJHT",
  expires_in: 300,
  interval: 5,
};
const token = { access_token: "t0ken", token_type: "Bearer" } as Partial<TokenObj> as TokenObj;
const pending = new OAuthError("authorization_pending", { httpStatus: 400 });

/**
 * A login whose platform gives these responses in turn, the last one from then on, and when it was asked, in milliseconds after
 * the start. A response is a token, an error, or a promise of one of them.
 */
function startWith(responses: readonly unknown[], changes: Partial<typeof authorization> = {}) {
  const begun = performance.now();
  const asked: number[] = [];
  const login = createDeviceLogin({ ...authorization, ...changes }, async () => {
    const response =
      await responses[Math.min(asked.push(performance.now() - begun), responses.length) - 1];
    if (response instanceof Error) throw response;
    return response as TokenObj;
  });
  return { login, asked };
}

/** The result of a call, or its error, within some minutes of virtual time. */
async function soon<Value>(promise: Promise<Value>, milliseconds = 600 * second): Promise<Value> {
  const caught = promise.catch(() => {});
  await vi.advanceTimersByTimeAsync(milliseconds);
  await caught;
  return await promise;
}

function thrownSoon(call: () => Promise<unknown>): Promise<unknown> {
  return thrownBy(() => soon(call()));
}

beforeEach(() => {
  vi.useFakeTimers({
    now: 1_800_000_000_000,
    toFake: ["setTimeout", "clearTimeout", "Date", "performance"],
  });
});
afterEach(() => {
  vi.useRealTimers();
});

describe("A device login", () => {
  test("has the code and the page for the person, and hides the device's own code", () => {
    const { login } = startWith([token]);
    expect(login).toEqual({
      userCode: "WDJB-MJHT",
      verificationUri: "https://platform.test/activate",
      verificationUriComplete: "https://platform.test/activate?user_code=WDJB-MJHT",
      expiresAt: 1_800_000_000_000 + 300 * second,
      token: expect.any(Function),
    });
    expect(Object.isFrozen(login)).toBe(true);
    expect(leaksOf(login, [authorization.device_code])).toEqual([]);
    expect(inspect(login)).toContain("WDJB-MJHT");
  });

  test("asks at the interval of the platform, from the first request on", async () => {
    const { login, asked } = startWith([pending, pending, pending, token], { interval: 7 });
    expect(await soon(login.token())).toBe(token);
    expect(asked).toEqual([7, 14, 21, 28].map((at) => at * second));
  });

  test("begins its pause with the response, however long that takes", async () => {
    const slow = new Promise((resolve) => setTimeout(resolve, 9 * second, pending));
    const { login, asked } = startWith([slow, token]);
    await soon(login.token());
    expect(asked).toEqual([5 * second, 14 * second]);
  });

  test("asks at once when it is called late, and then at the interval", async () => {
    const { login, asked } = startWith([pending, token]);
    await vi.advanceTimersByTimeAsync(60 * second);
    expect(asked).toEqual([]);
    await soon(login.token());
    expect(asked).toEqual([60 * second, 65 * second]);
  });

  test("waits five seconds longer from each slow_down on (RFC 8628 section 3.5)", async () => {
    const slowDown = new OAuthError("slow_down", { httpStatus: 400 });
    const { login, asked } = startWith([pending, slowDown, pending, slowDown, pending, token]);
    await soon(login.token());
    expect(asked).toEqual([5, 10, 20, 30, 45, 60].map((at) => at * second));
  });

  test("asks at most once a second, even if the platform allows more", async () => {
    const { login, asked } = startWith([pending, pending, token], { interval: 0 });
    await soon(login.token());
    expect(asked).toEqual([1, 2, 3].map((at) => at * second));
  });

  test.each<[string, Error]>([
    ["is not reached", new NetworkError("no")],
    ["does not respond in time", new TimeoutError("no")],
    ["is in trouble", new ApiError("no", { httpStatus: 503 })],
    ["says so in the words of OAuth", new OAuthError("server_error", { httpStatus: 500 })],
    ["did not get the request in time", new ApiError("no", { httpStatus: 408 })],
    ["is behind an edge that blocks", new ApiError("no", { httpStatus: 403, blockedByEdge: true })],
    [
      "asks to wait, and not how long",
      new RateLimitError("no", { httpStatus: 429, retryAfter: null }),
    ],
  ])(
    "asks less and less often while the platform %s, and as before afterwards",
    async (_, error) => {
      const { login, asked } = startWith([error, error, error, pending, pending, token]);
      await soon(login.token());
      expect(asked).toEqual([5, 15, 35, 75, 80, 85].map((at) => at * second));
    },
  );

  test("begins with a short pause again when the platform fails a second time", async () => {
    const lost = new NetworkError("no");
    const { login, asked } = startWith([lost, lost, pending, lost, token]);
    await soon(login.token());
    expect(asked).toEqual([5, 15, 35, 40, 50].map((at) => at * second));
  });

  test("waits as long as a rate limit asks it to", async () => {
    const limited = new RateLimitError("no", { httpStatus: 429, retryAfter: 64.5 });
    const { login, asked } = startWith([limited, token]);
    await soon(login.token());
    expect(asked).toEqual([5 * second, 69.5 * second]);
  });

  test.each<[string, Error]>([
    ["refuses", new OAuthError("access_denied", { httpStatus: 400 })],
    ["has found the code expired", new OAuthError("expired_token", { httpStatus: 400 })],
    ["does not know the code any more", new OAuthError("invalid_grant", { httpStatus: 400 })],
    ["says what no specification knows", new OAuthError("s0mething_else")],
    ["does not know the client", new OAuthError("invalid_client", { httpStatus: 401 })],
    ["responds with something unreadable", new PayloadError("no", { issues: [] })],
    ["forbids it", new ApiError("no", { httpStatus: 403 })],
    ["is not there", new ApiError("no", { httpStatus: 404 })],
  ])("ends with the error when the platform %s, and sends no more requests", async (_, error) => {
    const { login, asked } = startWith([pending, error]);
    expect(await thrownSoon(() => login.token())).toBe(error);
    expect(await thrownSoon(() => login.token())).toBe(error);
    expect(asked).toHaveLength(2);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("ends when its time is over", async () => {
    const { login, asked } = startWith([pending], { expires_in: 23 });
    const outcome = thrownBy(() => login.token());
    await vi.advanceTimersByTimeAsync(22_999);
    expect(asked).toEqual([5, 10, 15, 20].map((at) => at * second));
    expect(vi.getTimerCount()).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(await outcome).toMatchObject({
      name: "OAuthError",
      error: "expired_token",
      httpStatus: null,
      hint: "The device was not authorized in time; start a new login",
    });
    expect(vi.getTimerCount()).toBe(0);
    expect(await thrownBy(() => login.token())).toBe(await outcome);
  });

  test("names the failed requests when its time ended with them", async () => {
    const { login } = startWith([pending, new NetworkError("no")], { expires_in: 60 });
    expect(await thrownSoon(() => login.token())).toMatchObject({
      error: "expired_token",
      hint: "The device was not authorized in time; start a new login. The last requests failed: 3",
    });
  });

  test("returns a token that comes after its time is over", async () => {
    const late = new Promise((resolve) => setTimeout(resolve, 8 * second, token));
    const { login } = startWith([late], { expires_in: 9 });
    expect(await soon(login.token())).toBe(token);
  });

  test("may last longer than a timer can", async () => {
    const days = 86_400;
    const { login, asked } = startWith([token], { interval: 30 * days, expires_in: 40 * days });
    expect(await soon(login.token(), 35 * days * second)).toBe(token);
    expect(asked).toEqual([30 * days * second]);
  });

  test("is not changed by a clock that jumps", async () => {
    const { login, asked } = startWith([pending, pending, pending, token]);
    const outcome = login.token();
    await vi.advanceTimersByTimeAsync(6 * second);
    vi.setSystemTime(Date.now() + 3600 * second);
    await vi.advanceTimersByTimeAsync(6 * second);
    vi.setSystemTime(Date.now() - 7200 * second);
    expect(await soon(outcome)).toBe(token);
    expect(asked).toEqual([5, 10, 15, 20].map((at) => at * second));
  });
});

describe("A device login with several callers", () => {
  test("sends the requests of one, and gives all the same token", async () => {
    const { login, asked } = startWith([pending, token]);
    const first = login.token();
    await vi.advanceTimersByTimeAsync(3 * second);
    const others = [login.token(), login.token()];
    expect(await soon(Promise.all([first, ...others]))).toEqual([token, token, token]);
    expect(await login.token()).toBe(token);
    expect(asked).toEqual([5 * second, 10 * second]);
  });

  test("ends only the wait of the caller whose signal fires", async () => {
    const { login, asked } = startWith([pending, token]);
    const controller = new AbortController();
    const reason = new Error("The person left");
    const gone = thrownBy(() => login.token({ signal: controller.signal }));
    const other = login.token();
    await vi.advanceTimersByTimeAsync(6 * second);
    controller.abort(reason);
    expect(await gone).toBe(reason);
    expect(await soon(other)).toBe(token);
    expect(asked).toEqual([5 * second, 10 * second]);
  });

  test("leaves no timer behind and sends no more requests after all signals fired", async () => {
    const { login, asked } = startWith([pending, token]);
    const signal = AbortSignal.abort("gone");
    expect(await thrownBy(() => login.token({ signal }))).toBe("gone");
    const controller = new AbortController();
    const all = [1, 2].map(() => thrownBy(() => login.token({ signal: controller.signal })));
    await vi.advanceTimersByTimeAsync(6 * second);
    controller.abort("gone");
    expect(await Promise.all(all)).toEqual(["gone", "gone"]);
    expect(vi.getTimerCount()).toBe(0);
    await vi.advanceTimersByTimeAsync(60 * second);
    expect(asked).toEqual([5 * second]);
    expect(await soon(login.token())).toBe(token);
    expect(asked).toEqual([5 * second, 66 * second]);
  });

  test("keeps a token that comes after all signals fired", async () => {
    const late = new Promise((resolve) => setTimeout(resolve, 8 * second, token));
    const { login, asked } = startWith([late]);
    const controller = new AbortController();
    const gone = thrownBy(() => login.token({ signal: controller.signal }));
    await vi.advanceTimersByTimeAsync(6 * second);
    controller.abort("gone");
    expect(await gone).toBe("gone");
    await vi.advanceTimersByTimeAsync(6 * second);
    expect(await login.token()).toBe(token);
    expect(asked).toEqual([5 * second]);
  });

  test("leaves no listener on a signal that does not fire", async () => {
    const { login } = startWith([pending, token]);
    const { signal } = new AbortController();
    let listeners = 0;
    const { addEventListener, removeEventListener } = signal;
    signal.addEventListener = (...args: Parameters<typeof addEventListener>) => {
      listeners++;
      addEventListener.apply(signal, args);
    };
    signal.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
      listeners--;
      removeEventListener.apply(signal, args);
    };
    await soon(login.token({ signal }));
    expect(listeners).toBe(0);
  });

  test("refuses options that are not an object", async () => {
    const { login, asked } = startWith([token]);
    expect(String(await thrownBy(() => login.token("text" as never))))
      .toBe("TypeError: options must be an object like { signal }, received a string of length 4");
    expect(asked).toEqual([]);
  });
});

/** A fake platform, and what it takes to log in with its device grant as a client. */
function platformFor(client: { id: string; secret: string | null }) {
  const fake = createFakePlatform({ applications: [sampleApplication, spa] });
  const api = new PlatformApi(
    client.id,
    client.secret,
    ["identify", "guilds"],
    redirectUri,
    fake,
  );
  return { fake, api };
}

/** Lets time pass, and gives requests in memory the turns that they take besides. */
async function passing(milliseconds: number): Promise<void> {
  for (let passed = 0; passed < milliseconds; passed += 500) {
    await vi.advanceTimersByTimeAsync(500);
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
  }
}

function pollsOf(fake: FakePlatform) {
  return fake.requests.filter(({ path }) => path.endsWith("/oauth2/token"));
}

describe.each([
  ["a confidential client", sampleApplication],
  ["a public client", spa],
])("PlatformApi.startDeviceLogin() of %s", (_, client) => {
  test("logs a person in who types the code in", async () => {
    const { fake, api } = platformFor(client);
    const login = await api.startDeviceLogin();
    expect(login).toMatchObject({
      userCode: expect.stringMatching(/^[A-Z2-9]{8}$/),
      verificationUri: "https://platform.test/activate",
      verificationUriComplete: `https://platform.test/activate?user_code=${login.userCode}`,
      expiresAt: Date.now() + 300 * second,
    });
    const outcome = login.token();
    await passing(12 * second);
    await fake.authorizeDevice(login.userCode.toLowerCase(), { as: "ada" });
    await passing(6 * second);
    const token = await outcome;
    expect(token).toMatchObject({ token_type: "Bearer", scopes: ["identify", "guilds"] });
    expect(pollsOf(fake).map(({ status }) => status)).toEqual([400, 400, 200]);
    vi.useRealTimers();
    expect(await new User(token, fake).getCurrentUser()).toMatchObject({ username: "ada" });
  });

  test("sends exactly what RFC 8628 asks for", async () => {
    const { fake, api } = platformFor(client);
    const login = await api.startDeviceLogin();
    await fake.authorizeDevice(login.userCode);
    const outcome = login.token();
    await passing(6 * second);
    await outcome;
    const [start, poll] = fake.requests;
    const credentials = client.secret === null ? { client_id: client.id } : {};
    expect(start).toMatchObject({ method: "POST", path: "/api/v10/oauth2/device/authorize" });
    expect(start?.body).toEqual({ scope: "identify guilds", ...credentials });
    expect(poll).toMatchObject({ method: "POST", path: "/api/v10/oauth2/token" });
    expect(poll?.body).toEqual({
      grant_type: "urn:ietf:params:oauth:grant-type:device_code",
      device_code: expect.stringMatching(/^\S{20,}$/),
      ...credentials,
    });
    for (const { headers } of [start, poll].filter((request) => request !== undefined)) {
      expect(headers["authorization"])
        .toBe(
          client.secret === null ? undefined : `Basic ${btoa(`${client.id}:${client.secret}`)}`,
        );
    }
  });
});

describe("PlatformApi.startDeviceLogin()", () => {
  async function outcomeOf(
    happen: (fake: FakePlatform, login: DeviceLogin) => unknown,
  ): Promise<{ error: GuildpassError; fake: FakePlatform; login: DeviceLogin }> {
    const { fake, api } = platformFor(sampleApplication);
    const login = await api.startDeviceLogin();
    const outcome = thrownBy(() => login.token());
    await happen(fake, login);
    await passing(310 * second);
    return { error: await outcome as GuildpassError, fake, login };
  }

  test("ends when the person refuses", async () => {
    const { error } = await outcomeOf((fake, { userCode }) => fake.denyDevice(userCode));
    expect(error).toMatchObject({
      error: "access_denied",
      hint: expect.stringMatching(/^The user refused/),
    });
  });

  test("ends when the person does not type the code in", async () => {
    const { error, fake } = await outcomeOf(() => {});
    expect(error).toMatchObject({ error: "expired_token" });
    expect(pollsOf(fake)).toHaveLength(59);
  });

  test("ends when the platform says that the time is over, before its own time is", async () => {
    const { error } = await outcomeOf((fake) => fake.advance(300 * second));
    expect(error).toMatchObject({
      error: "expired_token",
      httpStatus: 400,
      hint: "The device was not authorized in time; start a new login",
    });
  });

  test("says that the response with the token may have been lost", async () => {
    const { error, fake, login } = await outcomeOf(async (fake, { userCode }) => {
      await fake.authorizeDevice(userCode);
      fake.failNext({ path: "/oauth2/token", cut: "body" });
    });
    expect(error).toMatchObject({
      error: "invalid_grant",
      hint: expect.stringMatching(
        /in an earlier response that got lost; start a new login$/,
      ),
    });
    const [poll] = pollsOf(fake);
    const { device_code } = poll?.body as { device_code: string };
    expect(leaksOf(error, [device_code, login.userCode, secret])).toEqual([]);
  });

  test("goes on when the platform was not reached", async () => {
    const { fake, api } = platformFor(sampleApplication);
    const login = await api.startDeviceLogin();
    const outcome = login.token();
    fake.failNext({ path: "/oauth2/token", cut: "before" });
    fake.failNext({ path: "/oauth2/token", status: 503 });
    await fake.authorizeDevice(login.userCode);
    await passing(40 * second);
    expect(await outcome).toMatchObject({ token_type: "Bearer" });
    expect(pollsOf(fake).map(({ status }) => status)).toEqual([null, 503, 200]);
  });

  test("shows neither code when the platform repeats them", async () => {
    const { error, fake, login } = await outcomeOf((fake, { userCode }) =>
      fake.failNext({
        path: "/oauth2/token",
        status: 400,
        body: { error: "invalid_grant", error_description: `No device with ${userCode}` },
      })
    );
    expect(error).toMatchObject({ error: "invalid_grant", description: "[redacted]" });
    const { device_code } = pollsOf(fake)[0]?.body as { device_code: string };
    expect(leaksOf(error, [device_code, login.userCode])).toEqual([]);
  });

  test.each(["bot", "role_connections.write"])(
    "refuses %s in the platform's words",
    async (scope) => {
      const api = new PlatformApi(id, secret, [scope], redirectUri, createFakePlatform());
      expect(await thrownBy(() => api.startDeviceLogin())).toMatchObject({
        error: "invalid_scope",
      });
    },
  );

  const started = {
    device_code: "d3v1ce",
    user_code: "WDJB-MJHT",
    verification_uri: "https://platform.test/activate",
  };
  const apiWith = (body: unknown, issues: unknown[] = []) =>
    new PlatformApi(id, secret, ["identify"], redirectUri, {
      ...fakeFetch(respondWith(body)),
      onUnexpected: (found, request) => issues.push(...found, request),
    });

  test("fills in the fields that the platform may leave out", async () => {
    expect(await apiWith(started).startDeviceLogin()).toMatchObject({
      verificationUriComplete: null,
      expiresAt: Date.now() + 300 * second,
    });
  });

  test("reports optional fields that it can't read", async () => {
    const issues: unknown[] = [];
    const odd = {
      verification_uri_complete: "javascript:alert(1)",
      expires_in: "60",
      interval: -1,
    };
    expect(await apiWith({ ...started, ...odd }, issues).startDeviceLogin()).toMatchObject({
      verificationUriComplete: null,
      expiresAt: Date.now() + 60 * second,
    });
    expect(issues).toEqual([
      { path: "expires_in", message: "expected a number of seconds, received string" },
      { path: "interval", message: "expected a number of seconds, received number" },
      { path: "verification_uri_complete", message: "expected a web address, received string" },
      { method: "POST", path: "/oauth2/device/authorize" },
    ]);
  });

  test.each([
    ["device_code", ""],
    ["device_code", undefined],
    ["user_code", "two\nlines"],
    ["verification_uri", "javascript:alert(1)"],
    ["verification_uri", "--option"],
    ["verification_uri", "https://platform.test/ --option"],
  ])("refuses a response whose %s is %j", async (name, value) => {
    const error = await thrownBy(() => apiWith({ ...started, [name]: value }).startDeviceLogin());
    expect(error).toMatchObject({ name: "PayloadError", issues: [{ path: name }] });
    expect(leaksOf(error, ["d3v1ce", "WDJB-MJHT"])).toEqual([]);
  });
});
