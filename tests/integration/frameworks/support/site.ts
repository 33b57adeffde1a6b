/**
 * Runs an application of a framework, and visits it as a browser does.
 *
 * @module
 */

import { createServer, type Server as HttpServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { stripVTControlCharacters } from "node:util";
import { Miniflare } from "miniflare";
import {
  CookieJar,
  createFakePlatform,
  type FakePlatform,
  nodeListener,
  sampleApplication,
} from "../../../../src/testing/mod.ts";
import { freePort } from "../../../support/free_port.ts";
import { bundle, type Target } from "./bundle.ts";

/** A running application and its platform. */
export interface Site extends AsyncDisposable {
  /** The address on which it listens. */
  readonly address: string;
  /** The address that visitors see. */
  readonly origin: string;
  readonly paths: Paths;
  readonly fake: FakePlatform;
  /** Headers that each request gets. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Returns the text that the application has printed. Without it, the application prints nothing by itself. */
  readonly printed?: () => string;
}

/** Options of a site. */
export interface SiteOptions {
  /** The address that visitors see. @default {the address on which it listens} */
  readonly origin?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The paths of the login. */
  readonly paths?: Paths;
}

/** The paths of a site with a login. */
export interface Paths {
  readonly login: string;
  readonly callback: string;
  readonly logout: string;
  /** The page that greets a logged-in person, and redirects others to the consent page. */
  readonly members: string;
}

/** The paths of the recipes that have one page. */
export const usualPaths: Paths = {
  login: "/login",
  callback: "/callback",
  logout: "/logout",
  members: "/",
};

/** The environment of an application, and the resources to dispose of with it. */
export interface Surroundings extends AsyncDisposable {
  readonly port: number;
  readonly address: string;
  readonly origin: string;
  readonly paths: Paths;
  readonly fake: FakePlatform;
  readonly env: Readonly<Record<string, string>>;
}

/** The behavior that a Worker asks of its runtime. */
export interface Compatibility {
  readonly date: string;
  readonly flags: readonly string[];
}

/** Starts an application of `examples/frameworks/` with the library's source, in Deno or in workerd. */
export async function startSite(
  entry: URL,
  target: Target,
  compatibility: Compatibility = { date: "2026-06-01", flags: ["nodejs_compat"] },
  options: SiteOptions = {},
): Promise<Site> {
  const surroundings = await createSurroundings(options);
  const { port, address, origin, paths, fake, env } = surroundings;
  const code = await bundle(entry, target);
  const server: Server = target === "workerd"
    ? { end: await startWorker(code, port, env, compatibility) }
    : await startDeno(code, env, address);
  return {
    address,
    origin,
    paths,
    fake,
    ...(server.printed && { printed: server.printed }),
    async [Symbol.asyncDispose]() {
      await server.end();
      await surroundings[Symbol.asyncDispose]();
    },
  };
}

/** Serves a platform with the application, and chooses the application's port. */
export async function createSurroundings(
  { origin: chosen, env = {}, paths = usualPaths }: SiteOptions = {},
): Promise<Surroundings> {
  let fake = createFakePlatform();
  const platformServer = createServer(nodeListener((request) => fake.fetch(request)));
  const platformAddress = `http://127.0.0.1:${await listen(platformServer)}`;
  const port = await freePort();
  const address = `http://localhost:${port}`;
  const origin = chosen ?? address;
  const redirectUri = origin + paths.callback;
  fake = createFakePlatform({
    origin: platformAddress,
    applications: [{ ...sampleApplication, redirectUris: [redirectUri] }],
  });
  return {
    port,
    address,
    origin,
    paths,
    fake,
    env: {
      PORT: `${port}`,
      DISCORD_CLIENT_ID: sampleApplication.id,
      DISCORD_CLIENT_SECRET: sampleApplication.secret,
      DISCORD_REDIRECT_URI: redirectUri,
      LOGIN_SECRET: crypto.randomUUID(),
      DISCORD_PLATFORM: JSON.stringify(fake.platform),
      ...env,
    },
    [Symbol.asyncDispose]: () => close(platformServer),
  };
}

async function listen(server: HttpServer): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

async function close(server: HttpServer): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  await closed;
}

async function startWorker(
  code: string,
  port: number,
  bindings: Readonly<Record<string, string>>,
  { date, flags }: Compatibility,
): Promise<() => Promise<void>> {
  const miniflare = new Miniflare({
    modules: true,
    script: code,
    compatibilityDate: date,
    compatibilityFlags: [...flags],
    bindings,
    host: "127.0.0.1",
    port,
  });
  await miniflare.ready;
  return () => miniflare.dispose();
}

