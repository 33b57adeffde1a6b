import { build } from "esbuild";
import { copyFile, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type BrowserContext, chromium, type Page } from "playwright";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { createServer } from "../../../examples/browser_extension/server.ts";
import { createFakePlatform } from "../../../src/testing/mod.ts";
import { type NodeServer, serveHandler } from "../../support/node_server.ts";

const root = new URL("../../../", import.meta.url);
const example = new URL("examples/browser_extension/", root);
let fake = createFakePlatform();
let respond: (request: Request) => Promise<Response>;
let server: NodeServer;
let folder: string;
let context: BrowserContext;
let id: string;
let popup: Page;

beforeAll(async () => {
  server = await serveHandler((request) => respond(request));
  folder = await mkdtemp(join(tmpdir(), "guildpass-extension-"));
  await buildExtension();
  context = await chromium.launchPersistentContext(join(folder, "profile"), {
    executablePath: "/usr/bin/chromium",
    headless: false,
    args: [
      "--headless=new",
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      `--disable-extensions-except=${folder}`,
      `--load-extension=${folder}`,
    ],
  });
  const worker = context.serviceWorkers()[0] ?? await context.waitForEvent("serviceworker");
  id = new URL(worker.url()).host;
  fake = createFakePlatform({ origin: server.origin });
  respond = createServer(server.origin, id, fake);
});

afterAll(async () => {
  await context.close();
  await server[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

beforeEach(async () => {
  popup = await context.newPage();
  await popup.goto(`chrome-extension://${id}/popup.html`);
});

afterEach(() => popup.close());

test("The extension logs a person in by the server, and out", async () => {
  await popup.getByText("You are logged out").waitFor();
  const consent = await openConsentPage();
  expect(new URL(consent.url()).searchParams.get("redirect_uri"))
    .toBe(`${server.origin}/callback`);
  await consent.getByRole("button", { name: "Authorize" }).click();
  await consent.getByRole("link").click();
  await popup.getByText("Hello, ada").waitFor();

  const { token } = await storedIn("session");
  expect(await storedIn("session")).toEqual({ token: expect.stringMatching(/^gps_[\w-]{43}$/) });
  expect(await storedIn("local")).toEqual({});
  expect(await sessionOf(token)).toMatchObject({ user: { username: "ada" } });
  await popup.reload();
  await popup.getByText("Hello, ada").waitFor();

  await popup.click("#log-out");
  await popup.getByText("You are logged out").waitFor();
  expect(await storedIn("session")).toEqual({ token: null });
  expect(await sessionOf(token)).toBeNull();
});

test("The extension stays logged out after a refused consent", async () => {
  const consent = await openConsentPage();
  const before = fake.requests.length;
  await consent.getByRole("button", { name: "Cancel" }).click();
  await consent.getByRole("link").click();
  await popup.getByText("That did not work. Please try again").waitFor();
  expect((await storedIn("session")).token).toBeFalsy();
  expect(fake.requests.slice(before).filter(({ path }) => path.endsWith("/oauth2/token"))).toEqual(
    [],
  );
  expect(await popup.isVisible("#log-in")).toBe(true);
});

async function openConsentPage(): Promise<Page> {
  const [consent] = await Promise.all([context.waitForEvent("page"), popup.click("#log-in")]);
  return consent;
}

/** Returns the session of a token, as the server sends it. */
async function sessionOf(token: string): Promise<unknown> {
  const headers = { authorization: `Bearer ${token}` };
  return await (await fetch(`${server.origin}/session`, { headers })).json();
}

/** Returns the content of a storage of Chrome. */
async function storedIn(area: "local" | "session"): Promise<{ token: string }> {
  return await popup.evaluate(`chrome.storage.${area}.get()`);
}

/** Bundles the scripts of the extension, with the address of the server. */
async function buildExtension(): Promise<void> {
  await build({
    entryPoints: ["background.ts", "popup.ts"].map((name) => fileURLToPath(new URL(name, example))),
    outdir: folder,
    bundle: true,
    format: "esm",
    target: "es2022",
    alias: { "@guildpass/sdk/browser": fileURLToPath(new URL("src/browser/mod.ts", root)) },
    plugins: [{
      name: "address",
      setup({ onLoad }): void {
        onLoad({ filter: /browser_extension\/session\.ts$/ }, async ({ path }) => {
          const text = await readFile(path, "utf8");
          const contents = text.replace("http://localhost:8787", server.origin);
          return { contents, loader: "ts" };
        });
      },
    }],
    logLevel: "error",
  });
  for (const name of ["manifest.json", "popup.html"]) {
    await copyFile(new URL(name, example), join(folder, name));
  }
}
