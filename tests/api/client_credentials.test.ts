import { describe, expect, test, vi } from "vitest";
import {
  ClientCredentials,
  MissingScopeError,
  PlatformApi,
  TimeoutError,
  User,
} from "../../mod.ts";
import { createFakePlatform, sampleApplication } from "../../src/testing/mod.ts";
import { leaksOf } from "../support/leaks.ts";
import { thrownBy } from "../support/responders.ts";
import { untilDone, useVirtualTime } from "../support/virtual_time.ts";

const { id, secret } = sampleApplication;
const day = 24 * 3600_000;

/** An application on a fake platform, whose clock is that of the test. */
function application() {
  const fake = createFakePlatform();
  const api = new PlatformApi(id, secret, ["identify"], null, fake);
  const source = new ClientCredentials(api, ["applications.commands.update", "identify"]);
  const user = new User(source, fake);
  const paths = () => fake.requests.map(({ method, path }) => `${method} ${path.slice(8)}`);
  return { fake, api, source, user, paths };
}

/** Lets virtual time pass. */
async function pass(milliseconds: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(milliseconds);
}

const issue = "POST /oauth2/token";
const list = `GET /applications/${id}/commands`;

describe("ClientCredentials", () => {
  test("give a User its token, which is requested once", async () => {
    const { user, paths, fake } = application();
    const commands = () =>
      user.request("GET", "/applications/{id}/commands", {
        path: { id },
        scope: "applications.commands.update",
      });
    expect(await commands()).toEqual([]);
    expect(await commands()).toEqual([]);
    expect(paths()).toEqual([issue, list, list]);
    expect(fake.requests[0]?.body).toMatchObject({
      grant_type: "client_credentials",
      scope: "applications.commands.update identify",
    });
    expect((await user.getCurrentUser()).username).toBe("ada");
    const error = await thrownBy(() => user.request("GET", "/a", { scope: "guilds" }));
    expect(error).toBeInstanceOf(MissingScopeError);
  });

  test("share one request among concurrent calls", async () => {
    useVirtualTime();
    const { source, paths } = application();
    const tokens = await untilDone(
      Promise.all(Array.from({ length: 20 }, () => source.token())),
    );
    expect(new Set(tokens).size).toBe(1);
    expect(paths()).toEqual([issue]);
  });

  test("are renewed in the last quarter of their lifetime", async () => {
    useVirtualTime();
    const { source, paths } = application();
    const first = await untilDone(source.token());
    await pass(5 * day);
    expect(await untilDone(source.token())).toBe(first);
    await pass(0.3 * day);
    expect(await untilDone(source.token())).not.toBe(first);
    expect(paths()).toHaveLength(2);
  });

  test("use the old token while it works, if no new one can be had, and try again after a minute", async () => {
    useVirtualTime();
    const { fake, source, paths } = application();
    const first = await untilDone(source.token());
    await pass(6 * day);
    fake.failNext({ path: "/oauth2/token", status: 503, times: 3 });
    for (const count of [2, 2]) {
      expect(await untilDone(source.token())).toBe(first);
      expect(paths()).toHaveLength(count);
    }
    await pass(61_000);
    expect(await untilDone(source.token())).toBe(first);
    expect(paths()).toHaveLength(3);
    await pass(day);
    const error = await untilDone(thrownBy(() => source.token()));
    expect(error).toMatchObject({ httpStatus: 503 });
    expect(await untilDone(source.token())).not.toBe(first);
  });

  test("give others the old token while one call requests the new one", async () => {
    useVirtualTime();
    const { source, fake, paths } = application();
    const first = await untilDone(source.token());
    await pass(6 * day);
    fake.failNext({ path: "/oauth2/token", delay: 5000 });
    const calls = [source.token(), source.token(), source.token()];
    expect(await untilDone(Promise.resolve(calls[1]))).toBe(first);
    expect(await untilDone(Promise.resolve(calls[0]))).not.toBe(first);
    expect(paths()).toHaveLength(2);
  });

  test("are renewed once after a 401, and not again for ten minutes", async () => {
    useVirtualTime();
    const { fake, user, source, paths } = application();
    const first = await untilDone(source.token());
    const refuse = () =>
      fake.failNext({ path: `/applications/${id}/commands`, status: 401, times: 2 });
    refuse();
    const call = () =>
      thrownBy(() => user.request("GET", "/applications/{id}/commands", { path: { id } }));
    expect(await untilDone(call())).toMatchObject({ httpStatus: 401 });
    expect(paths()).toEqual([issue, list, issue, list]);
    const second = await untilDone(source.token());
    expect(second).not.toBe(first);
    expect(await untilDone(source.renew(first))).toBe(second);
    expect(await untilDone(source.renew(second.access_token))).toBe(second);
    expect(paths()).toHaveLength(4);
    await pass(11 * 60_000);
    expect(await untilDone(source.renew(second))).not.toBe(second);
  });

  test("are renewed after a 401 if the clock was ahead at the last renewal", async () => {
    useVirtualTime();
    const { source } = application();
    const first = await untilDone(source.token());
    const now = Date.now();
    vi.setSystemTime(now + 86_400_000);
    const second = await untilDone(source.renew(first));
    expect(second).not.toBe(first);
    vi.setSystemTime(now);
    expect(await untilDone(source.renew(second))).not.toBe(second);
  });

  test("share a refusal with the calls that waited for it, and are requested anew later", async () => {
    useVirtualTime();
    const { fake, source, paths } = application();
    fake.failNext({ path: "/oauth2/token", status: 401, body: { error: "invalid_client" } });
    const errors = await untilDone(
      Promise.all(Array.from({ length: 5 }, () => thrownBy(() => source.token()))),
    );
    expect(new Set(errors).size).toBe(1);
    expect(errors[0]).toMatchObject({ error: "invalid_client" });
    expect(paths()).toEqual([issue]);
    expect(await untilDone(source.token())).toMatchObject({ token_type: "Bearer" });
  });

  test("end with the time limit or the signal of a call, and the request goes on for others", async () => {
    useVirtualTime();
    const { fake, source, paths } = application();
    fake.failNext({ path: "/oauth2/token", delay: 1000 });
    const controller = new AbortController();
    const late = thrownBy(() => source.token({ timeout: 100 }));
    const lateToo = thrownBy(() => source.token({ timeout: 200 }));
    const aborted = thrownBy(() => source.token({ signal: controller.signal }));
    const patient = source.token();
    controller.abort("enough");
    expect(await untilDone(aborted)).toBe("enough");
    expect(await untilDone(late)).toBeInstanceOf(TimeoutError);
    expect(await untilDone(lateToo)).toMatchObject({
      message: "No token arrived within 200 ms",
    });
    expect(await untilDone(patient)).toMatchObject({ token_type: "Bearer" });
    expect(paths()).toEqual([issue]);
  });

  test("do not use the old token for a call whose signal has fired", async () => {
    useVirtualTime();
    const { fake, source } = application();
    await untilDone(source.token());
    await pass(6 * day);
    fake.failNext({ path: "/oauth2/token", delay: 1000 });
    const controller = new AbortController();
    const aborted = thrownBy(() => source.token({ signal: controller.signal }));
    await pass(10);
    controller.abort("enough");
    expect(await untilDone(aborted)).toBe("enough");
  });

  test("are requested anew if a request never ends, as in a Worker that was stopped", async () => {
    useVirtualTime();
    const { api, source } = application();
    const stopped = vi.spyOn(api, "clientCredentials").mockReturnValue(new Promise(() => {}));
    source.token({ timeout: 1 }).catch(() => {});
    await pass(10);
    stopped.mockRestore();
    const begin = performance.now();
    expect(await untilDone(source.token({ timeout: 20_000 }))).toMatchObject({
      token_type: "Bearer",
    });
    expect(performance.now() - begin).toBeGreaterThan(9000);
  });

  test("keep a token without a known lifetime until it is rejected", async () => {
    useVirtualTime();
    const { fake, source } = application();
    fake.failNext({
      path: "/oauth2/token",
      status: 200,
      body: { access_token: "t0ken", token_type: "Bearer" },
    });
    const first = await untilDone(source.token());
    expect(first).toMatchObject({ access_token: "t0ken", expires_in: null });
    await pass(400 * day);
    expect(await untilDone(source.token())).toBe(first);
    expect(await untilDone(source.renew("t0ken"))).not.toBe(first);
  });

  test.each<[string, () => unknown, RegExp]>([
    [
      "no PlatformApi",
      () => new ClientCredentials({} as PlatformApi, ["identify"]),
      /^api must be a PlatformApi/,
    ],
    [
      "nothing",
      () => new ClientCredentials(undefined as never, ["identify"]),
      /^api must be a PlatformApi/,
    ],
    [
      "no scope",
      () => new ClientCredentials(application().api, []),
      /^scope must be a list like/,
    ],
    [
      "a misspelled scope",
      // @ts-expect-error: the compiler finds it too
      () => new ClientCredentials(application().api, ["identfy"]),
      /did you mean "identify"/,
    ],
    ["a wrong time limit", () => application().source.token({ timeout: 0 }), /^timeout must be/],
    [
      "a wrong option",
      () => application().source.token({ fresh: true } as never),
      /^options.fresh is unknown/,
    ],
    [
      "no rejected token",
      () => application().source.renew(undefined as never),
      /^rejected must be/,
    ],
    [
      "a public client",
      () =>
        new ClientCredentials(new PlatformApi(id, null, ["identify"], null), ["identify"]).token(),
      /^clientCredentials\(\) needs a clientSecret/,
    ],
    [
      "a bot",
      () => new User(application().source, { tokenType: "Bot" }),
      /^accessToken is a TokenSource or ClientCredentials/,
    ],
  ])("throw a TypeError about %s", async (_what, call, message) => {
    const error = await thrownBy(call);
    expect(error).toBeInstanceOf(TypeError);
    expect((error as Error).message).toMatch(message);
  });

  test("show nothing of what they hold", async () => {
    const { source } = application();
    const { access_token } = await source.token();
    expect(JSON.stringify(source)).toBe("{}");
    expect(leaksOf(source, [access_token, secret])).toEqual([]);
  });

  test("keep their scopes, whatever happens to the list", async () => {
    const scopes: string[] = ["identify"];
    const source = new ClientCredentials(application().api, scopes);
    scopes.push("guilds");
    expect(await source.token()).toMatchObject({ scopes: ["identify"] });
  });
});
