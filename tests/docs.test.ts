import { existsSync, readdirSync, readFileSync } from "node:fs";
import { Window } from "happy-dom";
import { afterAll, describe, expect, onTestFinished, test, vi } from "vitest";
import deno from "../deno.json" with { type: "json" };
import { PlatformApi, type TokenObj } from "../mod.ts";
import { sampleApplication, sampleGuilds } from "../src/testing/mod.ts";
import {
  assertionCount,
  type DocBlock,
  docBlocks,
  removeBlocks,
  runBlock,
} from "./support/doc_blocks.ts";
import { leaksOf } from "./support/leaks.ts";

const onFakePlatform = new URL("support/sdk_on_fake_platform.ts", import.meta.url).pathname;

afterAll(removeBlocks);

describe("The examples in the documentation", () => {
  const sources = readdirSync(new URL("../src", import.meta.url), { recursive: true })
    .map(String).filter((path) => path.endsWith(".ts")).sort();
  const blocks = ["mod.ts", ...sources.map((path) => `src/${path}`)].flatMap(docBlocks);

  test.each(blocks)("$name runs and gives what it shows", async (block) => {
    await runBlock(block);
  });

  test("show values that are checked", () => {
    expect(blocks.reduce((sum, block) => sum + assertionCount(block), 0)).toBeGreaterThan(10);
  });
});

