import { Miniflare } from "miniflare";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { unstable_getMiniflareWorkerOptions } from "wrangler";
import {
  CookieJar,
  createFakePlatform,
  type FakePlatform,
  nodeListener,
  sampleApplication,
} from "../../../src/testing/mod.ts";
import { freePort } from "../../support/free_port.ts";
import { bundleWorker } from "./support/bundle.ts";
import { readGuide } from "./support/worker_guide.ts";

const { usual, assets: files } = readGuide();
const singlePageApp = "<!doctype html><title>The single-page application</title>";

describe("A Worker behind a single-page application, configured as in the guide", () => {
  let site: Site;
  beforeAll(async () => {
    site = await startSite({ ...usual, ...files });
  });
  afterAll(() => site[Symbol.asyncDispose]());

  test("logs in a browser that navigates", async () => {
    const consent = locationOf(await site.navigate("/login?returnTo=/members"));
    expect(consent).toContain("/oauth2/authorize?");
    const callback = await site.navigate(await site.fake.authorize(consent, { as: "ada" }));
    expect(locationOf(callback)).toBe(`${site.origin}/members`);
    expect(await (await site.navigate("/members")).text()).toBe(singlePageApp);
    expect(await (await site.read("/api/me")).text()).toBe("Hello, ada");
  });

  test("serves the application at every other address", async () => {
    for (const path of ["/", "/members", "/logins"]) {
      expect(await (await site.navigate(path)).text()).toBe(singlePageApp);
    }
  });
});

test("A Worker behind a single-page application loses a navigation to the login without run_worker_first", async () => {
  const { run_worker_first: _, ...assets } = files.assets;
  await using site = await startSite({ ...usual, assets });
  for (const path of ["/login", "/callback?code=1&state=2"]) {
    const response = await site.navigate(path);
    expect([response.status, await response.text()]).toEqual([200, singlePageApp]);
  }
  // No browser sends this request at a login, but curl does.
  expect((await site.read("/login")).status).toBe(302);
});

test("A Worker behind a single-page application gets no request outside of run_worker_first", async () => {
  const assets = { ...files.assets, run_worker_first: ["/login", "/callback", "/logout"] };
  await using site = await startSite({ ...usual, assets });
  expect(await (await site.read("/api/me")).text()).toBe(singlePageApp);
});

interface Site extends AsyncDisposable {
  readonly origin: string;
  readonly fake: FakePlatform;
  /** Opens a page as a browser does. It follows no redirect. */
  navigate(path: string): Promise<Response>;
  /** Sends the request of a script, or of curl. */
  read(path: string): Promise<Response>;
}

/** Starts the recipe of the guide in workerd, behind the real router of static assets. */
async function startSite(configuration: Record<string, unknown>): Promise<Site> {
  let fake = createFakePlatform();
  const server = createServer(nodeListener((request) => fake.fetch(request)));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const platform = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const applications = [{ ...sampleApplication, redirectUris: [`${origin}/callback`] }];
  fake = createFakePlatform({ origin: platform, applications });
  const folder = await mkdtemp(join(tmpdir(), "guildpass-assets-"));
  await mkdir(join(folder, "public"));
  await writeFile(join(folder, "public/index.html"), singlePageApp);
  await writeFile(join(folder, "wrangler.json"), JSON.stringify(configuration));
  await writeFile(join(folder, "worker.ts"), "");
  const { workerOptions } = unstable_getMiniflareWorkerOptions(join(folder, "wrangler.json"));
  const miniflare = new Miniflare({
    host: "127.0.0.1",
    port,
    workers: [{
      ...workerOptions,
      modules: true,
      script: await bundleWorker(
        new URL("../../../examples/frameworks/worker.ts", import.meta.url),
      ),
      bindings: {
        DISCORD_CLIENT_ID: sampleApplication.id,
        DISCORD_CLIENT_SECRET: sampleApplication.secret,
        LOGIN_SECRET: crypto.randomUUID(),
        DISCORD_PLATFORM: JSON.stringify(fake.platform),
      },
    }],
  });
  await miniflare.ready;
  const jar = new CookieJar();
  const open = async (path: string, headers: Record<string, string>): Promise<Response> => {
    const url = new URL(path, origin);
    const response = await fetch(jar.request(url.href, { headers, redirect: "manual" }));
    jar.store(response, url);
    return response;
  };
  return {
    origin,
    fake,
    navigate: (path) => open(path, { "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" }),
    read: (path) => open(path, { "sec-fetch-mode": "cors" }),
    async [Symbol.asyncDispose]() {
      await miniflare.dispose();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(folder, { recursive: true });
    },
  };
}

function locationOf(response: Response): string {
  return response.headers.get("location") ?? `no redirect, but ${response.status}`;
}
