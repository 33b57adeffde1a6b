import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import * as worker from "../../../examples/cloudflare_worker/src/pages.ts";
import { createDemo } from "../../../examples/demo/app.ts";
import * as demoPages from "../../../examples/demo/pages.ts";
import {
  createFakePlatform,
  type FakeGuild,
  nodeListener,
  sampleApplication,
  sampleGuilds,
  sampleUsers,
} from "../../../src/testing/mod.ts";
import { NetworkError, PlatformApi, RateLimitError, User } from "../../../mod.ts";
import { LoginError } from "../../../src/login/mod.ts";
import {
  browserNames,
  type BrowserPage,
  closeBrowsers,
  openBrowser,
} from "../../support/browsers.ts";
import { listen } from "../../support/node_server.ts";
import { expectText, expectWellShown, views } from "../../support/shown.ts";

/** Names that might break a layout. */
const wideGuild: FakeGuild = {
  id: "1200000000000000099",
  name:
    "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft & <b>Co</b>",
  icon: null,
  members: { [sampleUsers[0].id]: {} },
};

/** As many guilds as the platform allows. Ada manages every fourth of these. */
const manyGuilds = Array.from({ length: 200 }, (_, at): FakeGuild => ({
  id: `${1300000000000000000n + BigInt(at)}`,
  name: `Guild ${at + 1}`,
  members: { [sampleUsers[0].id]: at % 4 === 3 ? { permissions: "32" } : {} },
}));

let server: Server;
let base: string;

/** The pages of the Worker by name, served below `/worker/`. */
let workerPages: Readonly<Record<string, () => Response>>;

/** Pages of the demo for other people than Ada, served below `/demo/`. */
let otherDemoPages: Readonly<Record<string, () => Response | Promise<Response>>>;

/** Ends all logins at the platform, as if everybody removed the application from their account. */
let removeApplication: () => Promise<void>;

beforeAll(async () => {
  server = createServer();
  base = `http://localhost:${await listen(server)}`;
  const redirectUri = `${base}/callback`;
  const fake = createFakePlatform({
    origin: base,
    applications: [{ ...sampleApplication, redirectUris: [redirectUri] }],
    users: sampleUsers,
    guilds: [...sampleGuilds, wideGuild],
  });
  const { id: clientId, secret: clientSecret, botToken } = sampleApplication;
  const { platform } = fake;
  const api = new PlatformApi(clientId, clientSecret, ["identify"], redirectUri, fake);
  removeApplication = async () => {
    await api.revoke(fake.issueToken({ as: "ada" }).access_token);
  };
  const demo = createDemo({
    clientId,
    clientSecret,
    botToken,
    redirectUri,
    platform,
    fake,
    log() {},
  });
  const token = fake.issueToken({ as: "ada", scopes: ["identify", "guilds"] });
  const user = new User(token.access_token, fake);
  const [me, guilds] = [await user.getCurrentUser(), await user.getUserGuilds()];
  const busy = { httpStatus: 429, retryAfter: 29.2, scope: "user", global: false } as const;
  workerPages = {
    start: () => worker.homePage(null),
    welcome: () => worker.homePage(me),
    guilds: () => worker.guildsPage(me, guilds, platform),
    not_found: () => worker.notFoundPage(),
    ended: () => worker.endedPage([]),
    still_logged_in: () =>
      worker.errorPage(new LoginError("Any", { reason: "cross_site", hint: "Any" })),
    busy: () => worker.errorPage(new RateLimitError("Any", busy)),
    no_response: () => worker.errorPage(new NetworkError("Any")),
    other: () => worker.errorPage(new Error("Any")),
  };
  const crowded = createFakePlatform({ guilds: manyGuilds });
  const crowdedToken = crowded.issueToken({ as: "ada", scopes: ["guilds"] }).access_token;
  const twoHundred = await new User(crowdedToken, crowded).getUserGuilds();
  const shown = { isFake: true, filter: "" };
  otherDemoPages = {
    no_guild: () => demoPages.profilePage(me, [], shown),
    many_guilds: () => demoPages.profilePage(me, twoHundred, shown),
    without_script: async () => {
      const page = demoPages.profilePage(me, twoHundred, { ...shown, filter: "guild 19" });
      return new Response((await page.text()).replace(/<script[^]*?<\/script>/, ""), page);
    },
    no_match: () => demoPages.profilePage(me, twoHundred, { ...shown, filter: "nothing" }),
  };
  vi.spyOn(console, "error").mockImplementation(() => {});
  const handler = async (request: Request): Promise<Response> => {
    const [, folder, name = ""] = new URL(request.url).pathname.split("/");
    const pages = { worker: workerPages, demo: otherDemoPages }[folder ?? ""];
    return await pages?.[name]?.() ?? await demo(request);
  };
  server.on("request", nodeListener(handler, { origin: base }));
});

afterAll(async () => {
  server.close();
  await closeBrowsers();
});

