import { createServer, type RequestListener } from "node:http";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { inspect } from "node:util";
import express, { type ErrorRequestHandler } from "express";
import fastify, { type FastifyReply, type FastifyRequest } from "fastify";
import { type ErrorHandler, Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import Koa from "koa";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import {
  type AnyLogin,
  Login,
  MemoryStore,
  MissingScopeError,
  parseCallback,
  PlatformApi,
  TokenSource,
  User,
} from "../../../mod.ts";
import {
  createFakePlatform,
  type FakePlatform,
  sampleApplication,
} from "../../../src/testing/mod.ts";
import { docBlocks } from "../../support/doc_blocks.ts";

/** A response to a visitor. */
interface WholeResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** A site with one route, whose path names the failure. */
interface Site {
  /** The error handler, or by default the framework's own. */
  open(path: string, handler?: unknown): Promise<WholeResponse>;
}

const { botToken, id, secret, redirectUris: [redirectUri = ""] } = sampleApplication;
let fake: FakePlatform;
let folder: string;

beforeAll(async () => {
  // The folder is below the tests, so that the code finds the frameworks.
  const parent = new URL(".blocks/", import.meta.url);
  await mkdir(parent, { recursive: true });
  folder = await mkdtemp(fileURLToPath(parent));
  for (const [name, code] of Object.entries(blocks())) await writeFile(`${folder}/${name}`, code);
});

afterAll(() => rm(folder, { recursive: true }));

beforeEach(() => {
  fake = createFakePlatform();
});

const sites: Readonly<Record<string, Site>> = {
  Express: {
    open(path, handler) {
      const app = express();
      app.get("/*path", async ({ path }) => await fail(path));
      if (handler) app.use(handler as ErrorRequestHandler);
      return openOnServer(app, path);
    },
  },
  Hono: {
    async open(path, handler) {
      const app = new Hono();
      app.get("/*", async ({ req }) => await fail(req.path));
      if (handler) app.onError(handler as ErrorHandler);
      return await readWhole(await app.request(path));
    },
  },
  Fastify: {
    async open(path, handler) {
      const stream = { write: (line: string) => console.error(line) };
      const app = fastify({ logger: { level: "error", stream } });
      if (handler) {
        app.setErrorHandler(
          handler as (error: unknown, request: FastifyRequest, reply: FastifyReply) => unknown,
        );
      }
      app.get("/*", async ({ url }) => await fail(url));
      const { body, headers, statusCode: status } = await app.inject(path);
      const sent = new Headers(
        Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]),
      );
      return { status, headers: sent, text: body };
    },
  },
  Koa: {
    open(path) {
      const app = new Koa({ env: "test" });
      app.silent = true;
      app.use(({ path }) => fail(path));
      return openOnServer(app.callback(), path);
    },
  },
};

describe.each(["Express", "Hono", "Fastify"])("The error handler for %s", (name) => {
  test.each([
    ["/foreign-login", 400, "another tab or browser. Please log in again", null],
    ["/lost-cookie", 400, "cookies are blocked. Please log in again", null],
    ["/missing-scope", 500, "It is not your fault", null],
    ["/refused-consent", 403, "Nothing was shared", null],
    ["/used-code", 400, "Please log in again", null],
    ["/wrong-secret", 500, "It is not your fault", null],
    ["/rate-limit", 503, "Please wait 30 seconds", "30"],
    ["/ended-login", 401, "Please log in again", null],
    ["/lost-login", 401, "Please log in again", null],
    ["/lost-session", 401, "Please log in again", null],
    ["/foreign-logout", 403, "Another site sent this", null],
    ["/slow-store", 503, "Please try again", null],
    ["/missing-guild", 502, "Please try again later", null],
    ["/lost-code", 502, "Please try again later", null],
    ["/platform-down", 503, "Please try again in a moment", null],
    ["/block", 503, "Please wait 30 seconds", "30"],
    ["/wrong-response", 502, "Please try again later", null],
  ])("responds to %s with %i", async (path, status, text, retryAfter) => {
    const log = vi.spyOn(console, "error").mockReturnValue();
    const response = await open(name, path);
    const logged = log.mock.calls.flat();
    log.mockRestore();

    expect([response.status, response.headers.get("retry-after")]).toEqual([status, retryAfter]);
    expect(response.text).toContain(text);
    expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    const shown = `${response.text}${JSON.stringify([...response.headers])}${inspect(logged)}`;
    expect(shown).not.toMatch(/fake_|c0de|s7ate/);
    expect(logged).toHaveLength(status >= 500 ? 1 : 0);
  });

  test("leaves other errors to the framework", async () => {
    const log = vi.spyOn(console, "error").mockReturnValue();
    expect((await open(name, "/own-mistake")).status).toBe(500);
    log.mockRestore();
    const status = name === "Hono" ? "/http-exception" : "/own-status";
    expect((await open(name, status)).status).toBe(418);
  });

  test("is short", () => {
    const lines = blocks()[`${name.toLowerCase()}.ts`]?.trim().split("\n") ?? [];
    expect(lines.length).toBeGreaterThan(5);
    expect(lines.length).toBeLessThanOrEqual(15);
  });
});

test("The error handlers compile", async () => {
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["check", "--quiet", folder],
    cwd: new URL(".", import.meta.url),
  }).output();
  expect(success, new TextDecoder().decode(stderr)).toBe(true);
});

