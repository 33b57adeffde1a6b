import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CookieJar } from "../../../../src/testing/mod.ts";
import { freePort } from "../../../support/free_port.ts";
import configuration from "../../../../deno.json" with { type: "json" };

/** The address from which the script imports the library. */
export const address = `https://raw.githubusercontent.com/guildpass/sdk/v${configuration.version}/`;

const root = new URL("../../../../", import.meta.url);

export interface ScriptOptions {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Permissions in addition to the network of the login. */
  readonly permissions?: readonly string[];
  /** Hosts that the script may reach in addition to its own. @default {the fake platform's} */
  readonly hosts?: readonly string[];
  /** The port. With `null`, the script chooses. @default {a free one} */
  readonly port?: null;
}

/** The running script. */
export interface RunningScript extends AsyncDisposable {
  readonly port: number;
  /** The text that it has printed so far, to both outputs. */
  readonly printed: string;
  /** Waits for the link that it shows. */
  link(): Promise<string>;
  /** Waits for its end and returns its exit code. */
  readonly ended: Promise<number>;
}

/**
 * Runs `deno run https://…/examples/deno_login.ts` in a process of its own, with the permissions that its header names. An
 * import map redirects the address to the source tree, served over HTTP on this machine.
 */
export async function runScript(options: ScriptOptions = {}): Promise<RunningScript> {
  const { args = ["--fake"], env = {}, permissions = [] } = options;
  const port = await freePort();
  const hosts = [`localhost:${port}`, ...options.hosts ?? [`127.0.0.1:${port + 1}`]];
  const source = serveSource();
  const folder = await mkdtemp(join(tmpdir(), "guildpass-import-map-"));
  const importMap = join(folder, "map.json");
  await writeFile(importMap, JSON.stringify({ imports: { [address]: source.url } }));
  const process = new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--quiet",
      "--no-config",
      "--no-lock",
      "--no-prompt",
      `--import-map=${importMap}`,
      `--allow-import=${source.host}`,
      `--allow-net=${hosts.join()}`,
      ...permissions,
      `${source.url}examples/deno_login.ts`,
      ...(options.port === null ? [] : [`--port=${port}`]),
      ...args,
    ],
    env: { NO_COLOR: "1", ...env },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();

  let printed = "";
  const shown = Promise.withResolvers<string>();
  const listen = async (stream: ReadableStream<Uint8Array>): Promise<void> => {
    for await (const text of stream.pipeThrough(new TextDecoderStream())) {
      printed += text;
      const [link] = /^http\S+(?=\n)/m.exec(printed) ?? [];
      if (link) shown.resolve(link);
    }
  };
  const outputs = Promise.all([listen(process.stdout), listen(process.stderr)]);
  const ended = process.status.then(async ({ code }) => {
    await outputs;
    shown.reject(new Error(`The script ended without a link:\n${printed}`));
    return code;
  });
  // Nothing waits for this.
  shown.promise.catch(() => {});
  return {
    port,
    get printed() {
      return printed;
    },
    link: () => shown.promise,
    ended,
    async [Symbol.asyncDispose]() {
      try {
        process.kill();
      } catch {
        // The process has already ended.
      }
      await ended;
      await source.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** A browser that has opened the login. It keeps cookies, and follows no redirect by itself. */
export interface Visitor {
  /** The address of the consent page, to which the login has redirected it. */
  readonly consentUrl: string;
  /** Opens another address of the script. */
  open(url: string | URL, init?: RequestInit): Promise<Response>;
}

/** Opens the link that the script shows. */
export async function visit(script: RunningScript): Promise<Visitor> {
  const jar = new CookieJar();
  const open: Visitor["open"] = async (url, init) => {
    const response = await fetch(jar.request(url, { redirect: "manual", ...init }));
    jar.store(response, url);
    return response;
  };
  const response = await open(await script.link());
  await response.body?.cancel();
  return { consentUrl: response.headers.get("location") ?? "", open };
}

/** Serves the source tree as plain text, as the address does. */
function serveSource(): { url: string; host: string; close(): Promise<void> } {
  // Deno caches what it loads, and the next run may get the same port.
  const prefix = `/${crypto.randomUUID()}${new URL(address).pathname}`;
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
    const { pathname } = new URL(request.url);
    const [, path] = pathname.split(prefix);
    if (!path || !/^(mod\.ts|(src|examples)\/[\w/]+\.ts)$/.test(path)) {
      return new Response(null, { status: 404 });
    }
    const text = await Deno.readTextFile(new URL(path, root));
    return new Response(text, { headers: { "content-type": "text/plain; charset=utf-8" } });
  });
  const host = `127.0.0.1:${server.addr.port}`;
  return { url: `http://${host}${prefix}`, host, close: () => server.shutdown() };
}
