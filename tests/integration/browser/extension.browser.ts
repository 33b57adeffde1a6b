import { build } from "esbuild";
import { copyFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type BrowserContext, chromium, type Page } from "playwright";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { ApiError, User } from "../../../mod.ts";
import { createFakePlatform, nodeListener } from "../../../src/testing/mod.ts";
import { listen } from "../../support/node_server.ts";

const root = new URL("../../../", import.meta.url);
const example = new URL("examples/browser_extension/", root);
let fake = createFakePlatform();
let server: Server;
let folder: string;
let context: BrowserContext;
let id: string;
let popup: Page;

/** The client id in the settings of the example. */
const clientId = "1024000000000000000";

beforeAll(async () => {
  server = createServer(nodeListener((request) => fake.fetch(request)));
  const origin = `http://127.0.0.1:${await listen(server)}`;
  fake = createFakePlatform({ origin });
  folder = await mkdtemp(join(tmpdir(), "guildpass-extension-"));
  await buildExtension(origin);
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
  fake = createFakePlatform({
    origin,
    applications: [{
      id: clientId,
      secret: null,
      redirectUris: [`https://${id}.chromiumapp.org/`],
    }],
  });
});

afterAll(async () => {
  await context.close();
  server.close();
  await rm(folder, { recursive: true });
});

beforeEach(async () => {
  popup = await context.newPage();
  await popup.goto(`chrome-extension://${id}/popup.html`);
});

afterEach(() => popup.close());

test("The extension logs a person in as a public client, and out", async () => {
  await popup.getByText("You are logged out").waitFor();
  const consent = await openConsentPage();
  expect(Object.fromEntries(new URL(consent.url()).searchParams)).toEqual({
    response_type: "code",
    client_id: clientId,
    scope: "identify",
    state: expect.stringMatching(/^[\w-]{43}$/),
    redirect_uri: `https://${id}.chromiumapp.org/`,
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge_method: "S256",
  });
  await consent.getByRole("button", { name: "Authorize" }).click();
  await popup.getByText("Hello, ada").waitFor();
  expect(tokenRequests()).toEqual([{
    grant_type: "authorization_code",
    client_id: clientId,
    code: expect.any(String),
    code_verifier: expect.any(String),
    redirect_uri: `https://${id}.chromiumapp.org/`,
  }]);

  const token = await storedIn("session");
  expect(token).toEqual({
    accessToken: expect.any(String),
    person: { id: "1000000000000000001", username: "ada" },
  });
  expect(await storedIn("local")).toEqual({});
  await popup.reload();
  await popup.getByText("Hello, ada").waitFor();

  await popup.click("#log-out");
  await popup.getByText("You are logged out").waitFor();
  expect(await storedIn("session")).toEqual({});
  await expect(new User(token.accessToken, fake).getCurrentUser()).rejects.toThrow(ApiError);
});

test("The extension stays logged out after a refused consent", async () => {
  const consent = await openConsentPage();
  await consent.getByRole("button", { name: "Cancel" }).click();
  await popup.getByText("That did not work. Please try again").waitFor();
  expect(await storedIn("session")).toEqual({});
  expect(tokenRequests()).toHaveLength(1);
  expect(await popup.isVisible("#log-in")).toBe(true);
});

async function openConsentPage(): Promise<Page> {
  const [consent] = await Promise.all([context.waitForEvent("page"), popup.click("#log-in")]);
  return consent;
}

/** Returns the bodies of the requests for a token. */
function tokenRequests(): unknown[] {
  return fake.requests.filter(({ path }) => path.endsWith("/oauth2/token"))
    .map(({ body }) => body);
}

/** Returns the content of a storage of Chrome. */
async function storedIn(area: "local" | "session"): Promise<{ accessToken: string }> {
  return await popup.evaluate(`chrome.storage.${area}.get()`);
}

/** Bundles the scripts of the extension, with the fake platform in place of Discord. */
async function buildExtension(origin: string): Promise<void> {
  await build({
    entryPoints: ["background.ts", "popup.ts"].map((name) => fileURLToPath(new URL(name, example))),
    outdir: folder,
    bundle: true,
    format: "esm",
    target: "es2022",
    alias: { "@guildpass/sdk": fileURLToPath(new URL("mod.ts", root)) },
    plugins: [{
      name: "packages and settings",
      setup({ onResolve, onLoad, resolve }): void {
        onResolve({ filter: /^npm:/ }, ({ path, kind }) => {
          const name = path.replace(/^npm:((?:@[^/]+\/)?[^/@]+)(?:@[^/]+)?/, "$1");
          return resolve(name, { resolveDir: fileURLToPath(root), kind });
        });
        onLoad({ filter: /browser_extension\/config\.ts$/ }, async ({ path }) => {
          const text = await readFile(path, "utf8");
          const { platform } = fake;
          return {
            contents: text.replace("| null = null", `| null = ${JSON.stringify(platform)}`),
            loader: "ts",
          };
        });
      },
    }],
    logLevel: "error",
  });
  const manifest = await readFile(new URL("manifest.json", example), "utf8");
  await writeFile(
    join(folder, "manifest.json"),
    manifest.replace(
      "https://discord.com/api/*",
      `${new URL(origin).origin.replace(/:\d+$/, "")}/*`,
    ),
  );
  await copyFile(new URL("popup.html", example), join(folder, "popup.html"));
}