async function startDeno(
  code: string,
  env: Readonly<Record<string, string>>,
  address: string,
): Promise<Server> {
  const folder = await Deno.makeTempDir();
  await Deno.writeTextFile(`${folder}/site.mjs`, code);
  const command = [Deno.execPath(), "run", "-A", "site.mjs"];
  const { end, printed } = await runServer(command, { env, cwd: folder, address });
  return {
    printed,
    async end() {
      await end();
      await Deno.remove(folder, { recursive: true });
    },
  };
}

/** A running server. */
interface Server {
  /** Ends it. */
  readonly end: () => Promise<void>;
  readonly printed?: () => string;
}

/** The command of a server. */
export interface ServerOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** The port on which it will listen. */
  readonly address: string;
}

/** Starts a server, and waits until it listens. */
export async function runServer(
  command: readonly string[],
  { env, cwd, address }: ServerOptions,
): Promise<Required<Server>> {
  const [program = "", ...args] = command;
  const process = new Deno.Command(program, {
    args,
    cwd,
    env,
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  })
    .spawn();
  let output = "";
  const outputEnd = Promise.all(
    [process.stdout, process.stderr].map((stream) =>
      stream.pipeThrough(new TextDecoderStream()).pipeTo(
        new WritableStream({ write: (text) => void (output += text) }),
      )
    ),
  );
  let hasEnded = false;
  const ended = process.status.then(() => hasEnded = true);
  while (!await accepts(Number(new URL(address).port))) {
    if (hasEnded) throw new Error(`${command.join(" ")} has ended\n${output}`);
  }
  return {
    // Some tools print in colors where the variable CI is set, and so in the middle of an address.
    printed: () => stripVTControlCharacters(output),
    async end() {
      // This kills it, because some servers wait for open connections.
      if (!hasEnded) process.kill("SIGKILL");
      await Promise.all([ended, outputEnd]);
    },
  };
}

/** Returns true if a server listens on a port. Otherwise waits a moment and returns false. */
async function accepts(port: number): Promise<boolean> {
  return await new Promise((resolve) => {
    const socket = connect(port, "localhost", () => {
      socket.destroy();
      resolve(true);
    });
    socket.on("error", () => setTimeout(resolve, 50, false));
  });
}

/** A simulated browser. It keeps cookies, and follows no redirect by itself. */
export class Browser {
  readonly #site: Site;
  /** Its cookies. */
  readonly jar = new CookieJar();

  /** Creates a browser that visits a site. */
  constructor(site: Site) {
    this.#site = site;
  }

  /** Opens an address of the site, through its proxy if it has one. */
  async open(path: string, init: RequestInit = {}): Promise<Response> {
    const { address, origin, headers = {} } = this.#site;
    const url = new URL(path, origin);
    const request = this.jar.request(address + url.pathname + url.search, {
      redirect: "manual",
      // If the site never responds, the test fails and ends it.
      signal: AbortSignal.timeout(60_000),
      ...init,
    });
    for (const [name, value] of Object.entries(headers)) request.headers.set(name, value);
    if (origin !== address) {
      // A proxy sends these headers. Some frameworks compare them with the origin of a form.
      request.headers.set("x-forwarded-proto", url.protocol.slice(0, -1));
      request.headers.set("x-forwarded-host", url.host);
    }
    const response = await fetch(request);
    this.jar.store(response, url);
    return response;
  }

  /** Opens a page that needs a login, and returns the link to the consent page. */
  async begin(path: string): Promise<string> {
    const { address, origin } = this.#site;
    const location = new URL(locationOf(await this.open(path)), origin);
    const isHere = [origin, new URL(address).origin].includes(location.origin);
    return isHere ? await this.begin(location.pathname + location.search) : location.href;
  }

  /** Logs in and returns the response to the callback. */
  async logIn(path: string, as = "ada"): Promise<Response> {
    return await this.open(await this.#site.fake.authorize(await this.begin(path), { as }));
  }

  /** Submits the form of a logout button. */
  async logOut(): Promise<Response> {
    return await this.open(this.#site.paths.logout, {
      method: "POST",
      body: new URLSearchParams({ some: "field" }),
      headers: { origin: this.#site.origin, "sec-fetch-site": "same-origin" },
    });
  }

  /** Returns the text of a page. */
  async read(path: string): Promise<string> {
    return await (await this.open(path)).text();
  }
}

/** Returns the redirect target of a response. */
export function locationOf(response: Response): string {
  const location = response.headers.get("location");
  if (location === null) throw new Error(`${response.status} is not a redirect`);
  return location;
}
