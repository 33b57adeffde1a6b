import { Miniflare } from "miniflare";
import { readFileSync } from "node:fs";
import type { Readable } from "node:stream";
import {
  createFakePlatform,
  type FakePlatform,
  type FakePlatformOptions,
  sampleApplication,
} from "../../../src/testing/mod.ts";
import { bundleWorker } from "./bundle.ts";

export const exampleFolder = new URL("../../../examples/cloudflare_worker/", import.meta.url);

/** Where the Worker thinks it is. */
export const origin = "https://app.example";

export const cookieKey = "the key that the tests seal cookies with, 32 characters at least";

/** What the Worker answered, read to its end. */
export interface Answer {
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

/** The KV namespace with the sessions, as a test uses it. */
export interface SessionNamespace {
  list(): Promise<
    { readonly keys: readonly { name: string; expiration?: number }[] }
  >;
  get(key: string): Promise<string | null>;
  put(key: string, value: string): Promise<void>;
  delete(key: string): Promise<void>;
}

/** The Worker in workerd, and a fake platform that both it and the tests reach over HTTP. */
export interface RunningWorker extends AsyncDisposable {
  /** The platform; a new one after `reset`. */
  readonly fake: FakePlatform;
  readonly sessions: SessionNamespace;
  /** Everything that was answered since `reset`. */
  readonly answers: readonly Answer[];
  /** Everything that was logged since `reset`. */
  readonly log: string;
  /** Sends one request, and follows no redirect. */
  send(url: string, init?: { method?: string; headers?: Record<string, string> }): Promise<Answer>;
  /** Puts a new platform in place, ends all sessions, and forgets what was answered and logged. */
  reset(options?: FakePlatformOptions): Promise<void>;
}

/** Starts both. Bindings are laid over those that are right; `undefined` takes one away. */
export async function startWorker(
  bindings: Readonly<Record<string, string | undefined>> = {},
): Promise<RunningWorker> {
  let fake = createFakePlatform();
  let answers: Answer[] = [];
  let log = "";
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    (request) => fake.fetch(request),
  );
  const platformOrigin = `http://127.0.0.1:${server.addr.port}`;
  const listen = (stream: Readable): void => {
    stream.setEncoding("utf8").on("data", (text: string) => log += text);
  };
  const { main, compatibility_date: compatibilityDate } = readConfiguration("wrangler.jsonc");
  const all = {
    DISCORD_CLIENT_ID: sampleApplication.id,
    DISCORD_CLIENT_SECRET: sampleApplication.secret,
    COOKIE_KEY: cookieKey,
    PLATFORM_ORIGIN: platformOrigin,
    ...bindings,
  };
  const miniflare = new Miniflare({
    modules: true,
    script: await bundleWorker(new URL(main, exampleFolder)),
    compatibilityDate,
    kvNamespaces: ["SESSIONS"],
    bindings: Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)),
    handleRuntimeStdio(stdout: Readable, stderr: Readable) {
      listen(stdout);
      listen(stderr);
    },
  });
  // Miniflare's own type comes from a package that it does not bring along.
  const sessions = await miniflare.getKVNamespace("SESSIONS") as unknown as SessionNamespace;
  const worker: RunningWorker = {
    get fake() {
      return fake;
    },
    get answers() {
      return answers;
    },
    get log() {
      return log;
    },
    sessions,
    async reset(options = {}) {
      fake = createFakePlatform({ ...options, origin: platformOrigin });
      answers = [];
      log = "";
      const { keys } = await sessions.list();
      for (const { name } of keys) await sessions.delete(name);
    },
    async send(url, init) {
      const response = await miniflare.dispatchFetch(url, { redirect: "manual", ...init });
      const headers = new Headers([...response.headers]);
      const answer = { url, status: response.status, headers, body: await response.text() };
      answers.push(answer);
      return answer;
    },
    async [Symbol.asyncDispose]() {
      await miniflare.dispose();
      await server.shutdown();
    },
  };
  await worker.reset();
  return worker;
}

/** The configuration that `wrangler` deploys with, so that the tests run as what is deployed does. */
export function readConfiguration(path: string): Configuration {
  const text = readFileSync(new URL(path, exampleFolder), "utf8");
  return JSON.parse(text.replaceAll(/^ *\/\/.*$/gm, ""));
}

interface Configuration {
  readonly main: string;
  readonly compatibility_date: string;
  readonly vars: Readonly<Record<string, string>>;
}