describe("The README", () => {
  const blocks = docBlocks("README.md");
  const blockWith = (text: string): DocBlock => {
    const found = blocks.filter(({ code }) => code.includes(text));
    expect(found).toHaveLength(1);
    return found[0] as DocBlock;
  };
  /** Runs a block of a real application against a fake platform that stands where the real one does. */
  const onFake = <Exports>(block: DocBlock) =>
    runBlock<Exports>(
      {
        ...block,
        code: block.code.replace(
          /from "(@guildpass\/sdk(?:\/openid)?|https:[^"]*)"/g,
          `from "${onFakePlatform}"`,
        ),
      },
      `import { clientId, clientSecret, fetch, redirectUri } from "${onFakePlatform}";`,
    );

  test("has no block that is not run here", () => {
    expect(blocks).toHaveLength(14);
  });

  test.each([
    ["with this library", "new AuthUrl(clientId"],
    ["with plain fetch", "base64Url(new Uint8Array(digest))"],
  ])("logs in %s", async (_how, text) => {
    const { fake } = await import("./support/sdk_on_fake_platform.ts");
    const { startLogin, finishLogin } = await onFake<LoginBlock>(blockWith(text));
    const { login, url } = await startLogin();
    const callback = await fake.authorize(url, { as: "ada" });
    const { me, guilds } = await finishLogin(new Request(callback), login);
    expect(me.global_name).toBe("Ada Lovelace");
    expect(guilds).toHaveLength(4);
  });

  test("refreshes a token, and says when the person must log in again", async () => {
    const { fake, clientId, clientSecret, redirectUri } = await import(
      "./support/sdk_on_fake_platform.ts"
    );
    const { refresh } = await onFake<TokensBlock>(blockWith("startDeviceLogin"));
    const api = new PlatformApi(clientId, clientSecret, ["identify"], redirectUri, fake);
    const token: TokenObj = JSON.parse(JSON.stringify(fake.issueToken()));
    expect(await refresh(api, token)).toMatchObject({ token_type: "Bearer" });
    expect(await refresh(api, token)).toBeNull();
    fake.failNext({ path: "/oauth2/token", status: 503 });
    await expect(refresh(api, token)).rejects.toMatchObject({ httpStatus: 503 });
  });

  test("logs in on a terminal", async () => {
    const { fake, clientId, clientSecret, redirectUri } = await import(
      "./support/sdk_on_fake_platform.ts"
    );
    const { logInOnTerminal } = await onFake<TokensBlock>(blockWith("startDeviceLogin"));
    const api = new PlatformApi(clientId, clientSecret, ["identify"], redirectUri, fake);
    const log = vi.spyOn(console, "log").mockImplementation((text: string) => {
      void fake.authorizeDevice(/\S+$/.exec(text)?.[0] ?? "");
    });
    onTestFinished(() => log.mockRestore());
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    onTestFinished(() => void vi.useRealTimers());
    let token: TokenObj | undefined;
    const login = logInOnTerminal(api).then((found) => token = found);
    while (!token) {
      await vi.advanceTimersByTimeAsync(10);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await login).toMatchObject({ scopes: ["identify"] });
    expect(log).toHaveBeenCalledOnce();
  });

  describe("in a Worker", () => {
    const env = {
      DISCORD_CLIENT_ID: sampleApplication.id,
      DISCORD_CLIENT_SECRET: sampleApplication.secret,
    };

    /** The Worker of the README, a login that has been started with it, and what it has logged. */
    async function startLogin() {
      const { fake } = await import("./support/sdk_on_fake_platform.ts");
      const { default: worker } = await onFake<WorkerBlock>(blockWith("export default"));
      const log = vi.spyOn(console, "error").mockImplementation(() => {});
      onTestFinished(() => log.mockRestore());
      const open = (url: string, cookie = "", bindings: object = env) =>
        worker.fetch(new Request(url, { headers: { cookie } }), bindings);
      const answer = await open("https://app.example/login");
      const setCookie = answer.headers.get("set-cookie") ?? "";
      const [cookie = ""] = setCookie.split(";");
      const link = answer.headers.get("location") ?? "";
      return { fake, open, setCookie, cookie, link, log };
    }

    test("logs in, and clears the cookie", async () => {
      const { fake, open, setCookie, cookie, link } = await startLogin();
      expect(setCookie).toMatch(
        /^__Host-login=[\w-]{43}\.[\w-]{43}; Max-Age=600; Path=\/; Secure; HttpOnly; SameSite=Lax$/,
      );
      const answer = await open(await fake.authorize(link, { as: "ada" }), `a=b; ${cookie}`);
      expect(await answer.text()).toBe("Hello, Ada Lovelace!");
      expect(answer.headers.get("set-cookie")).toMatch(
        /^__Host-login=; Max-Age=0; Path=\/; Secure/,
      );
      expect((await open("https://app.example/")).status).toBe(404);
    });

    test("says that consent was refused, and clears the cookie", async () => {
      const { fake, open, cookie, link } = await startLogin();
      const answer = await open(await fake.deny(link), cookie);
      expect(answer.status).toBe(403);
      expect(answer.headers.get("set-cookie")).toContain("Max-Age=0");
    });

    test("takes no cookie that a sibling subdomain can plant", async () => {
      const { fake, open, cookie, link } = await startLogin();
      const callback = await fake.authorize(link, { as: "grace" });
      const planted = cookie.replace("__Host-login", "login");
      for (const cookies of [planted, `x__Host-${planted}`, `a=${cookie}`, ""]) {
        const answer = await open(callback, cookies);
        expect(answer.status, cookies).toBe(400);
      }
    });

    test("shows nothing of an attacker's link, and leaves the person's own login open", async () => {
      const { fake, open, cookie, link } = await startLogin();
      const words = "error_description=Call+0900+to+log+in";
      for (
        const query of [
          `error=access_denied&${words}`,
          `error=access_denied&state=&${words}`,
          `error=access_denied&state=other&${words}`,
          `error=%3Cscript%3E&${words}`,
          "code=stolen",
          "code=stolen&state=other",
          "",
        ]
      ) {
        const answer = await open(`https://app.example/callback?${query}`, cookie);
        expect(answer.status, query).toBe(400);
        expect(await answer.text(), query).toBe("Try again");
        expect(answer.headers.has("set-cookie"), query).toBe(false);
      }
      const answer = await open(await fake.authorize(link, { as: "ada" }), cookie);
      expect(await answer.text()).toBe("Hello, Ada Lovelace!");
    });

    test("catches everything, and logs no secret", async () => {
      const { fake, open, cookie, link, log } = await startLogin();
      const callback = await fake.authorize(link, { as: "ada" });
      expect((await open(callback, cookie)).status).toBe(200);
      // Its code has been used.
      expect((await open(callback, cookie)).status).toBe(500);
      expect((await open(callback, cookie, {})).status).toBe(500);
      expect((await open("https://app.example/login", "", {})).status).toBe(500);
      expect(log).toHaveBeenCalledTimes(3);
      const secrets = [env.DISCORD_CLIENT_SECRET, ...cookie.replace(/^[^=]*=/, "").split(".")];
      for (const [error] of log.mock.calls) expect(leaksOf(error, secrets)).toEqual([]);
    });
  });

  test("finds the guilds to manage in a Deno script", async () => {
    const { fake } = await import("./support/sdk_on_fake_platform.ts");
    const { whereCanIManage } = await onFake<{
      whereCanIManage(accessToken: string): Promise<string[]>;
    }>(blockWith("githubusercontent"));
    const token = fake.issueToken({ as: "ada", scopes: ["guilds"] });
    expect(await whereCanIManage(token.access_token)).toContain("Night Sky");
  });

  test("says who has logged in by the id_token", async () => {
    const { fake, AuthUrl, PlatformApi, parseCallback, ...sdk } = await import(
      "./support/sdk_on_fake_platform.ts"
    );
    const { clientId, clientSecret, redirectUri } = sdk;
    const login = { state: "s7ate", nonce: "n0nce" };
    const link = await new AuthUrl(clientId, ["openid"], redirectUri).makeUrl(login);
    const { code } = parseCallback(await fake.authorize(link, { as: "grace" }), login);
    const token = await new PlatformApi(clientId, clientSecret, ["openid"], redirectUri)
      .accessToken(code);
    const { userIdOf } = await onFake<{
      userIdOf(token: unknown, nonce: string): Promise<string>;
    }>(blockWith("userIdOf"));
    expect(await userIdOf(token, "n0nce")).toBe("1000000000000000002");
    await expect(userIdOf(token, "other")).rejects.toMatchObject({ claim: "nonce" });
  });

  test("deletes the token of whoever takes access away", async () => {
    const { fake, MemoryStore } = await import("./support/sdk_on_fake_platform.ts");
    const store = new MemoryStore();
    Object.assign(serverOfTheTest, { store, publicKey: await fake.webhookPublicKey() });
    const prelude =
      `import { serverOfTheTest } from "${import.meta.url}";\nconst { store, publicKey } = serverOfTheTest;`;
    const { receiveEvent } = await runBlock<{
      receiveEvent(request: Request): Promise<Response>;
    }>(blockWith("receiveEvent"), prelude);
    await store.save("1000000000000000001", "t0ken", { version: null });
    const event = { as: "ada", checkFirst: true };
    const answer = await fake.sendWebhookEvent(receiveEvent, "APPLICATION_DEAUTHORIZED", event);
    expect(answer.status).toBe(204);
    expect(await store.load("1000000000000000001")).toBe(null);
  });

  test("keeps people logged in", async () => {
    const { fake, AuthUrl, PlatformApi, parseCallback, ...sdk } = await import(
      "./support/sdk_on_fake_platform.ts"
    );
    const { clientId, clientSecret, redirectUri } = sdk;
    const link = await new AuthUrl(clientId, ["guilds"], redirectUri).makeUrl({ state: "s7ate" });
    const { code } = parseCallback(await fake.authorize(link), { state: "s7ate" });
    const api = new PlatformApi(clientId, clientSecret, ["guilds"], redirectUri);
    const { afterLogin, guildsOf } = await onFake<{
      afterLogin(api: unknown, userId: string, token: unknown): Promise<void>;
      guildsOf(api: unknown, userId: string): Promise<unknown[]>;
    }>(blockWith("guildsOf"));
    await afterLogin(api, "1000000000000000001", await api.accessToken(code));
    fake.advance(8 * 24 * 60 * 60 * 1000);
    expect(await guildsOf(api, "1000000000000000001")).toHaveLength(4);
    await expect(guildsOf(api, "1000000000000000002")).rejects
      .toMatchObject({ name: "LoginRequiredError" });
  });

  test("puts an invite link into a page", async () => {
    const { document } = new Window();
    document.body.innerHTML = `<a id="invite">Invite</a>`;
    Object.assign(pageOfTheTest, { document });
    const prelude =
      `import { pageOfTheTest } from "${import.meta.url}";\nconst { document } = pageOfTheTest;`;
    await runBlock(blockWith("#invite"), prelude);
    expect(document.querySelector("#invite")?.getAttribute("href")).toContain(
      "scope=bot%20applications.commands",
    );
  });

  test("reads all that a token opens, and adds somebody to a guild", async () => {
    const { fake, User, clientId } = await import("./support/sdk_on_fake_platform.ts");
    const { readAll, join } = await onFake<{
      readAll(user: unknown, guildId: string, applicationId: string): Promise<unknown>;
      join(bot: unknown, guildId: string, userId: string, token: string): Promise<unknown>;
    }>(blockWith("addGuildMember"));
    const scopes = ["guilds", "guilds.members.read", "connections", "role_connections.write"];
    const user = new User(fake.issueToken({ as: "ada", scopes }).access_token);
    expect(await readAll(user, sampleGuilds[0].id, clientId)).toEqual({
      names: sampleGuilds.slice(0, 4).map(({ name }) => name),
      roles: [],
      services: ["github"],
      application: sampleApplication.name,
      metadata: { cards_punched: "1843", verified: "1", since: "2024-05-01T00:00:00.000Z" },
    });
    const bot = new User(sampleApplication.botToken, { tokenType: "Bot" });
    const { access_token } = fake.issueToken({ as: "grace", scopes: ["guilds.join"] });
    const tryToJoin = () => join(bot, sampleGuilds[0].id, "1000000000000000002", access_token);
    // The sample application's bot may not invite, before somebody lets it.
    await expect(tryToJoin()).rejects.toMatchObject({ platformCode: 50013 });
    const link = `${fake.platform.authorizeUrl}?client_id=${clientId}&scope=bot&permissions=1`;
    await fake.authorize(link, { as: "ada", guildId: sampleGuilds[0].id });
    expect(await tryToJoin()).toBe("a member already");
  });

  test("handles a rate limit", async () => {
    const { fake, User } = await import("./support/sdk_on_fake_platform.ts");
    const { nameOf } = await onFake<{
      nameOf(user: unknown): Promise<string>;
    }>(blockWith("nameOf"));
    const user = new User(fake.issueToken({ as: "ada", scopes: ["identify"] }).access_token);
    expect(await nameOf(user)).toBe("ada");
    fake.failNext({ path: "/api/v10/users/@me", status: 429, headers: { "retry-after": "60" } });
    expect(await nameOf(user)).toBe("try again in 60 s");
  });

  test("asks for much at once", async () => {
    const block = blockWith("// the same request");
    expect(assertionCount(block)).toBe(1);
    await runBlock(block);
  });

  test.each([
    ["permissions", "missing(Permissions"],
    ["the fake platform", "fake.advance"],
  ])("shows what %s give", async (_what, text) => {
    const block = blockWith(text);
    expect(assertionCount(block)).toBeGreaterThanOrEqual(5);
    await runBlock(block);
  });
});