describe.each(views)("In %s,", (_, view) => {
  test("the pages of the demo are accessible, and fit into the window", async () => {
    const page = await openBrowser(view.browser, view);
    const check = async (name: string, path: string): Promise<void> => {
      await page.goto(base + path);
      await expectWellShown(page, name, view);
    };
    try {
      await check("demo_start", "/");
      await check("demo_not_found", "/nowhere");
      await check("demo_invited", "/oauth2/authorized");
      await check("demo_foreign_login", "/callback?code=x&state=y");
      await check("demo_invite", `/invite?guild_id=${sampleGuilds[0].id}`);
      await logIn(page);
      await check("demo_profile", "/");
      await page.execute(openDetails);
      await expectWellShown(page, "demo_profile_unfolded", view);
      await check("demo_guild", `/guild?id=${sampleGuilds[0].id}`);
      await check("demo_guild_without_bot", `/guild?id=${sampleGuilds[1].id}`);
      await check("demo_guild_without_permission", `/guild?id=${wideGuild.id}`);
      await check("demo_filtered", "/?filter=n");
      for (const name of Object.keys(otherDemoPages)) await check(`demo_${name}`, `/demo/${name}`);
      await removeApplication();
      await check("demo_ended", "/");
    } finally {
      await page.close();
    }
  });

  test("the pages of the Worker are accessible, and fit into the window", async () => {
    const page = await openBrowser(view.browser, view);
    try {
      for (const name of Object.keys(workerPages)) {
        await page.goto(`${base}/worker/${name}`);
        await expectWellShown(page, `worker_${name}`, view);
      }
    } finally {
      await page.close();
    }
  });

  test("the pages of the Deno script are accessible, and fit into the window", async () => {
    await using script = await startDenoScript();
    const { link } = script;
    const page = await openBrowser(view.browser, view);
    try {
      await page.goto(new URL("/nowhere", link).href);
      await expectWellShown(page, "deno_login_not_found", view);
      await page.goto(new URL("/callback?code=x&state=y", link).href);
      await expectWellShown(page, "deno_login_another", view);
      await page.goto(link);
      await page.click("button[value=authorize]");
      await expectText(page, "You may close this tab");
      await expectWellShown(page, "deno_login_end", view);
    } finally {
      await page.close();
    }
  });

  test("the page of the Deno script after a refused consent is accessible, and fits into the window", async () => {
    await using script = await startDenoScript();
    const page = await openBrowser(view.browser, view);
    try {
      await page.goto(script.link);
      await page.click("button[value=cancel]");
      await expectText(page, "That did not work");
      await expectWellShown(page, "deno_login_refused", view);
    } finally {
      await page.close();
    }
  });
});

test.each(browserNames)("The demo filters 200 guilds without a request, in %s", async (browser) => {
  const page = await openBrowser(browser);
  const visible = (selector: string) =>
    page.execute(`
      return [...document.querySelectorAll("${selector}")]
        .filter((element) => element.checkVisibility())
        .map((element) => element.dataset.guild ?? element.textContent.trim());`);
  try {
    await page.goto(`${base}/demo/many_guilds`);
    // The script has hidden it.
    await expect.poll(() => visible("#filter-button")).toEqual([]);
    const loaded = "return performance.getEntriesByType('resource').length";
    const before = await page.execute(loaded);
    await page.type("#filter", "guild 199");
    await expect.poll(() => visible("[data-guild]")).toEqual(["Guild 199"]);
    expect(await visible("h3")).toEqual(["Other guilds 150"]);
    expect(await visible("#filter-status")).toEqual(["1 of 200 guilds"]);
    expect(await page.url()).toBe(`${base}/demo/many_guilds`);
    await page.press("Enter");
    await expect.poll(() => page.url()).toBe(`${base}/demo/many_guilds?filter=guild+199`);
    await page.type("#filter", "!");
    await expectText(page, "No guild has this in its name");
    expect(await page.execute(loaded)).toBe(before);
  } finally {
    await page.close();
  }
});

test("The demo's invite builder makes links to the consent page of the demo's platform", async () => {
  const page = await openBrowser("chromium");
  try {
    await page.goto(`${base}/invite?guild_id=${sampleGuilds[0].id}`);
    const link = () => page.execute(`return document.getElementById("link").href`);
    await expect.poll(link).toMatch(
      new RegExp(`^${base}/oauth2/authorize\\?client_id=${sampleApplication.id}&scope=bot`),
    );
    await page.goto(String(await link()));
    await page.click("button[value=authorize]");
    await expectText(page, "The application was added");
  } finally {
    await page.close();
  }
});

/** Runs the Deno script until it shows its link. */
async function startDenoScript(): Promise<AsyncDisposable & { readonly link: string }> {
  const root = new URL("../../../", import.meta.url);
  const args = [
    "run",
    "--quiet",
    "--config=deno.json",
    "--allow-net",
    "examples/deno_login.ts",
    "--fake",
  ];
  const script = spawn(process.execPath, args, { cwd: fileURLToPath(root) });
  const ended = once(script, "exit");
  let printed = "";
  const link = await new Promise<string>((resolve, reject) => {
    script.stdout.on("data", (data) => {
      printed += data;
      const [found] = /http:\/\/localhost:\d+\/login/.exec(printed) ?? [];
      if (found) resolve(found);
    });
    script.stderr.on("data", (data) => printed += data);
    script.on("exit", () => reject(Error(`The script ended: ${printed}`)));
  });
  return {
    link,
    async [Symbol.asyncDispose]() {
      script.kill();
      await ended;
    },
  };
}

const openDetails =
  `for (const details of document.querySelectorAll("details")) details.open = true;`;

/** Logs in to the demo, through the consent page of the fake platform. */
async function logIn(page: BrowserPage): Promise<void> {
  await page.goto(`${base}/login`);
  await page.click("button[value=authorize]");
  const shown = () => page.execute(`return document.readyState + " " + location.href`);
  await expect.poll(shown).toBe(`complete ${base}/`);
}
