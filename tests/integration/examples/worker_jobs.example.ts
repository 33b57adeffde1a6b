import { Miniflare } from "miniflare";
import { copyFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { fileURLToPath, pathToFileURL } from "node:url";
import ts from "typescript";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { unstable_getMiniflareWorkerOptions } from "wrangler";
import library from "../../../deno.json" with { type: "json" };
import {
  CookieJar,
  createFakePlatform,
  type FakePlatform,
  type FakePlatformOptions,
  nodeListener,
  sampleApplication,
} from "../../../src/testing/mod.ts";
import { bundleWorker } from "./support/bundle.ts";
import { readGuide } from "./support/worker_guide.ts";

const { usual, jobs, tables } = readGuide();
const origin = "https://app.example";

/** A folder with the files of the guide. */
let folder: string;
let site: Site;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "guildpass-jobs-"));
  const copied = [
    "frameworks/workers/login.ts",
    "frameworks/workers/people.ts",
    "frameworks/workers/jobs.ts",
    "frameworks/worker.ts",
  ];
  for (const path of copied) {
    const source = new URL(`../../../examples/${path}`, import.meta.url);
    await copyFile(source, join(folder, path.replace(/.*\//, "")));
  }
  return () => rm(folder, { recursive: true });
});

describe("The Worker with jobs", () => {
  afterEach(() => site[Symbol.asyncDispose]());

  describe("and tokens that live for a second", () => {
    beforeEach(async () => {
      site = await startSite({ tokenLifetime: 1 });
    });

    test("refreshes the tokens of people who do not visit", async () => {
      await site.logIn("ada");
      await site.logIn("grace");
      await expect.poll(async () => {
        await site.runJob();
        return site.requestedGrants().filter((grant) => grant === "refresh_token").length;
      }).toBeGreaterThanOrEqual(4);
      expect(await site.read("ada")).toBe("Hello, ada");
    });

    test("takes ten people in each run, those first whose last turn is the longest ago", async () => {
      await site.addPeople(15);
      await site.runJob();
      const first = await site.checkedPeople();
      expect(first).toHaveLength(10);
      await site.runJob();
      expect(await site.checkedPeople()).toHaveLength(15);
    });
  });

  test("removes expired rows of the store, and no others", async () => {
    site = await startSite();
    await site.logIn("ada");
    const before = await site.storedKeys();
    await site.expire(before[0]);
    await site.runJob();
    expect(await site.storedKeys()).toEqual(before.slice(1));
  });

  test("ends a login although the visitor has left during the exchange", async () => {
    site = await startSite();
    const callback = await site.begin("ada");
    site.fake.failNext({ path: "/oauth2/token", delay: 1000 });
    await site.leave("ada", callback);
    await expect.poll(async () => (await site.open("ada", callback)).headers.get("location"))
      .toBe(`${origin}/`);
    expect(site.requestedGrants()).toEqual(["authorization_code"]);
    expect(await site.read("ada")).toBe("Hello, ada");
  });
});

test("The files of the Worker with jobs compile with the types of Workers", async () => {
  const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
  // `wrangler types` writes this file.
  await writeFile(
    join(folder, "env.d.ts"),
    `declare namespace Cloudflare { interface Env {
      DB: D1Database;
      DISCORD_CLIENT_ID: string; DISCORD_CLIENT_SECRET: string; LOGIN_SECRET: string; DISCORD_PLATFORM: string;
    } }`,
  );
  const files = ["env.d.ts", "jobs.ts", "login.ts", "people.ts"].map((name) => join(folder, name));
  const entryPoints = Object.entries(library.exports).map(([name, path]) => [
    library.name + name.slice(1),
    [here(`../../../${path}`)],
  ]);
  const packages = ["jose", "ky", "valibot"].map((name) => [
    `npm:${name}@*`,
    [here(`node_modules/${name}`)],
  ]);
  const program = ts.createProgram(files, {
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    lib: ["lib.esnext.d.ts"],
    types: ["@cloudflare/workers-types"],
    typeRoots: [here("node_modules")],
    paths: Object.fromEntries([...entryPoints, ...packages]),
    allowImportingTsExtensions: true,
    noEmit: true,
    strict: true,
  });
  const problems = files.flatMap((file) =>
    program.getSemanticDiagnostics(program.getSourceFile(file))
  );
  expect(problems.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n")))
    .toEqual([]);
});

/** The running Worker. Each person has a browser of their own. */
interface Site extends AsyncDisposable {
  readonly fake: FakePlatform;
  /** Runs the scheduled job once. */
  runJob(): Promise<void>;
  /** Opens a page that needs a login, consents, and returns the callback. */
  begin(person: string): Promise<string>;
  logIn(person: string): Promise<void>;
  open(person: string, url: string): Promise<Response>;
  /** Opens an address, and leaves after 300 ms without a response. */
  leave(person: string, url: string): Promise<void>;
  /** Returns the text of the start page. */
  read(person: string): Promise<string>;
  addPeople(count: number): Promise<void>;
  /** Returns the people of past jobs. */
  checkedPeople(): Promise<unknown[]>;
  requestedGrants(): unknown[];
  /** Returns the keys of the store. */
  storedKeys(): Promise<unknown[]>;
  /** Moves the end of a stored value into the past. */
  expire(key: unknown): Promise<void>;
}

/** A Worker with a job. Miniflare's own type needs a package that it does not install. */
interface Scheduled {
  scheduled(): Promise<unknown>;
}

/**
 * Calls the Worker, and leaves if a header says so. At Cloudflare, the work for a request ends when the visitor leaves. workerd alone ends it
 * only when the calling Worker leaves.
 */
const caller = `
  export default {
    async fetch(request, { site }) {
      if (!request.headers.has("test-leaves")) return await site.fetch(request);
      const visitor = new AbortController();
      const response = site.fetch(request, { signal: visitor.signal });
      await scheduler.wait(300);
      visitor.abort();
      return await response.catch(() => new Response("left"));
    },
  };
`;

/** Starts the Worker in workerd, with a database in D1. */
async function startSite(options: FakePlatformOptions = {}): Promise<Site> {
  let fake = createFakePlatform();
  const server = createServer(nodeListener((request) => fake.fetch(request)));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  fake = createFakePlatform({
    ...options,
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    applications: [{ ...sampleApplication, redirectUris: [`${origin}/callback`] }],
  });
  await writeFile(join(folder, "wrangler.json"), JSON.stringify({ ...usual, ...jobs }));
  const { workerOptions, main } = unstable_getMiniflareWorkerOptions(join(folder, "wrangler.json"));
  const miniflare = new Miniflare({
    workers: [
      { modules: true, script: caller, serviceBindings: { site: "site" } },
      {
        ...workerOptions,
        name: "site",
        modules: true,
        script: await bundleWorker(pathToFileURL(main ?? "")),
        bindings: {
          DISCORD_CLIENT_ID: sampleApplication.id,
          DISCORD_CLIENT_SECRET: sampleApplication.secret,
          LOGIN_SECRET: crypto.randomUUID(),
          DISCORD_PLATFORM: JSON.stringify(fake.platform),
        },
      },
    ],
    // The job logs the people without a token.
    handleRuntimeStdio: (...streams: Readable[]) => streams.forEach((stream) => stream.resume()),
  });
  const database = await miniflare.getD1Database("DB", "site");
  for (const table of tables) await database.exec(table);
  const jars = new Map<string, CookieJar>();
  const open = async (
    person: string,
    url: string,
    headers: Record<string, string> = {},
  ): Promise<Response> => {
    const jar = jars.get(person) ?? new CookieJar();
    jars.set(person, jar);
    const served = await miniflare.dispatchFetch(url, {
      headers: Object.fromEntries(jar.request(url, { headers }).headers),
      redirect: "manual",
    });
    // Miniflare has its own type of responses.
    const body = served.status === 200 ? await served.text() : null;
    const response = new Response(body, {
      status: served.status,
      headers: new Headers([...served.headers]),
    });
    jar.store(response, url);
    return response;
  };
  const begin = async (person: string): Promise<string> => {
    const consent = (await open(person, `${origin}/`)).headers.get("location") ?? "";
    return await fake.authorize(consent, { as: person });
  };
  return {
    fake,
    begin,
    open,
    async runJob() {
      await (await miniflare.getWorker("site") as unknown as Scheduled).scheduled();
    },
    async logIn(person) {
      await open(person, await begin(person));
    },
    async leave(person, url) {
      const response = await open(person, url, { "test-leaves": "true" });
      if (await response.text() !== "left") throw new Error(`${url} sent a response too early`);
    },
    read: async (person) => await (await open(person, `${origin}/`)).text(),
    async addPeople(count) {
      for (let id = 1; id <= count; id++) {
        await database.prepare("insert into people (id) values (?)").bind(`${id}`).run();
      }
    },
    async checkedPeople() {
      const found = await database.prepare("select id from people where checked_at > 0").all();
      return found.results;
    },
    async storedKeys() {
      const found = await database.prepare("select key from guildpass_store order by key").all();
      return found.results.map(({ key }: { key: unknown }) => key);
    },
    async expire(key) {
      const statement = "update guildpass_store set expires_at = 1 where key = ?";
      await database.prepare(statement).bind(key).run();
    },
    requestedGrants: () =>
      fake.requests.filter(({ path }) => path.endsWith("/oauth2/token"))
        .map(({ body }) => Object(body).grant_type),
    async [Symbol.asyncDispose]() {
      await miniflare.dispose();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
