// Opens the page of page_views_worker.ts many times in workerd: node page_views_in_workerd.ts <path of miniflare> <bundle>
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import process from "node:process";
import { createFakePlatform, nodeListener } from "@guildpass/sdk/testing";

const [module = "", scriptPath] = process.argv.slice(2);
const { Miniflare, supportedCompatibilityDate: compatibilityDate } = await import(module);

const server = createServer(nodeListener(respond));
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const fake = createFakePlatform({ origin, rateLimits: {} });
let isInTrouble = false;

async function respond(request: Request): Promise<Response> {
  await new Promise((resolve) => isInTrouble || setTimeout(resolve, 300));
  return await fake.fetch(request);
}

type View = (path?: string) => Promise<string>;

/** Opens pages in a new isolate. Returns their different texts, and the statuses from the platform. */
async function visit(open: (view: View) => Promise<readonly string[]>) {
  const { access_token: token } = fake.issueToken({ scopes: ["identify", "guilds"] });
  const bindings = { token, platform: { ...fake.platform } };
  const worker = new Miniflare({ modules: true, scriptPath, compatibilityDate, bindings });
  const before = fake.requests.length;
  const pages = await open(async (path = "/") =>
    await (await worker.dispatchFetch(`https://worker.example${path}`)).text()
  );
  await worker.dispose();
  const statuses = fake.requests.slice(before).map(({ status }) => status);
  return { views: pages.length, pages: [...new Set(pages)], statuses };
}

const visits = {
  atOnce: await visit((view) => Promise.all(Array.from({ length: 15 }, () => view()))),
  inARow: await visit(async (view) => {
    const pages = [];
    for (let count = 0; count < 20; count++) pages.push(await view());
    return pages;
  }),
  afterOneThatWasLeft: await visit(async (view) => {
    isInTrouble = true;
    const left = await view("/left");
    isInTrouble = false;
    return [left, ...await Promise.all([view(), view()])];
  }),
};
server.closeAllConnections();
server.close();
console.log(JSON.stringify(visits));
