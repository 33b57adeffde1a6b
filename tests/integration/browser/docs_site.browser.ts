import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import configuration from "../../../deno.json" with { type: "json" };
import { run } from "../../../scripts/command.ts";
import { entryPoints } from "../../../scripts/package.ts";
import { violations } from "../../support/axe.ts";
import { type BrowserPage, closeBrowsers, openBrowser } from "../../support/browsers.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const generator = join(root, "scripts/docs_site");
const entryPointNames = entryPoints.map(({ name }) => configuration.name + name.slice(1));

/** The folder of a host that the site is built for. The workflow that publishes the site builds it for this one. */
const base = process.env["DOCS_SITE_BASE"] ?? "/sdk/";

/** A folder of files on a server of its own, without any other host. */
interface Site {
  readonly server: Server;
  /** The address of the first page, without a slash at its end. */
  readonly address: string;
  /** The paths that were not found, and the reports of requests to other hosts. */
  readonly problems: string[];
}

let site: Site;
/** The texts of the pages, by path. */
const pages = new Map<string, string>();

beforeAll(async () => {
  const build = [
    Deno.execPath(),
    "task",
    "--quiet",
    "--cwd",
    "scripts/docs_site",
    "build",
  ] as const;
  await run([...build, "--base", base]);
  const names = await readdir(join(root, "site"), { recursive: true });
  for (const name of names.filter((name) => name.endsWith(".html"))) {
    pages.set(`/${name}`, await readFile(join(root, "site", name), "utf8"));
  }
  site = await serve(join(root, "site"));
});

afterAll(async () => {
  site?.server.close();
  await closeBrowsers();
});

describe("The documentation site", () => {
  test("has a page for each guide and each entry point", () => {
    const guides = ["/index.html", "/docs/sessions.html", "/SECURITY.html", "/CONTRIBUTING.html"];
    const modules = entryPoints.map(({ name }) => `/api/sdk${name.slice(1)}/index.html`);
    expect([...pages.keys()]).toEqual(
      expect.arrayContaining([...guides, ...modules, "/CHANGELOG.html", "/404.html"]),
    );
  });

  test("links only to pages and headings that exist", () => {
    const idsOf = new Map([...pages].map(([path, html]) => {
      return [path, new Set([...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id))];
    }));
    const links = [...pages].flatMap(([page, html]) =>
      [...html.matchAll(/<a [^>]*?href="([^"]*)"/g)].map(([, href = ""]) => ({ page, href }))
    );
    const own = links.filter(({ href }) => !/^[a-z]+:/.test(href));
    const broken = own.filter(({ page, href }) => {
      const { pathname, hash } = new URL(href, `https://site.invalid${base}${page.slice(1)}`);
      const ids = idsOf.get(withoutBase(pathname).replace(/\/$/, "/index.html"));
      return !ids || (hash !== "" && !ids.has(decodeURIComponent(hash.slice(1))));
    });
    expect(own.length).toBeGreaterThan(2000);
    expect(broken).toEqual([]);
  });

  test("links to files without a page on the host of the repository", () => {
    const repository = "https://github.com/guildpass/sdk/blob/main/";
    expect(pages.get("/index.html")).toContain(`href="${repository}examples/dashboard"`);
    expect(pages.get("/docs/stores.html")).toContain(
      `href="${repository}examples/stores/redis.ts"`,
    );
  });

  test("shows its name in the titles, the version, and links to edit each page", () => {
    const { name, version } = configuration;
    const edit = "https://github.com/guildpass/sdk/edit/main/";
    const sources = {
      "/index.html": ["", "README.md"],
      "/docs/sessions.html": ["Sessions | ", "docs/sessions.md"],
      "/api/sdk/login/classes/Login.html": ["Login | ", "src/login/login.ts"],
    } as const;
    for (const [path, [title, source]] of Object.entries(sources)) {
      expect(pages.get(path)).toContain(`<title>${title}${name}</title>`);
      expect(pages.get(path)).toContain(`href="${edit}${source}"`);
      expect(pages.get(path)).toContain(`>v${version}<`);
    }
  });

  test("leads to the previous and the next page", () => {
    expect(pages.get("/docs/sessions.html")).toMatch(/Previous page.*Choosing who may log in/);
    expect(pages.get("/docs/sessions.html")).toMatch(/Next page.*Logging out/);
  });

  test("has an API of at most 5 MB, and at most 10 MB in all", async () => {
    const names = await readdir(join(root, "site"), { recursive: true });
    const sizes = await Promise.all(names.map(async (name) => {
      const { size } = await stat(join(root, "site", name));
      return { name, size };
    }));
    const sum = (found: typeof sizes) => found.reduce((total, { size }) => total + size, 0);
    const api = sizes.filter(({ name }) => /^api\/|^assets\/api_/.test(name));
    expect(api.length).toBeGreaterThan(50);
    expect(sum(api)).toBeLessThan(5_000_000);
    expect(sum(sizes)).toBeLessThan(10_000_000);
  });
});

