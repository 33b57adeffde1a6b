import { readdirSync } from "node:fs";
import { Window } from "happy-dom";
import { afterAll, describe, expect, test } from "vitest";
import { sampleApplication } from "../src/testing/mod.ts";
import {
  assertionCount,
  type DocBlock,
  docBlocks,
  removeBlocks,
  runBlock,
} from "./support/doc_blocks.ts";

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
          /from "(@guildpass\/sdk|https:[^"]*)"/g,
          `from "${onFakePlatform}"`,
        ),
      },
      `import { clientId, clientSecret, fetch, redirectUri } from "${onFakePlatform}";`,
    );

  test("has no block that is not run here", () => {
    expect(blocks).toHaveLength(8);
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

  test("logs in in a Worker", async () => {
    const { fake } = await import("./support/sdk_on_fake_platform.ts");
    const { default: worker } = await onFake<WorkerBlock>(blockWith("export default"));
    const env = {
      DISCORD_CLIENT_ID: sampleApplication.id,
      DISCORD_CLIENT_SECRET: sampleApplication.secret,
    };
    const open = (url: string, cookie = "") =>
      worker.fetch(new Request(url, { headers: { cookie } }), env);

    const login = await open("https://app.example/login");
    const cookie = login.headers.get("set-cookie")?.split(";")[0];
    const url = login.headers.get("location") ?? "";

    const callback = await fake.authorize(url, { as: "ada" });
    expect(await (await open(callback, cookie)).text()).toBe("Hello, Ada Lovelace!");
    expect((await open(callback)).status).toBe(400);
    expect((await open(await fake.deny(url), cookie)).status).toBe(403);
    expect((await open("https://app.example/")).status).toBe(404);
  });

  test("finds the guilds to manage in a Deno script", async () => {
    const { fake } = await import("./support/sdk_on_fake_platform.ts");
    const { whereCanIManage } = await onFake<{
      whereCanIManage(accessToken: string): Promise<string[]>;
    }>(blockWith("githubusercontent"));
    const token = fake.issueToken({ as: "ada", scopes: ["guilds"] });
    expect(await whereCanIManage(token.access_token)).toContain("Night Sky");
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

  test.each([
    ["permissions", "missing(Permissions"],
    ["the fake platform", "fake.advance"],
  ])("shows what %s give", async (_what, text) => {
    const block = blockWith(text);
    expect(assertionCount(block)).toBeGreaterThanOrEqual(5);
    await runBlock(block);
  });
});

/** Where a block that stands in a page finds its document. */
export const pageOfTheTest: { document?: unknown } = {};

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
