import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import configuration from "../../../deno.json" with { type: "json" };
import { run } from "../../../scripts/command.ts";
import { searchWords } from "../../../scripts/docs_site/search_words.ts";
import { groups } from "../../../scripts/lab/comparisons/login/rows.ts";
import { entryPoints } from "../../../scripts/package.ts";
import { violations } from "../../support/axe.ts";
import {
  browserNames,
  type BrowserPage,
  closeBrowsers,
  openBrowser,
} from "../../support/browsers.ts";
import {
  exactNames,
  firstResults,
  guildQuestions,
  otherWords,
  pageTitles,
  pastedMessages,
  plainQuestions,
  questions,
  realQuestions,
  typos,
  unknownThings,
} from "./docs_site_questions.ts";
import furtherQuestions from "./docs_site_questions.json" with { type: "json" };

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
  /** The server sends the index of the search after this. */
  indexIsReady?: Promise<void>;
  /** The server has no files with this in their names, as after a new version of the site. */
  missing?: string;
}

let site: Site;
/** The output of the preview without a built site. */
let previewWithoutSite: string;
/** The texts of the pages, by path. */
const pages = new Map<string, string>();

beforeAll(async () => {
  await rm(join(root, "site"), { recursive: true, force: true });
  const task = [Deno.execPath(), "task", "--quiet", "--cwd", "scripts/docs_site"] as const;
  previewWithoutSite = await run([...task, "preview"]).catch(({ message }) => message);
  await run([...task, "build", "--base", base]);
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

/** Returns the name of the file with the index of the search. */
async function indexName(): Promise<string> {
  const names = await readdir(join(root, "site/assets/chunks"));
  return names.find((name) => name.includes("SearchIndexroot")) ?? "";
}

describe("The documentation site", () => {
  test("has a page for each guide and each entry point", () => {
    const guides = ["/README.html", "/docs/sessions.html", "/SECURITY.html", "/CONTRIBUTING.html"];
    const modules = entryPoints.map(({ name }) => `/api/sdk${name.slice(1)}/index.html`);
    const others = ["/index.html", "/invite-builder/index.html", "/CHANGELOG.html", "/404.html"];
    expect([...pages.keys()]).toEqual(expect.arrayContaining([...guides, ...modules, ...others]));
  });

  test("has no preview before its first build, and says so in one line", () => {
    const [, ...lines] = previewWithoutSite.trim().split("\n");
    expect(lines.filter((line) => !line.startsWith("npm warn"))).toEqual([
      "There is no site yet: first run `deno task --cwd scripts/docs_site build`",
    ]);
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
    expect(pages.get("/docs/README.html")).toContain(`href="${repository}examples/dashboard"`);
    expect(pages.get("/docs/stores.html")).toContain(`href="${repository}src/stores/redis.ts"`);
  });

  test("shows its name in the titles, the version, and links to edit each page", () => {
    const { name, version } = configuration;
    const edit = "https://github.com/guildpass/sdk/edit/main/";
    const sources = {
      "/README.html": ["", "README.md"],
      "/docs/sessions.html": ["Sessions | ", "docs/sessions.md"],
      "/api/sdk/login/classes/Login.html": ["Login | ", "src/login/login.ts"],
    } as const;
    for (const [path, [title, source]] of Object.entries(sources)) {
      expect(pages.get(path)).toContain(`<title>${title}${name}</title>`);
      expect(pages.get(path)).toContain(`href="${edit}${source}"`);
      expect(pages.get(path)).toContain(`>v${version}<`);
    }
  });

  test("groups the options of a login as their guide does", () => {
    const guide = headings("/docs/login_options.html");
    expect(guide.length).toBeGreaterThan(4);
    expect(headings("/api/sdk/login/interfaces/LoginOptions.html"))
      .toEqual([...guide, "extends", "guides"]);
  });

  test("lists all options of a login at the top of their page, inherited ones too", async () => {
    const guide = await readFile(join(root, "docs/login_options.md"), "utf8");
    const options = [...guide.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name);
    const page = pages.get("/api/sdk/login/interfaces/LoginOptions.html") ?? "";
    const [list = ""] = /<div class="members">[^]*?<\/div>/.exec(page.split("<h2 id")[0] ?? "") ??
      [];
    const links = [...list.matchAll(/href="#([^"]*)"[^>]*><code>(\w+)</g)];
    expect(links.map(([, , name]) => name)).toEqual(options);
    expect(options).toEqual(expect.arrayContaining(["platform", "fetch", "timeout", "clientId"]));
    for (const [, anchor, name = ""] of links) {
      expect(page).toMatch(new RegExp(`<h3 id="${anchor}" tabindex="-1">${name}\\??\\s`));
    }
  });

  test.each([
    ...["login/classes/Login", "API/classes/User", "auth-url/classes/Bot"],
    ...["browser/classes/SessionClient", "Errors/classes/MissingScopeError"],
    "testing/interfaces/FakePlatform",
  ])(
    "lists the members of %s by group before its first heading",
    (path) => {
      const page = pages.get(`/api/sdk/${path}.html`) ?? "";
      const [, list = ""] = /<div class="members">([^]*?)<\/div>/.exec(page) ?? [];
      const listed = [...list.matchAll(/href="#([^"]*)"/g)].map(([, anchor]) => anchor);
      const shown = [...page.matchAll(/<h3 id="([^"]*)"/g)].map(([, id]) => id);
      expect(listed).toEqual(shown);
      expect(page.indexOf('class="members"')).toBeLessThan(page.indexOf("<h2 id"));
    },
  );

  test("shows the members of a class in the order that most readers look for them", () => {
    const expected = {
      "auth-url/classes/Bot": ["new-bot", "url", "tostring", "href"],
      "browser/classes/SessionClient": [
        ...["new-sessionclient", "state", "subscribe", "refresh"],
        ...["login", "logout", "enter", "fetch"],
      ],
    };
    for (const [path, ids] of Object.entries(expected)) {
      const page = pages.get(`/api/sdk/${path}.html`) ?? "";
      expect([...page.matchAll(/<h3 id="([^"]*)"/g)].map(([, id]) => id)).toEqual(ids);
    }
  });

  test("shows the type parameters of a class before its members", () => {
    for (const path of ["auth-url/classes/Bot", "API/classes/User", "login/classes/Login"]) {
      const [above = ""] = pages.get(`/api/sdk/${path}.html`)?.split("<h3 id") ?? [];
      expect(above, path).toContain("<summary>Type parameters</summary>");
    }
  });

  test("leads to the previous and the next page", () => {
    expect(pages.get("/docs/sessions.html")).toMatch(/Previous page.*Your first login/);
    expect(pages.get("/docs/sessions.html")).toMatch(/Next page.*Choosing who may log in/);
  });

  test("shows the summary and the reasons of the README on its first page", async () => {
    const readme = await readFile(join(root, "README.md"), "utf8");
    const home = pages.get("/index.html")?.replace(/<[^>]*>|&quot;/g, "")
      .replaceAll("&#39;", "'").replace(/\s+/g, " ") ??
      "";
    const paragraphs = readme.split("\n\n").filter((text, index) =>
      index === 1 || /^\*\*(Why this one|Choose something else)/.test(text)
    );
    expect(paragraphs).toHaveLength(3);
    const words = paragraphs.join(" ").replace(/\[|\]\(.*?\)|["*`]/g, "").split(/\s+/);
    expect(words.length).toBeGreaterThan(100);
    expect(words.filter((word) => !home.includes(word))).toEqual([]);
    const [first = ""] =
      /^This library adds .*?\./.exec(paragraphs[0]?.replace(/\n/g, " ") ?? "") ??
        [];
    expect(pages.get("/index.html")?.match(/<p>This library adds/g)).toBe(null);
    expect(home).toContain(first);
  });

  test("has an address, a picture and a summary of each page for other sites", async () => {
    const published = "https://guildpass.github.io/sdk/";
    const guide = pages.get("/docs/sessions.html");
    expect(guide).toContain(`<meta property="og:url" content="${published}docs/sessions.html">`);
    expect(guide).toContain(`<meta property="og:image" content="${published}social.png">`);
    expect(guide).toMatch(/<meta property="og:description" content="After a login, [^"]{50,}">/);
    for (const page of pages.values()) expect(page).not.toMatch(/<meta [^>]*content="[^"]*"[^\s>]/);
    const sitemap = await readFile(join(root, "site/sitemap.xml"), "utf8");
    expect(sitemap).toContain(`<loc>${published}docs/sessions.html</loc>`);
    expect(sitemap).toContain(`<loc>${published}</loc>`);
  });

  test("lists all guides for language models, with their Markdown", async () => {
    const index = await readFile(join(root, "site/llms.txt"), "utf8");
    expect(index).toMatch(/^# @guildpass\/sdk\n\n> .+\n\n.+\n\n## Logging in\n\n- \[/);
    const links = [
      ...index.matchAll(/^- \[.+\]\(https:\/\/guildpass\.github\.io\/sdk\/(.+)\): .+/gm),
    ];
    const all = await readFile(join(root, "site/llms-full.txt"), "utf8");
    expect(links.length).toBeGreaterThan(30);
    for (const [, path = ""] of links) {
      const markdown = await readFile(join(root, path), "utf8");
      expect(await readFile(join(root, "site", path), "utf8")).toBe(markdown);
      expect(all).toContain(markdown.trim());
    }
  });

  test("has a tab for each package manager in place of an installation", () => {
    const guide = pages.get("/docs/single_page_apps.html")?.replace(/<[^>]*>/g, "");
    for (const command of ["npm install", "pnpm add", "yarn add", "bun add"]) {
      expect(guide).toContain(`${command} @guildpass/sdk`);
    }
    expect(guide).toContain("deno add npm:@guildpass/sdk");
  });

  test("has at most 14 MB", async () => {
    const names = await readdir(join(root, "site"), { recursive: true });
    const sizes = await Promise.all(names.map(async (name) => {
      const entry = await stat(join(root, "site", name));
      return entry.isFile() ? entry.size : 0;
    }));
    expect(sizes.length).toBeGreaterThan(500);
    expect(sizes.reduce((total, size) => total + size, 0)).toBeLessThan(14_000_000);
  });

  test("has an index for the search with at most 200 kB, gzipped", async () => {
    const index = await readFile(join(root, "site/assets/chunks", await indexName()));
    expect(gzipSync(index, { level: 9 }).length).toBeLessThan(200_000);
  });
});

describe("The API reference", () => {
  /** The Markdown of the pages, by path. */
  const markdown = new Map<string, string>();
  /** The imports at the begin of the pages, by path of the Markdown. */
  const imports = new Map<string, string>();

  beforeAll(async () => {
    const folder = join(generator, "dist/pages/api");
    for (const name of await readdir(folder, { recursive: true })) {
      if (!name.endsWith(".md")) continue;
      const text = await readFile(join(folder, name), "utf8");
      markdown.set(name, text);
      const [, code] = /^# .*\n\n```ts\n([^]*?)\n```/m.exec(text) ?? [];
      if (code) imports.set(name, code);
    }
  });

  test("lists every entry point with a sentence", () => {
    const [, index = ""] =
      /<table[^]*?<tbody>([^]*)<\/tbody>/.exec(pages.get("/api/index.html") ?? "") ??
        [];
    expect(pages.get("/api/index.html")).toMatch(/<h2 [^>]*>Entry points /);
    const rows = [
      ...index.matchAll(/<tr><th [^>]*><a [^>]*>([^<]*)<\/a><\/th><td[^>]*>(.+?)<\/td>/g),
    ];
    expect(rows.map(([, name]) => name)).toEqual(entryPointNames);
    for (const [, , sentence] of rows) expect(sentence).toMatch(/^[A-Z].*\.$/);
  });

  test("has a page for each export, which the sidebar lists with a script, and the page of the module without one", async () => {
    const names = [...pages.keys()].filter((path) => path.startsWith("/api/sdk/login/"));
    const exported = ["classes/Login", "interfaces/LoginOptions", "type-aliases/SessionOf"];
    expect(names).toEqual(
      expect.arrayContaining(exported.map((name) => `/api/sdk/login/${name}.html`)),
    );
    const linksIn = (html: string) =>
      [...html.matchAll(/href="([^"]*)"/g)].map(([, href = ""]) => {
        return withoutBase(new URL(href, `${site.address}/api/sdk/login/`).pathname);
      });
    const [, ...others] = names.toSorted((one) => one.endsWith("/index.html") ? -1 : 0);
    expect(linksIn(pages.get("/api/sdk/login/index.html") ?? "")).toEqual(
      expect.arrayContaining(others),
    );
    const page = pages.get("/api/sdk/login/classes/Login.html") ?? "";
    const [, small = ""] = /<aside class="VPSidebar([^]*?)<\/aside>/.exec(page) ?? [];
    expect(linksIn(small)).toEqual(["/api/", "/api/sdk/login/index.html"]);
    const browser = await openBrowser("chromium");
    await browser.goto(`${site.address}/api/sdk/login/classes/Login.html`);
    await expect.poll(async () =>
      linksIn(
        String(await browser.execute(`return document.querySelector(".VPSidebar").innerHTML`)),
      )
    ).toEqual(expect.arrayContaining(names));
    await browser.close();
  });

  test("has groups in its sidebar that open, and no other heading in a sidebar is a button", async () => {
    const browser = await openBrowser("chromium");
    const states = () =>
      browser.execute(`
        const buttons = document.querySelectorAll(".VPSidebar .item[role=button]");
        return [...buttons].map((button) => button.tabIndex + button.ariaExpanded);`);
    const count = `return document.querySelectorAll(".VPSidebar a").length`;
    await browser.goto(`${site.address}/docs/sessions.html`);
    await expect.poll(() => browser.execute(count)).toBeGreaterThan(30);
    expect(await states()).toEqual([]);
    await browser.goto(`${site.address}/api/sdk/login/index.html`);
    await expect.poll(states).toEqual(["0true", "0false", "0false", "0false"]);
    await browser.close();
  });

  test("shows the constructor of each class as its first member, and first in its list, but that of an error last", () => {
    expect(headings("/api/sdk/login/classes/Login.html").slice(0, 3))
      .toEqual(["details", "constructor", "paths-and-logins"]);
    const classes = [...markdown].filter(([, text]) => text.includes("> **new "));
    expect(classes.length).toBeGreaterThan(20);
    for (const [path, text] of classes) {
      const [, name = ""] = /^# (.*)$/m.exec(text) ?? [];
      const members = [...text.matchAll(/^### (.*)$/gm)].map(([, member]) => member);
      const isError = name.endsWith("Error");
      expect(members.at(isError ? -1 : 0), path).toBe(`new ${name}()`);
      const lines = /^<div class="members">\n\n([^]*?)\n\n<\/div>/m.exec(text)?.[1]?.split("\n") ??
        [];
      expect(lines.at(isError ? -1 : 0), path).toContain(`- **Constructor**: [\`new ${name}\`]`);
      expect(text, path).not.toMatch(/^#+ Constructors$|^### Constructor$/m);
    }
  });

  test("shows a long signature without the type arguments of this library's types, and folds the full one", () => {
    const login = markdown.get("sdk/login/classes/Login.md") ?? "";
    const fold = (start: string) =>
      `\n\n<details>\n<summary>Full signature</summary>\n\n> **${start}`;
    const options = "[`LoginOptions`](../interfaces/LoginOptions.md)";
    expect(login).toContain(
      `\n> **new Login**(\`options\`: ${options}): \`Login\`${
        fold(`new Login**(\`options\`: ${options}\\<\`Requested\`, `)
      }`,
    );
    const result = "`Promise`\\<[`Session`](../interfaces/Session.md)";
    expect(login).toContain(
      `\n> **session**(\`request\`: \`Request\`): ${result} \\| \`null\`\\>${
        fold(`session**(\`request\`: \`Request\`): ${result}\\<\`StoredUser\`, `)
      }`,
    );
    // The first part only makes the compiler refuse a misspelled scope.
    const api = markdown.get("sdk/API/classes/PlatformApi.md");
    expect(api).toMatch(/^> \*\*new PlatformApi\*\*.* `scope`: readonly \[`Scope`\]\(\S*\)\[\], /m);
    expect(api).toMatch(/^> \*\*new PlatformApi\*\*.* `scope`: readonly \[`SpelledScope`\]/m);
    // The result depends on the argument.
    expect(markdown.get("sdk/API/classes/User.md"))
      .toMatch(/^> \*\*request\*\*\\<`Output` .*`RequestOptions`.*\\<`Output`\\>\)/m);
    // The full signature has only a few more type arguments.
    expect(markdown.get("sdk/auth-url/classes/Bot.md")).not.toContain("<summary>Full signature<");
    expect(markdown.get("sdk/images/functions/applicationCoverUrl.md"))
      .toContain('[`ImageOwner`](../type-aliases/ImageOwner.md)\\<`"cover_image"`\\>');
    expect(login).toMatch(/^> \*\*finish\*\*.*\[`FinishedLogin`\]\(\S+\)\\>$/m);
    // No store, no id: this only makes an error of the compiler plain.
    expect(login).toMatch(/^> \*\*forget\*\*\(`userId`: `string`\)/m);
    const loginOptions = markdown.get("sdk/login/interfaces/LoginOptions.md");
    expect(loginOptions).toMatch(/^> `readonly` \*\*clientSecret\*\*: `string` \\\| `null`$/m);
    expect(loginOptions).toMatch(/^> `readonly` \*\*scope\*\*: readonly \[`Scope`\]\(\S+\)\[\]$/m);
    expect(markdown.get("sdk/API/classes/User.md")).toMatch(
      /^> \*\*new User\*\*\(`accessToken`: `string` \\\| \[`TokenObj`\]\(\S+\) \\\| \[`TokenSource`/m,
    );
  });

  test("shows the guide of each option that a page of the login needs", () => {
    const options = markdown.get("sdk/login/interfaces/LoginOptions.md");
    const named = ["loginPath", "callbackPath", "logoutPath", "publicUser", "appTargets"];
    for (const name of [...named, "appOrigins"]) {
      expect(options, name).toMatch(new RegExp(`^### ${name}\\?\n[^#]*\nGuide: \\[`, "m"));
    }
    expect(options).toMatch(/satisfies LoginOptions;\n[^#]*<div class="members">/);
  });

  test("shows the types of parameters in the signature, and an entry only with a description", () => {
    const types = "(`request`: `Request`): `Promise`\\<`Response` \\| `null`\\>\n";
    expect(markdown.get("sdk/login/classes/Login.md")).toContain(`> **handle**${types}`);
    const sections = [...markdown].flatMap(([path, text]) =>
      [...text.matchAll(/^#+ (?:Parameters|Returns)\n\n(.*)/gm)].map(([, line]) =>
        `${path}: ${line}`
      )
    );
    expect(sections.length).toBeGreaterThan(100);
    expect(sections.filter((line) => !/: (?:- `[\w.]+\??`.*: )?\S.*/.test(line))).toEqual([]);
  });

  test("describes an object of options by its type or its members, also of a constructor", () => {
    const link = (name: string) => `([\`${name}\`](../interfaces/${name}.md))`;
    expect(markdown.get("sdk/auth-url/classes/Bot.md"))
      .toMatch(
        /^- `options\?` .*: .*\[`platform`\]\(\S*#platform\), \[`scope`\]\(\S*#scope\)\.?$/m,
      );
    expect(markdown.get("sdk/auth-url/classes/Bot.md"))
      .toContain(
        `- \`params?\` ${
          link("BotUrlParams")
        }: The parameters of this invitation, such as the guild. Do not pass \`integrationType: 1\`: a bot needs a guild. Fields: [\``,
      );
    const client = markdown.get("sdk/browser/classes/SessionClient.md");
    expect(client).toContain(
      `- \`options\` ${link("SessionClientOptions")}: The paths of the login, `,
    );
    expect(client).toContain(
      "**logIn**(`options?`: \\{ `returnTo?`: `string` \\| `URL`; \\}): `void`\n",
    );
    expect(client).toMatch(
      /#### Parameters\n\n- `options\?`: The page after the login\.\n {2}- `returnTo\?`: /,
    );
    expect(client?.match(/^> \*\*enter\*\*\(`authorize`: /gm)).toHaveLength(2);
    expect(client).toMatch(/### enter\(\)\n[^#]*#### Parameters\n\n- `authorize`: Asks the user/);
    expect(client).toMatch(/#### Returns\n\nA function that ends the subscription\./);
    expect(markdown.get("sdk/node/functions/sendResponse.md")).toContain("`response`: `Response`)");
    expect(markdown.get("sdk/images/functions/stickerUrl.md"))
      .toContain(`- \`options?\` ${link("ImageOptions")}: The platform. Fields: [\``);
    expect(markdown.get("sdk/API/classes/User.md")).toMatch(
      /^- `options\?` \(\[`UserGuildsOptions`\].*: (?=.*\[`limit`\]\()(?=.*\[`before`\]\()/m,
    );
    expect(markdown.get("sdk/login/interfaces/LoginOptions.md"))
      .toMatch(/^### relay\?\n[^#]*\nFields: \[`origin`\]\(RelayOptions\.md#origin\), \[`/m);
    expect(markdown.get("sdk/login/classes/Login.md"))
      .toMatch(/^- `options\?` \(\[`StartOptions`\].* \[`data`\]\(\S+\.md#data\)/m);
    for (const text of markdown.values()) expect(text).not.toContain("namedParameters");
  });

  test("lists the errors of all methods of `User` in one section", () => {
    const user = markdown.get("sdk/API/classes/User.md");
    expect(user).toMatch(/^## Throws\n\n- `TypeError`[^#]*\n\nEvery method rejects with\n/m);
    expect(user?.match(/Every method rejects with/g)).toHaveLength(1);
  });

  test("shows the scope of each method of `User` once, outside of its signature", async () => {
    const source = await readFile(join(root, "src/api/user.ts"), "utf8");
    const scopes = [...source.matchAll(/\bthis: UserWith<"(.*?)">/g)].map(([, scope]) => scope);
    const user = markdown.get("sdk/API/classes/User.md") ?? "";
    const badges = [...user.matchAll(/^<Badge>scope: (\S+)<\/Badge>/gm)].map(([, scope]) => scope);
    expect(badges.toSorted()).toEqual(scopes.toSorted());
    expect(user.match(/^<Badge>bot token<\/Badge>$/gm)).toHaveLength(8);
    expect(user.match(/ <Badge>or bot token<\/Badge>$/gm)).toHaveLength(2);
    expect(badges.length).toBeGreaterThan(10);
    expect(user).not.toMatch(/`this`:|Needs the `[\w.]+` scope\./);
  });

  test("leaves null out of the types of options, and says so on its first page", () => {
    for (const text of markdown.values()) {
      expect(text).not.toMatch(/^> .*`(?:options|params)\?`: (?:(?!`: |\): ).)* \\\| `null`[,)]/m);
    }
    expect(markdown.get("index.md"))
      .toMatch(/\[`Login`\][^]*## Entry points[^]*Many methods also accept `null` for `options\?`/);
  });

  test("describes each member in its own words, not only by a link to another one", () => {
    for (const text of markdown.values()) expect(text).not.toMatch(/^See \[[\w.`]+\]\(\S+\)\.$/m);
  });

  test("shows the code of each class of errors", () => {
    expect(markdown.get("sdk/Errors/classes/RateLimitError.md"))
      .toContain('> `readonly` **code**: `"rate_limited"`\n');
  });

  test("has a column with the codes of errors, and each page links to an example", () => {
    const errors = markdown.get("sdk/Errors/index.md");
    expect(errors).toContain("| [RateLimitError](classes/RateLimitError.md) | `rate_limited` | A ");
    expect(errors).toContain("| [ApiError](classes/ApiError.md) | `api_error` | The ");
    expect(errors).toMatch(/\[`LoginError`\]\(.*\), with the code `login_failed`/);
    for (const [path, text] of markdown) {
      if (!/\/classes\/(?!Guildpass)\w+Error\.md$/.test(path)) continue;
      expect(text, path).toMatch(/^See (?:.* See also )?\[`GuildpassError`\].* has an example/m);
    }
  });

  test("names the main exports of each entry point", () => {
    const index = markdown.get("index.md") ?? "";
    const rows = index.match(/^\| \[@.*/gm) ?? [];
    expect(rows).toHaveLength(entryPoints.length);
    for (const row of rows) expect(row).toMatch(/\. Main exports: \[\w+\]\(\S+\)/);
    expect(index).toMatch(/Main exports: \[Login\]\(\S+\), \[LoginOptions\]/);
  });

  test("shows the values of a type that is an item of a list", () => {
    expect(markdown.get("sdk/permissions/type-aliases/PermissionName.md"))
      .toMatch(/^> \*\*PermissionName\*\* = `"create_instant_invite"` \\\| `"kick_members"`/m);
    for (const [path, text] of markdown) expect(text, path).not.toMatch(/^> .*\*typeof\*/m);
  });

  test("describes the objects of a union only if a property tells them apart", () => {
    expect(markdown.get("sdk/browser/type-aliases/SessionState.md"))
      .toMatch(/^## Alternatives\n\n### status: "logged_in"$/m);
    expect(markdown.get("sdk/API/type-aliases/SchemaResult.md")).not.toMatch(/^##/m);
  });

  test("lists helper types last, and does not import them", () => {
    const login = markdown.get("sdk/login/index.md") ?? "";
    expect(login.match(/^## .*/gm)).toEqual([
      ...["## Classes", "## Interfaces", "## Type Aliases", "## Helper types"],
      ...(login.match(/^## (?:Also exported|Guides)/gm) ?? []),
    ]);
    const [, helpers = ""] = login.split("\n## Helper types\n");
    expect(helpers).toContain("[NeedsStoreOrKeepToken](type-aliases/NeedsStoreOrKeepToken.md)");
    expect(login.match(/\bNeedsStoreOrKeepToken\]/g)).toHaveLength(1);
    expect(login).not.toMatch(/^ .*NeedsStoreOrKeepToken/m);
  });

  test("does not repeat a sentence about the result", () => {
    const permissions = markdown.get("sdk/permissions/classes/Permissions.md") ?? "";
    expect(permissions.match(/names in the set, lowest bit first/g)).toHaveLength(1);
  });

  test("links to the source of each export", () => {
    expect(markdown.get("sdk/auth-url/classes/Bot.md")).toMatch(
      /\n\[Source\]\(https:\/\/github\.com\/guildpass\/sdk\/blob\/main\/src\/links\/bot\.ts\)\n$/,
    );
  });

  test("links to guides on the same site", () => {
    for (const text of markdown.values()) expect(text).not.toMatch(/github\.io\/sdk\/docs/);
  });

  test("shows a getter as a property", () => {
    expect(markdown.get("sdk/Errors/classes/MissingScopeError.md"))
      .toContain("> `readonly` **isTemporary**: `boolean`\n");
    for (const text of markdown.values()) expect(text).not.toMatch(/Accessors|Get Signature/);
  });

  test("links the names of exports in code to their pages, but not on their own page", () => {
    expect(markdown.get("sdk/browser/classes/SessionClient.md"))
      .toContain("[`Login`](../../login/classes/Login.md), whose `publicUser`");
    expect(markdown.get("sdk/API/classes/User.md")).toContain("You can create a `User` for");
    expect(markdown.get("sdk/API/classes/User.md"))
      .toContain("[MissingScopeError](../../Errors/classes/MissingScopeError.md) before a request");
  });

  test("shows the possible types of an option, and its guide", () => {
    const options = markdown.get("sdk/login/interfaces/LoginOptions.md");
    expect(options).toContain(
      "> `readonly` **store?**: [`Store`](../../Stores/interfaces/Store.md) \\| `null` \\| `undefined`\n",
    );
    expect(options).toMatch(/### store\?\n[^#]*Guide: \[Stores: [^\]]*\]\([./]*docs\/stores\.md\)/);
  });

  test("imports an export from the entry point below which its page lies", () => {
    expect(imports.get("sdk/auth-url/classes/Bot.md"))
      .toBe('import { Bot } from "@guildpass/sdk/auth-url";');
    for (const [path, code] of imports) {
      // The topics of the main module begin with a capital letter.
      const [, entry = ""] =
        /^sdk((?:\/[a-z][a-z\d-]*)*)\/(?:[a-z-]+(?:s|es)\/[\w$]+|index)\.md$/.exec(path) ?? [];
      expect(code, path).toContain(`from "${configuration.name}${entry}"`);
    }
  });

  test("opens only its own topic in the sidebar of a page", async () => {
    const sidebar = JSON.parse(await readFile(join(generator, "dist/pages/sidebar.json"), "utf8"));
    const [main] = sidebar["/api/sdk/API/"][0].items;
    const open = main.items.filter(({ items }: { items?: unknown[] }) => items);
    expect(main.items.length).toBeGreaterThan(5);
    expect(open.map(({ text }: { text: string }) => text)).toEqual(["Calling Discord"]);
    const groups: { text: string; collapsed: boolean }[] = open[0].items;
    expect(groups.map(({ text, collapsed }) => [text, collapsed])).toEqual([
      ["Classes", false],
      ["Interfaces", true],
      ["Type Aliases", true],
    ]);
  });

  test("shows each signature as one line of code with links, and folds type parameters", () => {
    const login = pages.get("/api/sdk/login/classes/Login.html") ?? "";
    expect(login.replace(/<wbr>/g, "")).toContain(
      '<div class="signature"><code><strong>handle</strong>(request: Request): ' +
        "Promise&lt;Response | null&gt;</code></div>",
    );
    expect(login).toMatch(
      /<div class="signature"><code><strong>start<.*?<a href="[^"]*StartOptions.html">StartOptions<\/a>/,
    );
    const closed =
      /<details><summary>Type parameters<\/summary>(?:(?!<h\d|<\/details>)[^])*Requested/;
    expect(login).toMatch(closed);
    for (const [path, page] of pages) {
      if (!path.startsWith("/api/")) continue;
      expect(page, path).not.toMatch(/<blockquote|<h\d [^>]*>Type Parameters/);
    }
  });

  test("lists the entry points by their paths in the sidebar", async () => {
    const sidebar = JSON.parse(await readFile(join(generator, "dist/pages/sidebar.json"), "utf8"));
    const names = sidebar["/api/"][0].items.map(({ text }: { text: string }) => text);
    expect(names).toEqual([
      configuration.name,
      ...entryPoints.slice(1).map(({ name }) => name.slice(1)),
    ]);
  });

  test("links to every source in one line", () => {
    const sources = [...markdown.values()].flatMap((text) =>
      [...text.matchAll(/^See .*/gm)].map(([line]) => line)
    );
    expect(sources.length).toBeGreaterThan(50);
    expect(sources.filter((line) => !/^See \[[^\]\\]+\]\([^)]+\)(?:.*[^.])?\.$/.test(line)))
      .toEqual([]);
    for (const text of markdown.values()) expect(text).not.toMatch(/^#+ See$/m);
  });

  test("imports from entry points, and every import compiles", async () => {
    const exports = [...imports.values()].flatMap((code) =>
      [...code.matchAll(/^import (type )?\{([^}]*)\} from "([^"]*)";$/gm)]
        .flatMap(([, type = "", names = "", from = ""]) =>
          names.split(",").map((name) => ({ type, name: name.trim(), from }))
        )
    ).filter(({ name }) => name);
    expect(exports.length).toBeGreaterThan(300);
    expect(entryPointNames).toEqual(expect.arrayContaining(exports.map(({ from }) => from)));
    const lines = exports.map(({ type, name, from }, index) =>
      `export ${type}{ ${name} as ${name}${index} } from "${from}";`
    );
    const folder = await mkdtemp(join(root, ".blocks-"));
    try {
      await writeFile(join(folder, "imports.ts"), lines.join("\n"));
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
    expect(linksOf("/api/sdk/Tokens/classes/TokenSource.html")).toContain("login_by_hand.html");
    // Other guides only mention the class.
    expect(markdown.get("sdk/auth-url/classes/Bot.md")?.match(/\/docs\/\w+\.md/g))
      .toEqual(["/docs/inviting_a_bot.md"]);
    expect(markdown.get("sdk/login/interfaces/LoginOptions.md")).toMatch(
      /^Options of \[Login\]\(\S+\), \[listed by subject\]\(\S+\/docs\/login_options\.md\)/m,
    );
    expect(linksOf("/api/sdk/testing/index.html")).toContain("testing_your_app.html");
    expect(linksOf("/api/sdk/webhook-events/index.html")).toContain("logging_out.html");
  });

  test("names the classes of errors that a method throws, and the defaults of options", () => {
    expect(pages.get("/api/sdk/login/classes/Login.html")).toMatch(
      /<a href="[^"]*StoreTimeoutError.html">StoreTimeoutError<\/a>: If the store does not respond/,
    );
    expect(pages.get("/api/sdk/login/interfaces/LoginOptions.html")).toContain(
      "<p>Default: <code>&quot;/&quot;</code></p>",
    );
    const options = markdown.get("sdk/login/interfaces/LoginOptions.md");
    expect(options).toContain('Default: the path of `redirectUri`, or `"/callback"` without one\n');
    expect(options).toContain("Default: [`discord`](../../Links/variables/discord.md)\n");
    const errors = ["ApiError", "NetworkError", "PayloadError"];
    expect(markdown.get("sdk/API/classes/ClientCredentials.md")).toContain(
      errors.map((name) => `[${name}](../../Errors/classes/${name}.md)`).join(", "),
    );
  });
});

describe.each([
  ["light, 1280 pixels wide", false, 1280],
  ["dark, 320 pixels wide", true, 320],
])("The documentation site in %s", (_name, dark, width) => {
  let page: BrowserPage;

  beforeAll(async () => {
    page = await openBrowser("chromium", { dark, width });
  });

  afterAll(() => page.close());

  test.each([
    "/",
    "/docs/sessions.html",
    "/docs/comparison.html",
    "/api/sdk/login/classes/Login.html",
    "/api/sdk/API/classes/User.html",
    "/no_such_page",
  ])("is accessible on %s", async (path) => {
    await page.goto(site.address + path);
    await expect.poll(() => page.execute(`return document.querySelector("h1").textContent`))
      .toBeTruthy();
    expect(await page.execute(`return document.documentElement.classList.contains("dark")`))
      .toBe(dark);
    expect(await page.execute(`return document.documentElement.scrollWidth`)).toBe(width);
    expect(await violations(page)).toEqual([]);
  });

  test("shows the signatures of `Login` without a background for each word, inside of the page", async () => {
    await page.goto(`${site.address}/api/sdk/login/classes/Login.html`);
    const signatures = await page.execute(`
      const codes = [...document.querySelectorAll(".signature code")];
      return codes.map((code) => {
        const { backgroundColor, fontFamily } = getComputedStyle(code);
        const right = Math.max(...[...code.getClientRects()].map(({ right }) => right));
        return [backgroundColor, /mono/i.test(fontFamily), right < innerWidth, code.querySelector("code")];
      });`) as unknown[][];
    expect(signatures.length).toBeGreaterThan(15);
    expect(new Set(signatures.map((signature) => JSON.stringify(signature))))
      .toEqual(new Set(['["rgba(0, 0, 0, 0)",true,true,null]']));
  });

  test.each(["/docs/inviting_a_bot.html", "/api/sdk/auth-url/classes/Bot.html"])(
    "scrolls long lines of code on %s, and does not wrap them below the import",
    async (path) => {
      await page.goto(site.address + path);
      const codes = await page.execute(`
        return [...document.querySelectorAll(".vp-doc div:not(h1 + div) > pre code")]
          .map((code) => getComputedStyle(code).whiteSpace);`);
      expect(new Set(codes as string[])).toEqual(new Set(["pre"]));
      const longest =
        `Math.max(...[...document.querySelectorAll("pre")].map((code) => code.scrollWidth))`;
      if (width === 320) expect(await page.execute(`return ${longest}`)).toBeGreaterThan(width);
    },
  );

  test.each([["/", "VPImage"], ["/docs/keeping_people_logged_in.html", "in"]])(
    "shows the pictures on %s in its own colors, also after the switch",
    async (path, name) => {
      await page.goto(site.address + path);
      const shown = () =>
        page.execute(`
          const pictures = [...document.querySelectorAll(".VPHero img, .vp-doc img[src*=svg]")];
          const isDark = (image) => image.matches(".dark ${
          name === "in" ? ".in-dark" : ".VPImage.dark"
        }");
          return pictures.filter(({ clientWidth }) => clientWidth > 0).map(isDark);`) as Promise<
          boolean[]
        >;
      await expect.poll(shown).toContain(dark);
      expect(await shown()).not.toContain(!dark);
      await page.execute(`document.documentElement.classList.toggle("dark")`);
      expect(await shown()).not.toContain(dark);
    },
  );

  test("is accessible with results of the search, which show the text", async () => {
    expect(await search(page, "returnTo")).not.toEqual([]);
    const excerpt = `return document.querySelector(".excerpt mark")?.textContent`;
    await expect.poll(() => page.execute(excerpt)).toBe("returnTo");
    expect(await violations(page)).toEqual([]);
  });

  test("is accessible with the demo, which has its colors", async () => {
    await startDemo(page);
    const frame = `const frame = document.querySelector("#login-demo iframe").contentWindow;`;
    expect(
      await page.execute(
        `${frame} return frame.matchMedia("(prefers-color-scheme: dark)").matches`,
      ),
    )
      .toBe(dark);
    expect(await page.execute(`return document.documentElement.scrollWidth`)).toBe(width);
    const isScrolled =
      `${frame} return frame.document.documentElement.scrollWidth > frame.innerWidth`;
    expect(await page.execute(isScrolled)).toBe(false);
    expect(await violations(page)).toEqual([]);
  });
});

test.each(browserNames)(
  "The demo logs a person in and out by keyboard in %s, and loads nothing before its start",
  async (name) => {
    const page = await openBrowser(name);
    await page.goto(`${site.address}/`);
    const loaded = `return performance.getEntriesByType("resource").map(({ name }) => name).join()`;
    expect(await page.execute(loaded)).not.toContain("login-demo");
    await startDemo(page);
    await page.execute(`
      window.errors = [];
      for (const type of ["error", "unhandledrejection", "securitypolicyviolation"]) {
        addEventListener(type, (event) => errors.push(type + (event.message ?? event.reason ?? event.blockedURI)));
      }`);
    await pressInDemo(page, "a[href='/login']");
    await expect.poll(() => demoText(page)).toMatch(/guildpass\s+wants to access your account/);
    expect(
      await page.execute(`
      const { scrollHeight, clientHeight } = document.querySelector("#login-demo iframe").contentDocument.documentElement;
      return scrollHeight - clientHeight;`),
    ).toBe(0);
    expect(await page.execute(`return document.querySelector("#login-demo p").textContent`))
      .toBe("https://discord.example/oauth2/authorize");
    await pressInDemo(page, "button[value=authorize]");
    await expect.poll(() => demoText(page)).toContain("Administrator: all permissions");
    expect(await demoText(page)).toMatch(/Ada Lovelace[^]*step by step 6[^]*Your guilds 4/);
    const image =
      `document.querySelector("#login-demo iframe").contentDocument.querySelector("img")`;
    await expect.poll(() => page.execute(`return ${image}.naturalWidth`)).toBeGreaterThan(0);
    await pressInDemo(page, "form[action='/logout'] button");
    await expect.poll(() => demoText(page)).toContain("Log in with Discord");
    expect(await page.execute(`return errors`)).toEqual([]);
    expect(await page.execute(loaded)).not.toContain(".example");
    await page.close();
  },
);

test("The demo says that it needs HTTPS, and loads nothing, on a page without it", async () => {
  const page = await openBrowser("chromium");
  await page.goto(`${site.address}/`);
  const button = `document.querySelector("#login-demo button")`;
  await expect.poll(() => page.execute(`return ${button} !== null`)).toBe(true);
  await page.execute(`Object.defineProperty(window, "isSecureContext", { value: false })`);
  await expect.poll(() => page.execute(`${button}.click(); return ${button}.textContent`))
    .toBe("The demo needs HTTPS or localhost");
  expect(await page.execute(`return document.querySelector("script[src*=login-demo]")`)).toBe(null);
  await page.close();
});

test("A guide that is opened directly lists its sections, and no code of the guides scrolls sideways", async () => {
  const page = await openBrowser("chromium", { width: 1280 });
  await page.goto(`${site.address}/docs/sessions.html`);
  const outline = `return document.querySelectorAll(".VPDocAsideOutline .outline-link").length`;
  await expect.poll(() => page.execute(outline)).toBeGreaterThan(5);
  const scrolled: string[] = [];
  for (const path of guidePaths()) {
    await page.goto(site.address + path);
    const lines = await page.execute(`
      return [...document.querySelectorAll("pre")]
        .filter((code) => code.scrollWidth > code.clientWidth && code.clientWidth > 0)
        .map((code) => code.textContent.slice(0, 60)).join();`);
    if (lines) scrolled.push(`${path}: ${lines}`);
  }
  expect(scrolled).toEqual([]);
  await page.close();
});

test("The outline of a page shows its headings in full, without the type parameters", async () => {
  const page = await openBrowser("chromium", { width: 1280 });
  for (const path of ["docs/stores", "docs/sessions", "api/sdk/API/classes/User"]) {
    await page.goto(`${site.address}/${path}.html`);
    const links = `[...document.querySelectorAll(".VPDocAsideOutline .outline-link")]`;
    await expect.poll(() => page.execute(`return ${links}.length`)).toBeGreaterThan(5);
    const cut = `${links}.filter((link) => link.scrollWidth > link.clientWidth)`;
    expect(await page.execute(`return ${cut}.map((link) => link.textContent)`)).toEqual([]);
    expect(await page.execute(`return ${links}.map((link) => link.textContent).join()`))
      .not.toMatch(/Type Param/i);
  }
  await page.close();
});

test("No table of the guides is cut off, and only tables of results have narrow columns", async () => {
  const page = await openBrowser("chromium", { width: 1280 });
  const wrong: string[] = [];
  for (const path of guidePaths()) {
    await page.goto(site.address + path);
    const tables = await page.execute(`
      for (const details of document.querySelectorAll("details")) details.open = true;
      return [...document.querySelectorAll(".vp-doc table")].flatMap((table, index) => {
        const isCut = table.scrollWidth > table.clientWidth;
        const narrow = [...table.querySelectorAll(".text")].filter(({ offsetWidth }) => offsetWidth < 160);
        const isOfResults = table.classList.contains("results");
        return isCut || (narrow.length > 0 && !isOfResults) ? index : [];
      }).join();`);
    if (tables !== "") wrong.push(`${path}: ${tables}`);
  }
  expect(wrong).toEqual([]);
  await page.close();
});

test("Tables of the guides show their rows as cards on a phone, each cell below the name of its column", async () => {
  const page = await openBrowser("chromium", { width: 320 });
  for (const path of guidePaths()) {
    await page.goto(site.address + path);
    const cut = await page.execute(`
      for (const details of document.querySelectorAll("details")) details.open = true;
      return [...document.querySelectorAll(".vp-doc table:not(.results) tbody > tr > *")]
        .filter((cell) => cell.getBoundingClientRect().right > innerWidth || cell.scrollWidth > cell.clientWidth)
        .map((cell) => cell.textContent);`);
    expect(cut, path).toEqual([]);
  }
  await page.goto(`${site.address}/docs/troubleshooting.html`);
  const names = `
    const cells = document.querySelectorAll("tbody tr:first-child > *");
    return [...cells].map((cell) => getComputedStyle(cell, "::before").content);`;
  expect(await page.execute(names)).toEqual(["none", '"Cause"', '"What to reply or fix"']);
  await page.close();
});

test("Pictures with text have the full width of a phone", async () => {
  const page = await openBrowser("chromium", { width: 320 });
  await page.goto(`${site.address}/docs/stores.html`);
  const width = `return document.querySelector(".in-light").getBoundingClientRect().width`;
  await expect.poll(() => page.execute(width)).toBe(320);
  await page.close();
});

test.each([320, 768, 1280])(
  "The bar charts have the width of the text in %i pixels, and wide tables show that they have more columns",
  async (width) => {
    const page = await openBrowser("chromium", { width });
    await page.goto(`${site.address}/docs/comparison.html`);
    const sides = `
      const sides = (element) => {
        const { left, right } = element.getBoundingClientRect();
        return [left, right];
      };
      const [left, right] = sides(document.querySelector(".in-light.bars"));
      return [[left + 12, right - 12], sides(document.querySelector(".vp-doc p"))];`;
    const [bars, text] = await page.execute(sides) as [number[], number[]];
    expect(bars).toEqual(text);
    const cut = `
      for (const details of document.querySelectorAll("details")) details.open = true;
      return [...document.querySelectorAll(".vp-doc table")]
        .filter((table) => table.scrollWidth > table.clientWidth)
        .map((table) => getComputedStyle(table).backgroundAttachment)
        .filter((attachment) => attachment !== "local, scroll");`;
    expect(await page.execute(cut)).toEqual([]);
    await page.close();
  },
);

test("Code on a phone has the size of its heading", async () => {
  const page = await openBrowser("chromium", { width: 320 });
  await page.goto(`${site.address}/docs/errors.html`);
  const size = `return getComputedStyle(document.querySelector("#with-login > code")).fontSize`;
  expect(await page.execute(size)).toBe("21.6px");
  await page.close();
});

test("The sidebar shows the link to the current page", async () => {
  const page = await openBrowser("chromium", { width: 1280 });
  await page.goto(`${site.address}/docs/comparison.html`);
  const bottom = `
    return document.querySelector(".VPSidebar .is-active > .item > a")?.getBoundingClientRect().bottom ?? Infinity;`;
  await expect.poll(() => page.execute(bottom)).toBeLessThan(900);
  await page.close();
});

test("The keyboard skips the sidebar of a narrow page until it opens", async () => {
  const page = await openBrowser("chromium", { width: 375 });
  await page.goto(`${site.address}/docs/sessions.html`);
  const canFocus = `
    const [link] = document.querySelectorAll(".VPSidebar a");
    link.focus();
    return document.activeElement === link;`;
  await expect.poll(() => page.execute(`return document.querySelectorAll(".VPSidebar a").length`))
    .toBeGreaterThan(40);
  expect(await page.execute(canFocus)).toBe(false);
  await page.execute(`document.querySelector(".VPLocalNav .menu").click();`);
  await expect.poll(() => page.execute(canFocus)).toBe(true);
  await page.close();
});

test("The import at the top of a page is beside its button on a phone", async () => {
  const page = await openBrowser("chromium", { width: 375 });
  await page.goto(`${site.address}/api/sdk/login/classes/Login.html`);
  const room = await page.execute(`
    const block = document.querySelector("h1 + div");
    const pre = block.querySelector("pre");
    const text = document.createRange();
    text.selectNodeContents(pre.querySelector("code .line"));
    const right = Math.max(...[...text.getClientRects()].map((line) => line.right));
    const button = block.querySelector("button.copy").getBoundingClientRect();
    return { isScrolled: pre.scrollWidth > pre.clientWidth, isClear: right <= button.left };`);
  expect(room).toEqual({ isScrolled: false, isClear: true });
  await page.close();
});

test("The picture on the first page has the size of its text on the page, and is the only one that loads", async () => {
  const page = await openBrowser("chromium", { width: 1280 });
  await page.goto(`${site.address}/`);
  const scale = `
    const picture = [...document.querySelectorAll(".VPHero img")].find(({ clientWidth }) => clientWidth > 0);
    return picture.naturalWidth / picture.clientWidth;`;
  // Two pixels of the picture for each of its page.
  await expect.poll(() => page.execute(scale)).toBeCloseTo(2, 1);
  const loaded = await page.execute(`
    const pictures = performance.getEntriesByType("resource").filter(({ name }) => /\\/demo_/.test(name));
    return pictures.map(({ name }) => name.replace(/.*demo_/, ""));`);
  expect(loaded).toEqual(["light.png"]);
  await page.close();
});

test("The comparison shows its summary on a phone, and opens tables whose rows are cards", async () => {
  const page = await openBrowser("chromium", { width: 320 });
  await page.goto(`${site.address}/docs/comparison.html`);
  const summary = await page.execute(`
    const table = document.querySelector("table");
    const isScrolled = table.scrollWidth > table.clientWidth || table.scrollHeight > table.clientHeight;
    const marks = [...table.querySelectorAll("[role=img]")];
    const names = new Set(marks.map((mark) => mark.textContent + " " + mark.ariaLabel));
    return { cells: table.querySelectorAll("th, td").length, isScrolled, names: [...names].sort() };`);
  expect(summary).toEqual({ cells: 7 * 7, isScrolled: false, names: ["✓ yes", "✗ no"] });
  const shown = await page.execute(`
    const folded = [...document.querySelectorAll("details")];
    const areClosed = folded.every((details) => !details.open);
    for (const details of folded) details.open = true;
    const tables = folded.map((details) => details.querySelector("table"));
    const cut = tables.filter((table) => table.scrollWidth > table.clientWidth).length;
    const names = tables.map((table) => getComputedStyle(table.querySelector("td"), "::before").content);
    return { areClosed, fits: document.documentElement.scrollWidth <= innerWidth, cut, names };`);
  // Each cell has the name of its column.
  const names = ["Tested version", ...Array(3).fill("@guildpass/sdk")].map((name) => `"${name}"`);
  expect(shown).toEqual({ areClosed: true, fits: true, cut: 0, names });
  await page.close();
});

test.each([
  [320, ".VPLocalNav"],
  [1280, ".VPDocAside"],
])(
  "The comparison lists its groups of mishaps on a page %i pixels wide",
  async (width, outline) => {
    const page = await openBrowser("chromium", { width });
    await page.goto(`${site.address}/docs/comparison.html`);
    const button = `document.querySelector(".VPLocalNavOutlineDropdown button")`;
    await expect.poll(() => page.execute(`return Boolean(${button})`)).toBe(true);
    await page.execute(`${button}.click()`);
    const links = `return [...document.querySelectorAll("${outline} .outline-link")]
    .filter((link) => link.offsetHeight > 0).map((link) => link.textContent);`;
    await expect.poll(() => page.execute(links))
      .toEqual(expect.arrayContaining(groups.map(({ heading }) => heading)));
    await page.close();
  },
);

test.each(["comparison", "errors", "using_tokens"])(
  "The tables of %s fit beside the outline, and open folds cover it",
  async (name) => {
    const page = await openBrowser("chromium", { width: 1280 });
    await page.goto(`${site.address}/docs/${name}.html`);
    const link = `document.querySelector(".VPDocAside .outline-link")`;
    await expect.poll(() => page.execute(`return ${link}?.offsetHeight > 0`)).toBe(true);
    const cut = await page.execute(`
      for (const details of document.querySelectorAll("details")) details.open = true;
      return [...document.querySelectorAll(".vp-doc table")]
        .filter((table) => table.scrollWidth > table.clientWidth).length;`);
    expect(cut).toBe(0);
    const covering = await page.execute(`
      return [...document.querySelectorAll("details")].map((details) => {
        const { left, top, width, height } = ${link}.getBoundingClientRect();
        scrollBy(0, details.getBoundingClientRect().top - top + height);
        return details.contains(document.elementFromPoint(left + width / 2, top + height / 2));
      });`);
    expect(covering).toEqual(Array(name === "comparison" ? 4 : 0).fill(true));
    await page.close();
  },
);

test("The date of a table of results does not break", async () => {
  const page = await openBrowser("chromium", { width: 320 });
  await page.goto(`${site.address}/docs/comparison.html`);
  const lines = `
    const range = document.createRange();
    const [text] = document.querySelector(".results th").childNodes;
    const start = text.data.search(/\\d/);
    range.setStart(text, start);
    range.setEnd(text, start + 10);
    return [range.toString(), range.getClientRects().length];`;
  expect(await page.execute(lines)).toEqual([expect.stringMatching(/^\d{4}\W\d\d\W\d\d$/), 1]);
  await page.close();
});

test("The errors link to their API pages", () => {
  const links = pages.get("/docs/errors.html")
    ?.matchAll(/<a href="[^"]*(api\/sdk\/\w+\/classes\/\w+\.html)"[^>]*><code>(\w+)</g) ?? [];
  const targets = new Map([...links].map(([, path, name]) => [name, path]));
  expect(targets.size).toBeGreaterThan(12);
  expect(targets.get("LoginError")).toBe("api/sdk/login/classes/LoginError.html");
  expect(targets.get("StateMismatchError")).toBe("api/sdk/Errors/classes/StateMismatchError.html");
});

test("A printed page has no navigation", async () => {
  const page = await openBrowser("chromium", { width: 1280 });
  await page.goto(`${site.address}/docs/sessions.html`);
  const shown = `return [...document.querySelectorAll(".VPNav, .VPSidebar, .aside, .VPDocFooter")]
    .filter((element) => element.offsetHeight > 0).length;`;
  await expect.poll(() => page.execute(shown)).toBe(4);
  await page.execute(`
    for (const rule of [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules])) {
      if (rule.media?.mediaText === "print") rule.media.mediaText = "screen";
    }`);
  expect(await page.execute(shown)).toBe(0);
  await page.close();
});

describe("The search", () => {
  /** The addresses of the results, by question. */
  let results: Record<string, string[]>;

  /** The messages of `LoginError`s in the source, without their variable parts, each with its reason. */
  const loginErrors = new Map<string, string>();
  /** The titles of the built-in pages, from the source. */
  let titles: string[];

  beforeAll(async () => {
    const folder = join(root, "src/login");
    for (const name of await readdir(folder, { recursive: true })) {
      if (!name.endsWith(".ts")) continue;
      const source = await readFile(join(folder, name), "utf8");
      const errors = /new LoginError\(\s*(?:"([^"]*)"|`([^`]*)`),\s*\{\s*reason: "(\w+)"/g;
      for (const [, text, template = "", reason = ""] of source.matchAll(errors)) {
        loginErrors.set(text ?? template.replace(/\$\{[^}]*\}/g, ""), reason);
      }
    }
    const messages = await readFile(join(folder, "pages/messages.ts"), "utf8");
    titles = [...messages.matchAll(/title: "(.*)"/g)].map(([, title = ""]) => title);
    const script = [
      ...["run", "--quiet", "--allow-read", "--config", join(generator, "deno.json")],
      join(generator, "search.ts"),
    ];
    const asked = [
      ...[...questions, ...realQuestions, ...plainQuestions].map(([question]) => question),
      ...exactNames.keys(),
      ...firstResults.keys(),
      ...unknownThings,
      ...typos.keys(),
      ...pastedMessages.keys(),
      ...otherWords.keys(),
      ...Object.keys(furtherQuestions),
      ...pageTitles.keys(),
      ...loginErrors.keys(),
      ...["cookie", "refresh", "permissions", "webhook"],
    ];
    results = JSON.parse(await run([Deno.execPath(), ...script, ...asked]));
  });

  test.each([...questions])(
    "finds %j on %s, among the first three results",
    (question, address) => {
      const [page, heading = ""] = address.split("#");
      const first = results[question]?.slice(0, 3).map(withoutBase);
      expect(first).toContainEqual(expect.stringMatching(new RegExp(`^/${page}#`)));
      expect(pages.get(`/${page}`)).toContain(` id="${heading}"`);
    },
  );

  test("finds 33 of 35 real questions among the first three results, and 29 as the first one", () => {
    const places = [...realQuestions].map(([question, wanted]) => {
      const found = results[question]?.map(withoutBase) ?? [];
      const place = found.findIndex((address) =>
        wanted.some((name) => address.startsWith(`/docs/${name}.html`))
      );
      return { question, place: place < 0 ? Infinity : place + 1 };
    });
    expect(places.length).toBe(35);
    const late = places.filter(({ place }) => place > 1);
    expect(late.filter(({ place }) => place > 3).length, JSON.stringify(late)).toBeLessThan(3);
    expect(late.length, JSON.stringify(late)).toBeLessThan(7);
  });

  test("finds 97 % of 600 questions among the first three results, and 84 % as the first one", () => {
    const places = Object.entries(furtherQuestions).map(([question, wanted]) => {
      const place = (results[question] ?? []).findIndex((result) => {
        const address = withoutBase(result);
        return [address, sectionOf(address)].some((one) => {
          return wanted.split(" ").includes(one.replace(/^\/|\.html/g, ""));
        });
      });
      return { question, place: place < 0 ? Infinity : place + 1 };
    });
    expect(places.length).toBeGreaterThan(600);
    const late = places.filter(({ place }) => place > 3);
    expect(late.length / places.length, JSON.stringify(late)).toBeLessThan(0.03);
    const first = places.filter(({ place }) => place === 1);
    expect(first.length / places.length).toBeGreaterThan(0.84);
  });

  /** Returns the address of the section with a row of a table, and any other address as it is. */
  function sectionOf(address: string): string {
    const [page = "", id] = address.split("#");
    const [before = "", row] = (pages.get(page) ?? "").split(`<tr id="${id}"`);
    const heading = row && /^.*<h[1-4] id="([^"]*)"/s.exec(before)?.[1];
    return heading ? `${page}#${heading}` : address;
  }

  test("finds the row of each `LoginError` in the source first, by its message", () => {
    expect(loginErrors.size).toBeGreaterThan(10);
    const rows = [...loginErrors.keys()].map((message) => withoutBase(results[message]?.[0] ?? ""));
    expect(rows).toEqual([...loginErrors.values()].map((reason) => `/docs/errors.html#${reason}`));
  });

  test("explains the title of each built-in page first", () => {
    expect(new Set(pageTitles.keys())).toEqual(new Set(titles));
    const first = [...pageTitles.keys()].map((title) => withoutBase(results[title]?.[0] ?? ""));
    expect(first).toEqual([...pageTitles.values()].map((address) => `/${address}`));
  });

  test("has the average lengths of all sections, whatever the order in which pages were added", async () => {
    const { default: json } = await import(join(root, "site/assets/chunks", await indexName()));
    const { averageFieldLength, documentCount, fieldLength } = JSON.parse(json) as {
      averageFieldLength: number[];
      documentCount: number;
      fieldLength: Record<string, number[]>;
    };
    const lengths = Object.values(fieldLength);
    expect(averageFieldLength).toHaveLength(4);
    for (const [field, average] of averageFieldLength.entries()) {
      const sum = lengths.reduce((total, section) => total + (section[field] ?? 0), 0);
      expect(average).toBeCloseTo(sum / documentCount, 6);
    }
  });

  test("has words only for sections that it finds", async () => {
    const index = await readFile(join(root, "site/assets/chunks", await indexName()), "utf8");
    for (const address of Object.keys(searchWords)) {
      expect(index).toContain(`${base}${address.replace("#", ".html#")}"`);
    }
  });

  test.each([...plainQuestions])("finds %j among the first three results", (question, wanted) => {
    const first = results[question]?.slice(0, 3).map(withoutBase) ?? [];
    expect(
      first.filter((address) => wanted.some((name) => address.startsWith(`/docs/${name}.html`))),
      JSON.stringify(first),
    ).not.toEqual([]);
  });

  test.each([...firstResults])("finds %j first, on %s", (question, address) => {
    expect(withoutBase(results[question]?.[0] ?? "")).toBe(`/${address}`);
    const [page, heading] = address.split("#");
    expect(pages.get(`/${page}`)).toContain(` id="${heading}"`);
  });

  test.each([...pastedMessages])("finds the pasted message %j first, on %s", (message, address) => {
    expect(withoutBase(results[message]?.[0] ?? "")).toBe(`/${address}`);
  });

  test.each([...typos, ...otherWords])(
    "finds %j among the first three results",
    (words, wanted) => {
      const first = results[words]?.slice(0, 3).map(withoutBase) ?? [];
      expect(
        first.filter((address) => wanted.some((start) => address.startsWith(`/${start}`))),
        JSON.stringify(first),
      ).not.toEqual([]);
    },
  );

  test.each(guildQuestions)("finds `getUserGuilds` for %j", (question) => {
    expect(results[question]?.slice(0, 3).map(withoutBase))
      .toContain("/api/sdk/API/classes/User.html#getuserguilds");
  });

  test.each(unknownThings)("finds nothing for %j", (question) => {
    expect(results[question]).toEqual([]);
  });

  test.each([...exactNames])("finds the name %j first, on %s", (name, address) => {
    expect(withoutBase(results[name]?.[0] ?? "")).toBe(`/api/sdk/${address}`);
  });

  test("says of each result whether it is a guide, and puts an exact name first in the page too", async () => {
    const page = await openBrowser("chromium");
    await page.goto(`${site.address}/docs/features.html`);
    expect((await search(page, "Login"))[0]).toContain("/classes/Login.html");
    const kinds = await page.execute(`
      return [...document.querySelectorAll(".result")].map((result) =>
        [result.getAttribute("href").includes("/api/"), result.querySelector(".kind").textContent]);`);
    const [first, ...others] = kinds as [boolean, string][];
    expect(first).toEqual([true, "API"]);
    expect(others).toContainEqual([false, "Guide"]);
    for (const [isApi, kind] of others) {
      expect(isApi ? ["API"] : ["Guide", "Error"]).toContain(kind);
    }
    await page.goto(`${site.address}/docs/sessions.html`);
    await search(page, "changelog");
    expect(await page.execute(`return document.querySelector(".kind").textContent`)).toBe(
      "Project",
    );
    await page.close();
  });

  test("shows at most two lines of a result, and marks only words of the question", async () => {
    const page = await openBrowser("chromium", { width: 320 });
    await page.goto(`${site.address}/docs/features.html`);
    expect((await search(page, "redirect loop"))[0]).toContain(
      "/docs/troubleshooting.html#a-login-loop",
    );
    const excerpts = () =>
      page.execute(`
        return [...document.querySelectorAll(".excerpt")].slice(0, 3)
          .map((excerpt) => excerpt.clientHeight < 45);`);
    await expect.poll(excerpts).toEqual([true, true, true]);
    const marks = () =>
      page.execute(`
        return [...document.querySelectorAll(".result mark")].map(({ textContent }) => textContent);`) as Promise<
        string[]
      >;
    await expect.poll(marks).not.toEqual([]);
    // The guides have this under "login loop", which the question doesn't say.
    for (const mark of await marks()) expect(mark).toMatch(/^(?:redirect|loop)/i);
    expect(await page.execute(`return document.querySelector(".kind").textContent`)).toBe("Error");
    expect(await page.execute(`return document.documentElement.scrollWidth`)).toBe(320);
    await page.close();
  });

  test("opens with a slash, moves with the arrow keys, and closes with Escape", async () => {
    const page = await openBrowser("chromium");
    await page.goto(`${site.address}/docs/features.html`);
    const isOpen = () => page.execute(`return !!document.querySelector("#localsearch-input")`);
    await expect.poll(async () => {
      await page.press("/");
      return await isOpen();
    }).toBe(true);
    await page.press("Escape");
    await expect.poll(isOpen).toBe(false);
    await search(page, "cookie not set");
    const selected = () =>
      page.execute(`
        return [...document.querySelectorAll(".result")].findIndex((result) => result.matches(".selected"));`);
    // The results with excerpts replace those without, and select the first one again.
    const hasExcerpt = `return document.querySelector(".excerpt mark") !== null`;
    await expect.poll(() => page.execute(hasExcerpt)).toBe(true);
    expect(await selected()).toBe(0);
    await page.press("ArrowDown", "ArrowDown");
    await expect.poll(selected).toBe(2);
    await page.press("ArrowUp");
    await expect.poll(selected).toBe(1);
    const address = await page.execute(`return document.querySelector(".result.selected").href`);
    await page.press("Enter");
    await expect.poll(() => page.url()).toBe(address);
    await page.close();
  });

  test("opens the row of an error, with the row's text as its excerpt", async () => {
    const page = await openBrowser("chromium");
    await page.goto(`${site.address}/docs/features.html`);
    expect((await search(page, "other_login"))[0]).toContain("/docs/errors.html#other_login");
    const excerpt = () =>
      page.execute(`return document.querySelector(".excerpt")?.textContent.trim()`);
    await expect.poll(excerpt).toBe(
      "The callback belongs to a Login with a different name.",
    );
    await page.press("Enter");
    const top = () =>
      page.execute(`return document.getElementById("other_login")?.getBoundingClientRect().top`);
    await expect.poll(top).toBeGreaterThan(0);
    await expect.poll(top).toBeLessThan(300);
    await page.close();
  });

  test("shows its box above the rest of the page", async () => {
    const page = await openBrowser("chromium");
    await page.goto(`${site.address}/docs/features.html`);
    await search(page, "redirect loop");
    const above = await page.execute(`
      return ["#localsearch-label", "#localsearch-input", ".result", ".result .kind"].map((selector) => {
        const element = document.querySelector(selector);
        const { left, top, width, height } = element.getBoundingClientRect();
        const shown = document.elementFromPoint(left + width / 2, top + height / 2);
        return element.closest(".VPLocalSearchBox").contains(shown);
      });`);
    expect(above).toEqual([true, true, true, true]);
    await page.close();
  });

  test("opens the first result of the words in the box when Enter comes before the results", async () => {
    const page = await openBrowser("chromium");
    await page.goto(`${site.address}/docs/features.html`);
    const enter = (words: string) =>
      page.execute(`
        const input = document.querySelector("#localsearch-input");
        input.value = "${words}";
        input.dispatchEvent(new Event("input"));
        input.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));`);
    await search(page, "redis");
    await enter("avatarUrl");
    await expect.poll(() => page.url()).toContain("/avatarUrl.html");
    await page.execute(
      `sessionStorage.clear(); document.querySelector("#local-search button").click();`,
    );
    await expect.poll(() => page.execute(`return !!document.querySelector("#localsearch-input")`))
      .toBe(true);
    await enter("TokenSource");
    await expect.poll(() => page.url()).toContain("/TokenSource.html");
    await page.close();
  });

  test("has the box once the page is idle, so that it takes the letters after a slash", async () => {
    const page = await openBrowser("chromium");
    await page.goto(`${site.address}/docs/features.html`);
    const loaded = `return performance.getEntriesByType("resource")
      .some(({ name, responseEnd }) => name.includes("VPLocalSearchBox") && responseEnd > 0)`;
    await expect.poll(() => page.execute(loaded)).toBe(true);
    await page.press("/");
    await expect.poll(() => page.execute(`return document.activeElement.id`))
      .toBe("localsearch-input");
    await page.press("/");
    expect(await page.execute(`return document.activeElement.value`)).toBe("/");
    await page.close();
  });

  test.each(["VPLocalSearchBox", "SearchIndexroot"])(
    "says that it couldn't load if the server has no %s",
    async (missing) => {
      const page = await openBrowser("chromium");
      site.missing = missing;
      try {
        await page.goto(`${site.address}/docs/features.html`);
        const text = `
          const box = document.querySelector(".search-failed, .VPLocalSearchBox .results");
          return box?.textContent.trim()`;
        await expect.poll(async () => {
          await page.press("/");
          return await page.execute(text);
        }).toMatch(/^Search couldn't load\. Reload the page\.$|^Type|^Searching/);
        const input = "#localsearch-input";
        if (await page.execute(`return !!document.querySelector("${input}")`)) {
          await page.type(input, "Login");
        }
        await expect.poll(() => page.execute(text)).toBe("Search couldn't load. Reload the page.");
      } finally {
        delete site.missing;
      }
      await page.close();
    },
  );

  test("tells assistive technology about its results, and gives the focus back", async () => {
    const page = await openBrowser("chromium");
    await page.goto(`${site.address}/docs/features.html`);
    await search(page, "returnTo");
    const state = () =>
      page.execute(`
        const input = document.querySelector("#localsearch-input");
        const options = [...document.querySelectorAll("#" + input.getAttribute("aria-controls") + "[role=listbox] [role=option]")];
        const selected = options.filter((option) => option.getAttribute("aria-selected") === "true");
        return {
          role: input.getAttribute("role"),
          isExpanded: input.getAttribute("aria-expanded"),
          selected: selected.map((option) => options.indexOf(option)),
          isActive: selected[0]?.id === input.getAttribute("aria-activedescendant"),
          count: options.length,
          status: document.querySelector(".VPLocalSearchBox [role=status]").textContent.trim(),
        };`) as Promise<{ count: number; selected: number[] }>;
    const { count } = await state();
    const expected = {
      role: "combobox",
      isExpanded: "true",
      selected: [0],
      isActive: true,
      count,
      status: `${count} results`,
    };
    expect(count).toBeGreaterThan(2);
    expect(await state()).toEqual(expected);
    await page.press("ArrowDown");
    await expect.poll(state).toEqual({ ...expected, selected: [1] });
    const pressed = () =>
      page.execute(
        `return document.querySelector(".toggle-layout-button").getAttribute("aria-pressed")`,
      );
    expect(await pressed()).toBe("true");
    await page.click(".toggle-layout-button");
    await expect.poll(pressed).toBe("false");
    await page.press("Escape");
    const focused = `return document.activeElement.matches("#local-search button")`;
    await expect.poll(() => page.execute(focused)).toBe(true);
    await page.close();
  });

  test("keeps open after a click for another tab, its labels plain, and its results in place", async () => {
    const page = await openBrowser("chromium");
    await page.goto(`${site.address}/docs/features.html`);
    await search(page, "api error");
    const heights = () =>
      page.execute(`
        return [...document.querySelectorAll(".excerpt-wrapper")].map(({ offsetHeight }) => offsetHeight);`) as Promise<
        number[]
      >;
    const before = new Set(await heights());
    await expect.poll(() => page.execute(`return document.querySelector(".result mark") !== null`))
      .toBe(true);
    expect(new Set(await heights())).toEqual(before);
    expect(await page.execute(`return document.querySelectorAll(".kind mark").length`)).toBe(0);
    await page.execute(`
      const link = document.querySelector(".result");
      link.addEventListener("click", (event) => event.preventDefault());
      link.dispatchEvent(new MouseEvent("click", { ctrlKey: true, bubbles: true, cancelable: true }));`);
    expect(await page.execute(`return !!document.querySelector("#localsearch-input")`)).toBe(true);
    await page.close();
  });

  test("puts at most two parts of the API reference before the guides", () => {
    for (const question of ["avatar", "cookie", "refresh", "permissions", "webhook"]) {
      const isApi = results[question]?.slice(0, 8).map((address) => address.includes("/api/")) ??
        [];
      expect(isApi.slice(0, isApi.lastIndexOf(false)).filter(Boolean).length).toBeLessThan(3);
      expect(isApi).toContain(false);
    }
  });

  test("says what it finds, and takes a long message", async () => {
    const page = await openBrowser("chromium", { width: 320 });
    await page.goto(`${site.address}/docs/features.html`);
    await search(page, "Login");
    await page.execute(`document.querySelector("#localsearch-input").select()`);
    await page.execute(`document.execCommand("delete")`);
    const text = `return document.querySelector(".VPLocalSearchBox .results").textContent.trim()`;
    await expect.poll(() => page.execute(text)).toMatch(/^Type a task, .* an error message\.$/);
    const [message = ""] = pastedMessages.keys();
    await page.type("#localsearch-input", message);
    expect(await page.execute(`return document.querySelector("#localsearch-input").value`))
      .toBe(message);
    const first = `return document.querySelector(".result")?.getAttribute("href") ?? ""`;
    await expect.poll(() => page.execute(first)).toContain(pastedMessages.get(message));
    await page.close();
  });

  test("leads to all guides if it finds nothing", async () => {
    const page = await openBrowser("chromium");
    await page.goto(`${site.address}/docs/features.html`);
    await search(page, "Login");
    await page.execute(`document.querySelector("#localsearch-input").select()`);
    await page.type("#localsearch-input", "dark mode");
    const link = ".no-results a";
    await expect.poll(() => page.execute(`return !!document.querySelector("${link}")`)).toBe(true);
    await page.click(link);
    await expect.poll(() => page.url()).toContain("/docs/README.html");
    await page.close();
  });

  test("loads its index when the button gets the focus", async () => {
    const page = await openBrowser("chromium");
    await page.goto(`${site.address}/docs/features.html`);
    const loaded = () =>
      page.execute(`
        return performance.getEntriesByType("resource").some(({ name }) => name.includes("SearchIndexroot"));`);
    const button = `document.querySelector("#local-search button")`;
    await expect.poll(() => page.execute(`return !!${button}`)).toBe(true);
    expect(await loaded()).toBe(false);
    await expect.poll(async () => {
      await page.execute(`${button}.blur(); ${button}.focus();`);
      return await loaded();
    }).toBe(true);
    await page.close();
  });

  test("says that it searches until its index is there", async () => {
    const page = await openBrowser("chromium");
    await page.goto(`${site.address}/docs/features.html`);
    const index = Promise.withResolvers<void>();
    site.indexIsReady = index.promise;
    try {
      const results = search(page, "Login");
      const text =
        `return document.querySelector(".VPLocalSearchBox .results")?.textContent.trim()`;
      await expect.poll(() => page.execute(text)).toBe("Searching…");
      index.resolve();
      expect(await results).not.toEqual([]);
      expect(await page.execute(text)).not.toContain("Searching…");
    } finally {
      index.resolve();
    }
    await page.close();
  });

  test("leads to the result", async () => {
    const page = await openBrowser("chromium", { width: 390 });
    await page.goto(`${site.address}/docs/features.html`);
    expect((await search(page, "TokenSource"))[0]).toContain("TokenSource.html");
    await page.press("Enter");
    await expect.poll(() => page.url()).toContain("/api/sdk/Tokens/classes/TokenSource.html");
    await page.close();
  });
});

test("The first page names the library below its heading, and begins with the demo of a clone until npm has it", () => {
  const home = pages.get("/index.html") ?? "";
  const [, code = ""] = home.split('<h2 id="the-code"');
  expect(code).toMatch(/^.*?<\/h2><p>This library includes /s);
  const [hero = "", commands = ""] =
    /class="hero-start[^]*?<code>([^]*?)<\/code>[^]*?<\/p>/.exec(home) ??
      [];
  expect(commands.replace(/<[^>]*>/g, "").trim().split("\n")).toEqual([
    "git clone https://github.com/guildpass/sdk",
    "cd sdk",
    expect.stringMatching(/^npx -y deno@[\d.]+ task demo$/),
  ]);
  expect(hero).toContain(`href="${base}docs/first_login.html#install-it-from-a-clone"`);
  expect(home.replace(/<[^>]*>/g, "")).not.toMatch(/(?:npm install|pnpm add) @guildpass/);
});

test("The first page copies its code, and links to the guides and the invite builder", async () => {
  const page = await openBrowser("chromium");
  const heading = () => page.execute(`return document.querySelector("h1").textContent`);
  await page.goto(`${site.address}/`);
  await page.execute(`navigator.clipboard.writeText = async (text) => { window.copied = text; };`);
  await expect.poll(async () => {
    await page.execute(`document.querySelector(".language-ts button.copy")?.click();`);
    return await page.execute(`return window.copied ?? ""`);
  }).toContain("await login.handle(request)");
  await page.execute(`document.querySelector(".hero-start button.copy").click();`);
  await expect.poll(() => page.execute(`return window.copied`))
    .toMatch(/^git clone .*\ncd sdk\nnpx .* demo$/);
  await page.click(`.VPFeature[href*='first_login']`);
  await expect.poll(heading).toContain("Your first login");
  await page.goto(`${site.address}/`);
  await page.click(`.VPFeature[href='${base}invite-builder/']`);
  await expect.poll(heading).toBe("Invite builder");
  const loaded = `return document.querySelectorAll("[src], link:not([rel=icon])").length`;
  expect(await page.execute(loaded)).toBe(0);
  await page.type("#client-id", "1024000000000000000");
  await expect.poll(() => page.execute(`return document.body.innerText`))
    .toContain("client_id=1024000000000000000");
  await page.click(".brand a");
  await expect.poll(() => page.url()).toBe(`${site.address}/`);
  await page.close();
});

test("The invite builder of the documentation site has its own content security policy", () => {
  expect(pages.get("/invite-builder/index.html")).toMatch(
    /<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'sha256-/,
  );
});

test("The documentation site asks no other host for anything", () => {
  // All pages of these tests came from it, with a policy that reports requests to other hosts.
  expect(site.problems.filter((problem) => problem !== `${base}no_such_page`)).toEqual([]);
});

/** Returns the paths of the guides. The other pages beside them redirect from old addresses. */
function guidePaths(): string[] {
  return [...pages].flatMap(([path, html]) => {
    return path.startsWith("/docs/") && html.includes("vp-doc") ? path : [];
  });
}

/** Returns the ids of the headings of level 2 on a page. */
function headings(path: string): (string | undefined)[] {
  return [...pages.get(path)?.matchAll(/<h2 id="([^"]*)"/g) ?? []].map(([, id]) => id);
}

/** Opens the first page, and starts its demo with the keyboard. */
async function startDemo(page: BrowserPage): Promise<void> {
  await page.goto(`${site.address}/`);
  await expect.poll(async () => {
    await page.execute(`document.querySelector("#login-demo button")?.focus();`);
    await page.press("Enter");
    return await demoText(page);
  }).toContain("Log in with Discord");
}

/** Returns the text of the page that the demo shows. */
async function demoText(page: BrowserPage): Promise<string> {
  const text = await page.execute(`
    const frame = document.querySelector("#login-demo iframe");
    return frame?.contentDocument?.body?.innerText ?? "";`);
  return String(text);
}

/** Presses Tab in the demo until an element has the focus, and then Enter. */
async function pressInDemo(page: BrowserPage, selector: string): Promise<void> {
  const hasFocus = `
    const { activeElement } = document.querySelector("#login-demo iframe").contentDocument;
    return activeElement.matches(${JSON.stringify(selector)});`;
  await expect.poll(async () => {
    await page.press("Tab");
    return await page.execute(hasFocus);
  }).toBe(true);
  await page.press("Enter");
}

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
    if (pathname.includes("SearchIndexroot")) await site.indexIsReady;
    const path = join(folder, pathname.replace(base, "/").replace(/\/$/, "/index.html"));
    const isMissing = site.missing !== undefined && pathname.includes(site.missing);
    const file = pathname.startsWith(base) && !isMissing &&
      await readFile(path).catch(() => undefined);
    if (!file && !isMissing) problems.push(pathname);
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
  ".svg": "image/svg+xml",
};