describe("The API reference", () => {
  /** The imports at the begin of the pages, by path of the Markdown. */
  const imports = new Map<string, string>();

  beforeAll(async () => {
    const folder = join(generator, "dist/pages/api");
    for (const name of await readdir(folder, { recursive: true })) {
      const markdown = name.endsWith(".md") ? await readFile(join(folder, name), "utf8") : "";
      const [, code] = /^# .*\n\n```ts\n([^]*?)\n```/m.exec(markdown) ?? [];
      if (code) imports.set(name, code);
    }
  });

  test("lists every entry point with a sentence", () => {
    const [, index = ""] =
      /<table[^]*?<tbody>([^]*)<\/tbody>/.exec(pages.get("/api/index.html") ?? "") ??
        [];
    expect(pages.get("/api/index.html")).toMatch(/<h2 [^>]*>Entry points /);
    const rows = [...index.matchAll(/<tr><th [^>]*><a [^>]*>([^<]*)<\/a><\/th><td>(.+?)<\/td>/g)];
    expect(rows.map(([, name]) => name)).toEqual(entryPointNames);
    for (const [, , sentence] of rows) expect(sentence).toMatch(/^[A-Z].*\.$/);
  });

  test("imports from entry points, and every import compiles", async () => {
    const folder = await mkdtemp(join(root, ".blocks-"));
    try {
      expect(imports.size).toBeGreaterThan(40);
      for (const [name, code] of imports) {
        const [, from] = /"([^"]*)";$/.exec(code) ?? [];
        expect(entryPointNames).toContain(from);
        const file = join(folder, name.replace(/md$/, "ts"));
        await mkdir(join(file, ".."), { recursive: true });
        await writeFile(file, code);
      }
      await run([Deno.execPath(), "check", "--quiet", folder]);
    } finally {
      await rm(folder, { recursive: true });
    }
    expect(imports.get("sdk/login/classes/Login.md")).toBe(
      'import { Login } from "@guildpass/sdk/login";',
    );
  });

  test("links to the guides on a subject", () => {
    const linksOf = (path: string) =>
      [.../id="guides"[^]*$/.exec(pages.get(path) ?? "")?.[0].matchAll(/href="([^"]*)"/g) ?? []]
        .map(([, href = ""]) => href.replace(/.*\/docs\//, ""));
    expect(linksOf("/api/sdk/Tokens/classes/TokenSource.html")).toContain(
      "keeping_people_logged_in.html",
    );
    expect(linksOf("/api/sdk/testing/index.html")).toContain("testing_your_app.html");
    expect(linksOf("/api/sdk/webhook-events/index.html")).toContain("webhook_events.html");
  });

  test("names the classes of errors that a method throws, and the defaults of options", () => {
    expect(pages.get("/api/sdk/login/classes/Login.html")).toMatch(
      /<a href="[^"]*StoreTimeoutError.html">StoreTimeoutError<\/a>: If the store does not respond/,
    );
    expect(pages.get("/api/sdk/login/index.html")).toContain(
      "<p>Default: <code>&quot;/&quot;</code></p>",
    );
  });
});

describe.each([["light", false], ["dark", true]])("The documentation site in %s", (_name, dark) => {
  let page: BrowserPage;

  beforeAll(async () => {
    page = await openBrowser("chromium", { dark });
  });

  afterAll(() => page.close());

  test.each([
    "/",
    "/docs/sessions.html",
    "/api/",
    "/api/sdk/login/",
    "/api/sdk/login/classes/Login.html",
    "/no_such_page",
  ])("is accessible on %s", async (path) => {
    await page.goto(site.address + path);
    await expect.poll(() => page.execute(`return document.querySelector("h1").textContent`))
      .toBeTruthy();
    expect(await page.execute(`return document.documentElement.classList.contains("dark")`))
      .toBe(dark);
    expect(await violations(page)).toEqual([]);
  });

  test("is accessible with results of the search", async () => {
    await page.goto(`${site.address}/docs/tour.html`);
    expect(await search(page, "returnTo")).not.toEqual([]);
    expect(await violations(page)).toEqual([]);
  });
});

test("The summary of the comparison fits a phone", async () => {
  const page = await openBrowser("chromium", { width: 320 });
  await page.goto(`${site.address}/docs/comparison.html`);
  const shown = await page.execute(`
    const table = document.querySelector("table");
    const isScrolled = table.scrollWidth > table.clientWidth || table.scrollHeight > table.clientHeight;
    return { cells: table.querySelectorAll("th, td").length, isScrolled };`);
  expect(shown).toEqual({ cells: 7 * 6, isScrolled: false });
  await page.close();
});

test("The comparison keeps the names of rows and columns in sight", async () => {
  const page = await openBrowser("chromium", { width: 390 });
  await page.goto(`${site.address}/docs/comparison.html`);
  const shown = await page.execute(`
    const tables = [...document.querySelectorAll("table")];
    const table = tables.toSorted((one, other) => other.scrollWidth - one.scrollWidth)[0];
    table.scrollIntoView();
    table.scrollTo(table.scrollWidth, table.scrollHeight);
    const frame = table.getBoundingClientRect();
    const column = table.querySelector("thead th:last-child").getBoundingClientRect();
    const row = table.querySelector("tbody tr:last-child th[scope=row]").getBoundingClientRect();
    return {
      isScrolled: table.scrollLeft > 0 && table.scrollTop > 0,
      fits: document.documentElement.scrollWidth <= innerWidth,
      hasColumn: column.top - frame.top < 2,
      hasRow: row.left - frame.left < 2 && row.width < frame.width / 2,
    };`);
  expect(shown).toEqual({ isScrolled: true, fits: true, hasColumn: true, hasRow: true });
  await page.close();
});

