import { Miniflare } from "miniflare";
import { readFileSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import {
  createFakePlatform,
  type FakePlatform,
  type FakePlatformOptions,
  nodeListener,
  sampleApplication,
} from "../../../../src/testing/mod.ts";
import { bundleWorker } from "./bundle.ts";

export const exampleFolder = new URL("../../../../examples/cloudflare_worker/", import.meta.url);

/** The origin of the Worker. */
export const origin = "https://app.example";

export const sessionSecret = "the secret that the tests seal cookies with, 32 characters at least";

/** A response of the Worker, with its whole body. */
export interface WholeResponse {
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

/**
 * The Worker in workerd, and a fake platform that the Worker and the tests reach over HTTP. Requests alternate between two
 * copies of the Worker with the same storage, since at Cloudflare another copy may get the next request.
 */
export interface RunningWorker extends AsyncDisposable {
  /** The platform. `reset` replaces it. */
  readonly fake: FakePlatform;
  /** The tokens that the platform has issued since `reset`. */
  readonly tokens: readonly string[];
  /** All responses since `reset`. */
  readonly responses: readonly WholeResponse[];
  /** The log since `reset`. */
  readonly log: string;
  /** The whole disk of the storage, including deleted values that are not overwritten yet. */
  stored(): Promise<string>;
  /** Saves a value directly in the storage. */
  save(
    key: string,
    entry: { json: string; version: string; expiresAt: number | null },
  ): Promise<void>;
  /** Sends a request, and follows no redirect. */
  send(
    url: string,
    init?: { method?: string; headers?: Record<string, string> },
  ): Promise<WholeResponse>;
  /** Sends a request, and leaves after 300 ms without a response. */
  leave(url: string, headers: Record<string, string>): Promise<void>;
  /** Replaces the platform, and forgets the responses and the log. */
  reset(options?: FakePlatformOptions): void;
}

/**
 * Forwards requests to the copies in turn, and leaves if a header says so. At Cloudflare, the work for a request ends when the visitor
 * leaves. workerd alone ends it only when the calling Worker leaves.
 */
const turns = `
  let requests = 0;
  export default {
    async fetch(request, { first, second }) {
      const copy = requests++ % 2 === 0 ? first : second;
      if (!request.headers.has("test-leaves")) return await copy.fetch(request);
      const visitor = new AbortController();
      const response = copy.fetch(request, { signal: visitor.signal });
      await scheduler.wait(300);
      visitor.abort();
      return await response.catch(() => new Response("left"));
    },
  };
`;

/** Starts the Worker and the platform. `bindings` override the correct ones; `undefined` removes one. */
export async function startWorker(
  bindings: Readonly<Record<string, string | undefined>> = {},
): Promise<RunningWorker> {
  let fake = createFakePlatform();
  let tokens: string[] = [];
  let responses: WholeResponse[] = [];
  let log = "";
  const server = createServer(nodeListener(async (request) => {
    const response = await fake.fetch(request);
    if (request.url.endsWith("/oauth2/token")) {
      const text = await response.clone().text();
      tokens.push(...[...text.matchAll(/"(?:access|refresh)_token":"([^"]+)"/g)].map(last));
    }
    return response;
  }));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const platformOrigin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const listen = (stream: Readable): void => {
    stream.setEncoding("utf8").on("data", (text: string) => log += text);
  };
  const { main, ...options } = readConfiguration("wrangler.jsonc");
  const all = {
    DISCORD_CLIENT_ID: sampleApplication.id,
    DISCORD_CLIENT_SECRET: sampleApplication.secret,
    LOGIN_SECRET: sessionSecret,
    ...bindings,
  };
  const disk = await mkdtemp(join(tmpdir(), "guildpass-worker-"));
  const copy = {
    modules: true,
    script: await bundleWorker(new URL(main, exampleFolder)),
    ...options,
    bindings: {
      ...Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)),
      PLATFORM: { ...createFakePlatform({ origin: platformOrigin }).platform },
    },
  };
  const ofFirst = Object.entries(options.durableObjects)
    .map(([name, object]) => [name, { ...object, scriptName: "first" }]);
  const miniflare = new Miniflare({
    workers: [
      { modules: true, script: turns, serviceBindings: { first: "first", second: "second" } },
      { name: "first", ...copy },
      { name: "second", ...copy, durableObjects: Object.fromEntries(ofFirst) },
    ],
    durableObjectsPersist: disk,
    handleRuntimeStdio(stdout: Readable, stderr: Readable) {
      listen(stdout);
      listen(stderr);
    },
  });
  const worker: RunningWorker = {
    get fake() {
      return fake;
    },
    get tokens() {
      return tokens;
    },
    get responses() {
      return responses;
    },
    get log() {
      return log;
    },
    async stored() {
      while (true) {
        const files = await readdir(disk, { recursive: true, withFileTypes: true });
        const contents = files.filter((file) => file.isFile())
          .map(({ parentPath, name }) => readFile(join(parentPath, name), "latin1"));
        try {
          return (await Promise.all(contents)).join("\n");
        } catch (error) {
          // An object cleans up its files after some time without use.
          if (Object(error).code !== "ENOENT") throw error;
        }
      }
    },
    async save(key, entry) {
      const entries = await miniflare.getDurableObjectNamespace(
        "ENTRIES",
        "first",
      ) as unknown as Entries;
      const body = JSON.stringify({ kind: "save", entry, version: null });
      const object = entries.get(entries.idFromName(key));
      const response = await object.fetch("https://entry.internal/", { method: "POST", body });
      if (await response.json() !== true) throw new Error(`${key} was not saved`);
    },
    reset(options = {}) {
      fake = createFakePlatform({ ...options, origin: platformOrigin });
      tokens = [];
      responses = [];
      log = "";
    },
    async send(url, init) {
      const served = await miniflare.dispatchFetch(url, { redirect: "manual", ...init });
      const headers = new Headers([...served.headers]);
      const response = { url, status: served.status, headers, body: await served.text() };
      responses.push(response);
      return response;
    },
    async leave(url, headers) {
      const init = { headers: { ...headers, "test-leaves": "true" } };
      const response = await miniflare.dispatchFetch(url, init);
      if (await response.text() !== "left") throw new Error(`${url} sent a response too early`);
    },
    async [Symbol.asyncDispose]() {
      await miniflare.dispose();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(disk, { recursive: true });
    },
  };
  worker.reset();
  return worker;
}

/** Translates the configuration of `wrangler` for Miniflare, so that the tests run the Worker as it is deployed. */
export function readConfiguration(path: string): Configuration {
  const text = readFileSync(new URL(path, exampleFolder), "utf8");
  const { main, compatibility_date, durable_objects, migrations, vars = {} } = JSON.parse(
    text.replaceAll(/^ *\/\/.*$/gm, ""),
  );
  const withSqlite = migrations.flatMap(({ new_sqlite_classes }: Migration) => new_sqlite_classes);
  const bindings = durable_objects.bindings.map(({ name, class_name: className }: Binding) => [
    name,
    { className, useSQLite: withSqlite.includes(className) },
  ]);
  return {
    main,
    vars,
    compatibilityDate: compatibility_date,
    durableObjects: Object.fromEntries(bindings),
  };
}

/** The Durable Objects. Miniflare's own type needs a package that it does not install. */
interface Entries {
  idFromName(key: string): unknown;
  get(id: unknown): {
    fetch(url: string, init: { method: string; body: string }): Promise<Response>;
  };
}

interface Configuration {
  readonly main: string;
  readonly compatibilityDate: string;
  readonly vars: Readonly<Record<string, string>>;
  readonly durableObjects: Record<
    string,
    { readonly className: string; readonly useSQLite: boolean }
  >;
}

interface Binding {
  readonly name: string;
  readonly class_name: string;
}

interface Migration {
  readonly new_sqlite_classes: readonly string[];
}

function last(parts: readonly string[]): string {
  return parts.at(-1) ?? "";
}
