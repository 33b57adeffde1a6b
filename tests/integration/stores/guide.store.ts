/**
 * Runs the code of docs/login_by_hand.md and docs/stores.md as an application, step by step: from the memory of a process to an
 * encrypted database.
 *
 * @module
 */

import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { createClient } from "redis";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import configuration from "../../../deno.json" with { type: "json" };
import type { Store, TokenSource } from "../../../mod.ts";
import { docBlocks } from "../../support/doc_blocks.ts";
import { AuthUrl, clientId, fake, redirectUri } from "../../support/sdk_on_fake_platform.ts";
import { startRedis } from "./support/databases.ts";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const guides = ["docs/login_by_hand.md", "docs/stores.md"];
const blocks = guides.flatMap(docBlocks).map(({ code }) => code);
const names = blocks.map((code) => /^\/\/ (\w+\.ts)/.exec(code)?.[1]);
const steps = ["in memory", "encrypted in Redis"];

const database = await startRedis();
const redis = await createClient({ url: database.url }).connect();
vi.stubEnv("REDIS_URL", database.url);
vi.stubEnv("STORE_SECRET", "a secret of these tests, of 32 characters at least");

let folder: string;
beforeAll(async () => {
  // The folder is below the tests, so that the code finds packages.
  await mkdir(here(".blocks/"), { recursive: true });
  folder = await mkdtemp(here(".blocks/"));
  for (const step of steps.keys()) {
    await mkdir(`${folder}/${step}`);
    const environment = docBlocks("docs/first_login.md").find(({ file }) =>
      file.endsWith("/environment.ts")
    );
    const files = { ...filesOf(step), "environment.ts": environment?.code ?? "" };
    for (const [name, code] of Object.entries(files)) {
      await writeFile(`${folder}/${step}/${name}`, code);
    }
  }
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  redis.destroy();
  await database[Symbol.asyncDispose]();
});

test("The pages have the files of an application, and its tokens.ts in two steps", () => {
  expect(names.filter(Boolean)).toEqual([
    "tokens.ts",
    "login.ts",
    "guilds.ts",
    "events.ts",
    "sessions.ts",
    "clean_up.ts",
    "tokens.ts",
    "store_test.ts",
    // `own_stores.store.ts` runs these two.
    "mongo_store.ts",
    "mongo_sessions.ts",
  ]);
});

test("The page of stores names the import of every store", async () => {
  const page = await readFile(here("../../../docs/stores.md"), "utf8");
  const entries = Object.entries(configuration.exports)
    .filter(([name]) => name.startsWith("./stores/"));
  expect(entries).toHaveLength(7);
  for (const [name, path] of entries) {
    expect(page).toContain(`from \`…${name.slice(1)}\``);
    expect(page).toContain(`(.${path})`);
  }
});

test("The code of the pages compiles", async () => {
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["check", "--quiet", ...steps.keys().map((step) => `${folder}/${step}/*.ts`)],
    cwd: here("."),
  }).output();
  expect(success, new TextDecoder().decode(stderr)).toBe(true);
});

describe.each([...steps.entries()])("Step %i, tokens %s", (step, name) => {
  test("keeps a person logged in for weeks, and refreshes once a week", async () => {
    const { logIn, guildsOf } = await application(step);
    const clock = useClock();
    const ada = await logIn();
    for (let week = 0; week < 4; week++) {
      const before = refreshCount();
      const responses = await Promise.all(Array.from({ length: 20 }, () => guildsOf(ada)));
      for (const guilds of responses) expect(guilds).toContain("Night Sky");
      expect(refreshCount() - before).toBe(week === 0 ? 0 : 1);
      clock.pass(7 * 24 * 60 * 60_000);
    }
  });

  test("sends a person to the login who has logged out or removed the application", async () => {
    const { logIn, guildsOf, tokensOf, receiveEvent } = await application(step);
    const ada = await logIn();
    await tokensOf(ada).revoke();
    expect(await guildsOf(ada)).toBe("/login");

    await logIn();
    expect(await guildsOf(ada)).toContain("Night Sky");
    const event = await fake.sendWebhookEvent(receiveEvent, "APPLICATION_DEAUTHORIZED");
    expect(event.status).toBe(204);
    expect(await guildsOf(ada)).toBe("/login");

    const forged = new Request("https://app.example/events", { method: "POST", body: "{}" });
    expect((await receiveEvent(forged)).status).toBe(401);
  });

  test("stores in the database what the pages say", async () => {
    const { logIn, tokensOf } = await application(step);
    await redis.flushAll();
    const ada = await logIn();
    await tokensOf(ada).token();
    const saved = await redis.hGet(`discord:${ada}`, "value") ?? "nothing";
    if (name === "in memory") expect(saved).toBe("nothing");
    else expect(saved).toMatch(/^"eyJ[\w-]+\.\.[\w-]+\.[\w-]+\.[\w-]+"$/);
  });
});

/** The files of one step. */
function filesOf(step: number): Record<string, string> {
  const tokens = blocks.filter((_, i) => names[i] === "tokens.ts")[step] ?? "";
  const others = names.flatMap((name, i) =>
    name && !/^(?:tokens|mongo_\w+)\.ts$/.test(name) ? [[name, blocks[i] ?? ""]] : []
  );
  return { "tokens.ts": tokens, ...Object.fromEntries(others) };
}

interface Application {
  /** Logs Ada in and returns her id. */
  logIn(): Promise<string>;
  /** Returns the names of the guilds, or the redirect target. */
  guildsOf(userId: string): Promise<string[] | string>;
  tokensOf(userId: string): TokenSource;
  receiveEvent(request: Request): Promise<Response>;
}

/** Starts the application of a step on the fake platform. */
async function application(step: number): Promise<Application> {
  const sdk = here("../../support/sdk_on_fake_platform.ts");
  const started = await mkdtemp(`${folder}/started-`);
  for (const [name, code] of Object.entries(filesOf(step))) {
    const onFake = code.replaceAll(
      /from "(@guildpass\/sdk|\.\/environment\.ts)"/g,
      `from "${sdk}"`,
    );
    // At the end, all clients would report that Redis has gone.
    const quiet = "const console = { error() {} };\n";
    await writeFile(`${started}/${name}`, quiet + onFake);
  }
  const load = (name: string) =>
    import(/* @vite-ignore */ pathToFileURL(`${started}/${name}`).href);
  const tokens: { store: Store; tokensOf(userId: string): TokenSource } = await load("tokens.ts");
  const { finishLogin } = await load("login.ts");
  const { showGuilds } = await load("guilds.ts");
  const { receiveEvent } = await load("events.ts");
  return {
    tokensOf: tokens.tokensOf,
    receiveEvent,
    async logIn() {
      const login = { state: "s7ate", codeVerifier: "v".repeat(43) };
      const link = await new AuthUrl(clientId, ["identify", "guilds"], redirectUri).makeUrl(login);
      return await finishLogin(new Request(await fake.authorize(link, { as: "ada" })), login);
    },
    async guildsOf(userId) {
      const response: Response = await showGuilds(userId);
      return response.headers.get("location") ?? await response.json();
    },
  };
}

function refreshCount(): number {
  return fake.requests
    .filter(({ body }) => Object(body).grant_type === "refresh_token").length;
}

/** A clock for the application and the fake platform, which the test moves. */
function useClock(): { pass(milliseconds: number): void } {
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  return { pass: (milliseconds) => vi.setSystemTime(Date.now() + milliseconds) };
}