describe("README.md and CONTRIBUTING.md", () => {
  const texts = ["README.md", "CONTRIBUTING.md"].map(textOf).join("\n");

  test("name only files and folders that there are", () => {
    const named = [...texts.matchAll(/`((?:src|tests|scripts|examples|docs)\/[\w./]*)`/g)];
    expect(named.length).toBeGreaterThan(30);
    expect(named.map(([, path = ""]) => path).filter((path) => !existsSync(fileIn(path))))
      .toEqual([]);
  });

  test("name only tasks that there are", () => {
    const named = [...texts.matchAll(/\btask ([a-z][\w:]*)/g)];
    expect(named.length).toBeGreaterThan(10);
    expect(named.map(([, task = ""]) => task).filter((task) => !(task in deno.tasks))).toEqual([]);
  });
});

describe("CONTRIBUTING.md", () => {
  test("says where every module of the library is, or its folder", () => {
    const named = [...textOf("CONTRIBUTING.md").matchAll(/^\| (`src\/.*?) +\|/gm)]
      .flatMap(([, places = ""]) =>
        [...places.matchAll(/`([^`]+)`/g)].map(([, path = ""]) => path)
      );
    const modules = readdirSync(fileIn("src"), { recursive: true })
      .map((path) => `src/${path}`)
      .filter((path) => path.endsWith(".ts") && !path.endsWith("/mod.ts"));
    const isNamed = (module: string) =>
      named.some((path) => path.endsWith("/") ? module.startsWith(path) : module === path);
    expect(modules.filter((module) => !isNamed(module))).toEqual([]);
  });
});

function fileIn(path: string): URL {
  return new URL(`../${path}`, import.meta.url);
}

function textOf(path: string): string {
  return readFileSync(fileIn(path), "utf8");
}

/** Where a block that stands in a page finds its document. */
export const pageOfTheTest: { document?: unknown } = {};

/** Where a block of a server finds its store and its key. */
export const serverOfTheTest: { store?: unknown; publicKey?: string } = {};

interface TokensBlock {
  refresh(api: PlatformApi, token: TokenObj): Promise<TokenObj | null>;
  logInOnTerminal(api: PlatformApi): Promise<TokenObj>;
}

interface LoginBlock {
  startLogin(): Promise<{ login: unknown; url: string }>;
  finishLogin(
    request: Request,
    login: unknown,
  ): Promise<{ me: { global_name: string }; guilds: unknown[] }>;
}

interface WorkerBlock {
  default: { fetch(request: Request, env: unknown): Promise<Response> };
}
