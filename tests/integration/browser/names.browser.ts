import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import * as worker from "../../../examples/cloudflare_worker/src/pages.ts";
import * as dashboard from "../../../examples/dashboard/pages.ts";
import { inviteBuilderPage } from "../../../examples/demo/invite_builder.ts";
import { serveModule } from "../../../examples/demo/modules.ts";
import * as demo from "../../../examples/demo/pages.ts";
import { createApi } from "../../../examples/single_page_app/api.ts";
import { serveFrontend } from "../../../examples/single_page_app/frontend.ts";
import { canInstall, User } from "../../../mod.ts";
import {
  createFakePlatform,
  type FakePlatform,
  type FakeUser,
  sampleApplication,
} from "../../../src/testing/mod.ts";
import { type BrowserPage, closeBrowsers, openBrowser } from "../../support/browsers.ts";
import { expectNames, findLayoutFaults } from "../../support/name_layout.ts";
import { type NodeServer, serveHandler } from "../../support/node_server.ts";
import { expectText, expectWellShown, savePicture, type View } from "../../support/shown.ts";

/** Git ignores this folder. */
const pictures = fileURLToPath(new URL(".pictures/", import.meta.url));

/** Names that might break a page. The second one begins with a right-to-left override, and the last one is a space without width and a Hangul filler. */
const names = {
  long: "Donaudampfschifffahrtsgesellscha",
  reversed: "\u202eecalevoL adA",
  hebrew: "עדה לאבלייס (מנהלת)!",
  emoji: "👩🏽‍🚀🇩🇪🎉👩🏽‍🚀🇩🇪🎉👩🏽‍🚀🇩🇪🎉",
  invisible: "\u200b\u3164",
};
type Kind = keyof typeof names;
const kinds = Object.keys(names) as Kind[];

const users = kinds.map((kind, at): FakeUser => ({
  id: `10000000000000001${at}`,
  username: names[kind],
  global_name: names[kind],
}));
const [{ id: owner = "" } = {}] = users;

const guilds = kinds.map((kind, at) => ({
  id: `12000000000000001${at}`,
  name: names[kind].repeat(3),
  description: kind === "invisible" ? null : names[kind],
  roles: kinds.map((role, index) => ({
    id: `1300000000000001${at}${index}`,
    name: names[role],
  })),
  members: { [owner]: { owner: true } },
  bots: { [sampleApplication.id]: "0" },
}));

const applications = kinds.map((kind, at) => ({
  ...sampleApplication,
  id: at === 0 ? sampleApplication.id : `11000000000000001${at}`,
  botToken: `token-${at}`,
  icon: null,
  name: names[kind],
  description: names[kind],
}));

const servers: NodeServer[] = [];
let base: string;
let frontend: string;
let fake: FakePlatform;

/** The request handler of the API of the single-page application. */
let respond: (request: Request) => Promise<Response>;

/** The pages of the examples, by their path. */
let pages: Readonly<Record<string, () => Response | Promise<Response>>>;

beforeAll(async () => {
  base = await serve(async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === "/invite") {
      return await inviteBuilderPage({ authorizeUrl: base, clientId: "1" });
    }
    return await pages[pathname]?.() ?? await serveModule(pathname) ?? await fake.handler(request);
  });
  fake = createFakePlatform({ origin: base, users, guilds, applications });
  pages = await examplePages();
  const api = await serve((request) => respond(request));
  frontend = await serve((request) => serveFrontend(request, api));
  respond = createApi(api, frontend, createFakePlatform({ origin: api, users }));
});

afterAll(async () => {
  for (const server of servers) await server[Symbol.asyncDispose]();
  await closeBrowsers();
});

const views: readonly View[] = [
  { browser: "chromium", dark: false, width: 320 },
  { browser: "chromium", dark: true, width: 1280 },
];