describe("The search", () => {
  let page: BrowserPage;

  beforeAll(async () => {
    page = await openBrowser("chromium", { width: 390 });
  });

  afterAll(() => page.close());

  test.each([
    ["returnTo", "/api/sdk/login/#returnto"],
    ["invalid_grant", "/docs/errors.html#"],
    ["TokenSource", "/api/sdk/Tokens/classes/TokenSource.html#tokensource"],
    ["log out everywhere", "/docs/logging_out.html#log-out"],
    ["invalid redirect uri", "/docs/troubleshooting.html#fix-invalid-oauth2-redirect_uri"],
    ["token expired", "/docs/refreshing_tokens.html#refresh-an-expired-token"],
    ["what if discord is down", "/docs/troubleshooting.html#if-discord-is-down"],
    ["is it safe", "/docs/security.html#safe-against-these-attacks"],
    ["test without discord", "/docs/testing_your_app.html#"],
    ["express", "/docs/express.html#express"],
  ])("finds %j first on the right page", async (words, address) => {
    await page.goto(`${site.address}/docs/tour.html`);
    expect((await search(page, words))[0]).toContain(address);
  });

  test("leads to the result", async () => {
    await page.goto(`${site.address}/`);
    expect((await search(page, "TokenSource"))[0]).toContain("TokenSource.html");
    await page.press("Enter");
    await expect.poll(() => page.url()).toContain("/api/sdk/Tokens/classes/TokenSource.html");
  });
});

test("The documentation site has a button that copies code", async () => {
  const page = await openBrowser("chromium");
  await page.goto(`${site.address}/`);
  await page.execute(`navigator.clipboard.writeText = async (text) => { window.copied = text; };`);
  await expect.poll(async () => {
    await page.execute(`document.querySelector("button.copy").click();`);
    return await page.execute(`return window.copied ?? ""`);
  }).toContain("npx -y deno@2.9.6 task demo");
  await page.close();
});

test("The documentation site leads from its first page to a guide", async () => {
  const page = await openBrowser("chromium");
  try {
    await page.goto(`${site.address}/`);
    await page.click(`a[href='${base}docs/sessions.html']`);
    await expect.poll(() => page.execute(`return document.querySelector("h1").textContent`))
      .toContain("Sessions");
  } finally {
    await page.close();
  }
});

test("The documentation site asks no other host for anything", () => {
  // All pages of these tests came from it, with a policy that reports requests to other hosts.
  expect(site.problems.filter((problem) => problem !== `${base}no_such_page`)).toEqual([]);
});

/** Searches on the current page, and returns the addresses of the results. */
async function search(page: BrowserPage, words: string): Promise<string[]> {
  // Otherwise it would begin with the words of the search before.
  await page.execute(`sessionStorage.clear();`);
  await expect.poll(async () => {
    await page.execute(`document.querySelector("#local-search button").click();`);
    return await page.execute(`return !!document.querySelector("#localsearch-input")`);
  }).toBe(true);
  await page.type("#localsearch-input", words);
  const results = () =>
    page.execute(
      `return [...document.querySelectorAll(".result")].map((link) => link.getAttribute("href"))`,
    ) as Promise<string[]>;
  await expect.poll(results).not.toEqual([]);
  return (await results()).map(withoutBase);
}

/** Returns a path below the base as it is on a site at the root of a host, and another path as one that no page has. */
function withoutBase(path: string): string {
  return path.startsWith(base) ? path.replace(base, "/") : `not below ${base}: ${path}`;
}

/** Serves a folder below the base, with its page for unknown paths. */
async function serve(folder: string): Promise<Site> {
  const problems: string[] = [];
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://site.invalid");
    if (pathname === "/report") {
      for await (const chunk of request) problems.push(String(chunk));
      response.writeHead(204).end();
      return;
    }
    const path = join(folder, pathname.replace(base, "/").replace(/\/$/, "/index.html"));
    const file = pathname.startsWith(base) && await readFile(path).catch(() => undefined);
    if (!file) problems.push(pathname);
    response.writeHead(file ? 200 : 404, {
      "content-type": types[/\.\w+$/.exec(path)?.[0] ?? ""] ?? types[".html"],
      "content-security-policy":
        "default-src 'self' 'unsafe-inline' 'unsafe-eval' data:; object-src 'none'; report-uri /report",
    });
    response.end(file || await readFile(join(folder, "404.html")));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port");
  return { server, address: `http://127.0.0.1:${address.port}${base.slice(0, -1)}`, problems };
}

const types: Readonly<Record<string, string>> = {
  ".css": "text/css",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".json": "application/json",
  ".png": "image/png",
};