describe.each(["Express", "Koa", "Fastify", "Hono"])("%s without an error handler", (name) => {
  test.each([
    "/refused-consent",
    "/used-code",
    "/wrong-secret",
    "/rate-limit",
    "/ended-login",
    "/missing-guild",
    "/platform-down",
  ])("does not respond to %s with the platform's status", async (path) => {
    const log = vi.spyOn(console, "error").mockReturnValue();
    const { status, headers } = await sites[name]?.open(path) ?? {};
    log.mockRestore();
    expect(status).toBe(500);
    expect(headers?.get("retry-after")).toBe(null);
  });
});

test.each(["Express", "Koa", "Fastify"])(
  "%s without an error handler would respond with an error's `status`",
  async (name) => {
    const log = vi.spyOn(console, "error").mockReturnValue();
    expect((await sites[name]?.open("/own-status"))?.status).toBe(418);
    log.mockRestore();
  },
);

/** Opens a page of a site with the error handler of the documentation. */
async function open(name: string, path: string): Promise<WholeResponse> {
  const file = pathToFileURL(`${folder}/${name.toLowerCase()}.ts`).href;
  const { handleError } = await import(/* @vite-ignore */ file);
  const response = await sites[name]?.open(path, handleError);
  if (!response) throw new Error(`There is no site with ${name}`);
  return response;
}

/** The code of the documentation, by file name. */
function blocks(): Record<string, string> {
  const all = docBlocks("docs/errors.md").map(({ code }) => code);
  const first = all.findIndex((code) => code.startsWith("// explain.ts"));
  const [explain, express, hono, fastify, ...others] = all.slice(first);
  expect(others).toEqual([]);
  const files = {
    "explain.ts": explain ?? "",
    "express.ts": express ?? "",
    "hono.ts": hono ?? "",
    "fastify.ts": fastify ?? "",
  };
  for (const [file, code] of Object.entries(files)) {
    expect(code).toContain(file === "explain.ts" ? "// explain.ts" : file.replace(".ts", ""));
  }
  return files;
}

/** The route: fails as its path says. */
async function fail(path: string): Promise<never> {
  await failures[path]?.();
  throw new Error(`Nothing failed at ${path}`);
}

const failures: Readonly<Record<string, () => unknown>> = {
  "/foreign-login": () =>
    parseCallback("https://app.example/callback?code=c0de&state=another", { state: "s7ate" }),
  "/lost-cookie": () =>
    parseCallback("https://app.example/callback?code=c0de&state=s7ate", { state: undefined }),
  "/missing-scope": () => {
    throw new MissingScopeError("getUserGuilds()", { needed: ["guilds"], granted: [] });
  },
  "/refused-consent": () =>
    parseCallback("https://app.example/callback?error=access_denied&state=s7ate", {
      state: "s7ate",
    }),
  "/used-code": () => client().accessToken("c0de"),
  "/wrong-secret": () => client("fake_secret_that_is_wrong").accessToken("c0de"),
  "/rate-limit": () => {
    fake.failNext({ path: /@me/, status: 429, body: { message: "slow", retry_after: 29.2 } });
    return user().getCurrentUser();
  },
  "/ended-login": () => {
    fake.failNext({ path: /@me/, status: 401 });
    return user().getCurrentUser();
  },
  "/lost-login": () => new TokenSource(client(), new MemoryStore(), "ada").token(),
  "/lost-session": () => login().update(new Request("https://app.example/theme"), {}),
  "/foreign-logout": () => {
    const headers = { origin: "https://evil.example" };
    return login().end(new Request("https://app.example/end", { method: "POST", headers }));
  },
  "/slow-store": () => {
    const store = new MemoryStore();
    store.load = () => new Promise(() => {});
    const api = new PlatformApi(id, secret, ["identify"], redirectUri, { ...fake, timeout: 50 });
    return new TokenSource(api, store, "ada").token();
  },
  "/missing-guild": () => new User(botToken, { ...fake, tokenType: "Bot" }).getGuild("1"),
  "/lost-code": () => {
    fake.failNext({ path: "/oauth2/token", status: 500 });
    return client().accessToken("c0de");
  },
  "/platform-down": () => {
    fake.failNext({ path: "/oauth2/token", status: 500 });
    return client().refresh("fake_refresh_token");
  },
  "/block": () => {
    fake.failNext({ path: /@me/, edge: true });
    return user().getCurrentUser();
  },
  "/wrong-response": () => {
    fake.failNext({ path: /@me/, body: "<html>" });
    return user().getCurrentUser();
  },
  "/own-mistake": () => {
    throw new Error("A mistake of the application");
  },
  "/own-status": () => {
    throw Object.assign(new Error("An error of the application"), { status: 418 });
  },
  "/http-exception": () => {
    throw new HTTPException(418);
  },
};

function client(clientSecret = secret): PlatformApi {
  return new PlatformApi(id, clientSecret, ["identify"], redirectUri, fake);
}

function login(): AnyLogin {
  const options = { clientId: id, clientSecret: secret, secret: crypto.randomUUID() };
  return new Login({ ...options, ...fake, scope: ["identify"] });
}

function user(): User {
  const { access_token: token } = fake.issueToken({ as: "ada", scopes: ["identify"] });
  return new User(token, fake);
}

/** Serves one request over HTTP. */
async function openOnServer(listener: RequestListener, path: string): Promise<WholeResponse> {
  const server = createServer(listener);
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  try {
    const address = server.address();
    const port = typeof address === "object" ? address?.port : undefined;
    return await readWhole(await fetch(`http://127.0.0.1:${port}${path}`));
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
}

async function readWhole(response: Response): Promise<WholeResponse> {
  return { status: response.status, headers: response.headers, text: await response.text() };
}