test.each(views)("Names fit into all pages that are $width pixels wide", async (view) => {
  const page = await openBrowser(view.browser, view);
  const check = async (name: string): Promise<void> => {
    await expectNames(page, name, Object.values(names));
    // The rules of axe do not depend on the width, and its colors are tested with other names.
    if (!view.dark) await expectWellShown(page, name, view);
    await savePicture(page, pictures, name, view);
  };
  try {
    await page.goto(`${base}/`);
    await check("platform_index");
    await page.goto(`${base}/oauth2/authorize?client_id=404`);
    await check("platform_unknown_application");
    for (const [at, kind] of kinds.entries()) {
      const query = `client_id=${applications[at]?.id}&scope=bot&permissions=8`;
      await page.goto(`${base}/oauth2/authorize?${query}`);
      await check(`platform_consent_${kind}`);
    }
    for (const path of Object.keys(pages)) {
      await page.goto(base + path);
      await check(path.slice(1).replaceAll("/", "_"));
    }
    await page.goto(
      `${base}/invite#client_id=1&scope=bot+${kinds.map((kind) => names[kind]).join("+")}`,
    );
    const value = () => page.execute(`return document.getElementById("other-scopes").value`);
    await expect.poll(value).toContain(names.long);
    await check("invite_builder");
    for (const kind of ["long", "reversed", "invisible"] as const) {
      await logIn(page, kinds.indexOf(kind));
      if (kind === "invisible") await expectText(page, "(no name)");
      await check(`spa_${kind}`);
    }
  } finally {
    await page.close();
  }
});

test.each([
  ["finds words in another order", `<p>${names.reversed} logged in</p>`, [
    `reordered: ${names.reversed} logged in`,
  ]],
  ["finds a name before its words", `<p dir="rtl">of <bdi>Ada</bdi></p>`, [
    "after its name: of",
  ]],
  ["accepts a name after its words", "<p>of <bdi>Ada</bdi></p>", []],
  [
    "accepts lines that overlap",
    `<p style="width: 4em; line-height: 1">of several people</p>`,
    [],
  ],
])("The check of layouts %s", async (_what, html, faults) => {
  const page = await openBrowser("chromium");
  try {
    await page.goto("about:blank");
    await page.execute(`document.body.innerHTML = ${JSON.stringify(html)}`);
    await expect(findLayoutFaults(page, [])).resolves.toEqual(faults);
  } finally {
    await page.close();
  }
});

/** Serves a handler until the end of the tests. */
async function serve(handler: (request: Request) => Promise<Response>): Promise<string> {
  const server = await serveHandler(handler);
  servers.push(server);
  return server.origin;
}

/** Logs a user in to the single-page application. */
async function logIn(page: BrowserPage, at: number): Promise<void> {
  await page.goto(frontend);
  const isShown = (selector: string) =>
    page.execute(`return document.querySelector("${selector}")?.checkVisibility() === true`);
  await expect.poll(async () => await isShown("#login") || await isShown("#logout")).toBe(true);
  if (await isShown("#logout")) await page.click("#logout");
  await page.click("#login");
  await page.click(`a[href*="as=${users[at]?.id}"]`);
  await page.click("button[value=authorize]");
  await expect.poll(() => isShown("#logout")).toBe(true);
}

/** Renders the pages of the examples with all names. */
async function examplePages(): Promise<typeof pages> {
  const people = await Promise.all(users.map(async ({ id }) => {
    const { access_token } = fake.issueToken({ as: id, scopes: ["identify", "guilds"] });
    return await new User(access_token, fake).getCurrentUser();
  }));
  const { access_token } = fake.issueToken({ as: owner, scopes: ["identify", "guilds"] });
  const entries = await new User(access_token, fake).getUserGuilds();
  const bot = new User("token-0", { ...fake, tokenType: "Bot" });
  const listed = entries.map((guild) => ({ ...guild, isManaged: canInstall(guild), hasBot: true }));
  const each = people.map((person, at) => {
    const kind = kinds[at];
    const [entry, manageable] = [entries[at], listed[at]];
    return {
      [`/demo/profile/${kind}`]: () =>
        demo.profilePage(person, entries, { isFake: true, filter: "" }),
      [`/demo/guild/${kind}`]: async () =>
        entry
          ? demo.guildPage(entry, { kind: "member", guild: await bot.getGuild(entry.id, true) })
          : Response.error(),
      [`/dashboard/guild/${kind}`]: () =>
        manageable ? dashboard.guildPage(manageable, names.hebrew, true) : Response.error(),
    };
  });
  const [first] = people;
  if (!first) throw new Error("There is no user");
  const visitor = { id: first.id, name: names.long, avatarUrl: "", onlyManaged: false };
  return Object.assign({
    "/dashboard/guilds": () => dashboard.guildsPage(visitor, listed, 60_000),
    "/worker/guilds": () => worker.guildsPage(first, entries, fake.platform),
  }, ...each);
}
