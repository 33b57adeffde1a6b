import { existsSync, readdirSync, readFileSync } from "node:fs";
import { afterAll, describe, expect, onTestFinished, test, vi } from "vitest";
import deno from "../../deno.json" with { type: "json" };
import { PlatformApi } from "../../mod.ts";
import { Login } from "../../src/login/mod.ts";
import { createFakePlatform } from "../../src/testing/mod.ts";
import {
  assertionCount,
  docBlocks,
  documentOf,
  guides,
  removeBlocks,
  runBlock,
} from "../support/doc_blocks.ts";

afterAll(removeBlocks);

/** A command that needs the package. */
const neededPackage =
  /npx @guildpass|npm install(?: @guildpass| && npm start|.+: @guildpass)|deno add npm:@guildpass/;

/** Sets the variables of an application for one test. Returns the fake platform that knows the application. */
async function stubEnvironment() {
  const { fake, botToken, clientId, clientSecret, secret } = await import(
    "../support/sdk_on_fake_platform.ts"
  );
  vi.stubEnv("DISCORD_CLIENT_ID", clientId);
  vi.stubEnv("DISCORD_CLIENT_SECRET", clientSecret);
  vi.stubEnv("DISCORD_BOT_TOKEN", botToken);
  vi.stubEnv("LOGIN_SECRET", secret);
  onTestFinished(() => void vi.unstubAllEnvs());
  return fake;
}

describe("The examples in the documentation", () => {
  const sources = readdirSync(new URL("../../src", import.meta.url), { recursive: true })
    .map((path) => String(path).replaceAll("\\", "/"))
    .filter((path) => path.endsWith(".ts"))
    .sort();
  const blocks = ["mod.ts", ...sources.map((path) => `src/${path}`)].flatMap(docBlocks);

  test.each(blocks)("$name runs and shows the right values", async (block) => {
    await stubEnvironment();
    await runBlock(block);
  });

  test("show checked values", () => {
    expect(blocks.reduce((sum, block) => sum + assertionCount(block), 0)).toBeGreaterThan(10);
  });
});

describe("The README", () => {
  const { blocks, blockWith, onFake } = documentOf("README.md");

  test("fits on few screens", () => {
    expect(textOf("README.md").trimEnd().split("\n").length).toBeLessThanOrEqual(90);
  });

  test("has two commands for a clone on its first screen, after the application", () => {
    const [block, commands = ""] = /```sh\n([^]*?)```/.exec(textOf("README.md")) ?? [];
    expect(commands.split("\n").map((line) => line.replace(/ *#.*/, "")).filter(Boolean))
      .toEqual(["npx -y deno@2.9.6 task demo", "npx -y deno@2.9.6 task test"]);
    const [before = "", after = ""] = textOf("README.md").split(block ?? "");
    expect(before.split("\n").length).toBeLessThan(40);
    expect(before).not.toMatch(neededPackage);
    expect(after).toMatch(neededPackage);
  });

  test("logs in with its first block and the settings of the environment", async () => {
    const fake = await stubEnvironment();
    const block = blockWith("login.handle(request)");
    expect(blocks).toEqual([block]);
    expect(block.code.split("\n").filter((line) => /[a-z]/.test(line))).toHaveLength(20);
    const { default: app } = await onFake<Application>(block);
    const stranger = await app.fetch(new Request("https://app.example/shop"));
    expect(stranger.headers.get("location")).toMatch(/^https:\/\/discord\.com\/oauth2\/authorize/);
    const browser = fake.browser(app.fetch, { as: "ada" });
    const page = await browser.open("https://app.example/shop");
    expect([browser.url, await page.text()]).toEqual(["https://app.example/shop", "Hello, ada"]);
    expect(page.headers.get("cache-control")).toBe("no-store");
    const end = await browser.open("https://app.example/logout", { method: "POST" });
    expect(await end.text()).toBe("You are logged out");
  });
});

test("The reference of `Login` begins with the options of the README", () => {
  const application = /^import \{ env \}[^]*?^\}\);$/m;
  const [options] = application.exec(textOf("README.md")) ?? [];
  const example = docBlocks("src/login/login.ts").find(({ code }) => code.includes("new Login("));
  expect(options).toContain("platform: env.DISCORD_PLATFORM");
  expect(application.exec(example?.code ?? "")?.[0]).toBe(options);
});

describe("docs/features.md", () => {
  const { blocks, blockWith, onFake } = documentOf("docs/features.md");

  test("finds the guilds to manage in a Deno script", async () => {
    expect(blocks).toHaveLength(1);
    const { fake } = await import("../support/sdk_on_fake_platform.ts");
    const { whereCanIManage } = await onFake<{
      whereCanIManage(accessToken: string): Promise<string[]>;
    }>(blockWith("githubusercontent"));
    const token = fake.issueToken({ as: "ada", scopes: ["guilds"] });
    expect(await whereCanIManage(token.access_token)).toContain("Night Sky");
  });
});

describe("README.md, CONTRIBUTING.md, SECURITY.md and the guides", () => {
  const documents = ["README.md", "CONTRIBUTING.md", "SECURITY.md", ...filesIn("docs", ".md")];
  const texts = documents.map(textOf).join("\n");

  test("name only existing files and folders", () => {
    // These name files of the reader.
    const others = documents.filter((path) =>
      !/\/(?:astro|nest|nuxt|react_router|solid_start|sveltekit|tanstack_start)\.md$/.test(path)
    )
      .map(textOf);
    const named = [
      ...others.join("\n").matchAll(/`((?:src|tests|scripts|examples|docs)\/[\w./]*)`/g),
    ];
    expect(named.length).toBeGreaterThan(30);
    expect(named.map(([, path = ""]) => path).filter((path) => !existsSync(fileIn(path))))
      .toEqual([]);
  });

  test("link only to existing files", () => {
    const links = documents.flatMap((document) =>
      [...textOf(document).matchAll(/\]\((?!https?:|#)([^)#]+)/g)]
        .map(([, path = ""]) => new URL(path, fileIn(document)))
    );
    expect(links.length).toBeGreaterThan(30);
    expect(links.filter((url) => !existsSync(url)).map(String)).toEqual([]);
  });

  test("link only to existing headings", () => {
    const links = documents.flatMap((document) =>
      [...textOf(document).matchAll(/\]\((?!https?:)([^)#]*)#([^)]+)\)/g)]
        .map(([link, path = "", heading = ""]) => ({
          name: `${document}: ${link}`,
          url: new URL(path || document.replace(/.*\//, ""), fileIn(document)),
          heading,
        }))
    );
    expect(links.length).toBeGreaterThan(100);
    const wrong = links.filter(({ url, heading }) =>
      url.pathname.endsWith(".md") && !headingsOf(readFileSync(url, "utf8")).has(heading)
    );
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });

  test("lead from the list of guides to every guide", () => {
    const list = textOf("docs/README.md");
    const all = filesIn("docs", ".md").filter((path) => path !== "docs/README.md");
    expect(all).toEqual(expect.arrayContaining([...guides]));
    expect(all.filter((guide) => !list.includes(`](${guide.replace("docs/", "")})`))).toEqual([]);
  });

  test("name only existing methods", () => {
    const methods = new Map<string, object>([
      ["api", PlatformApi.prototype],
      ["fake", createFakePlatform()],
      ["login", Login.prototype],
    ]);
    const named = [...texts.matchAll(/`(api|fake|login)\.(?!(?:controller\.)?ts\b)(\w+)/g)];
    expect(named.length).toBeGreaterThan(30);
    const unknown = named.filter(([, object = "", method = ""]) =>
      !(method in (methods.get(object) ?? {}))
    );
    expect(unknown.map(([text]) => text)).toEqual([]);
  });

  test("explain environment.ts beside an example that imports it", () => {
    const importing = documents.filter((document) =>
      docBlocks(document).some(({ code }) => code.includes("./environment.ts"))
    );
    expect(importing.length).toBeGreaterThan(10);
    expect(importing.filter((document) => !textOf(document).includes("`environment.ts`")))
      .toEqual([]);
  });

  test("say how to install the package beside the first command that needs it", () => {
    const paragraphs = [
      ...documents,
      "examples/background_jobs/README.md",
      "examples/cloudflare_worker/README.md",
    ].flatMap(
      (document) => {
        const parts = textOf(document).split("\n\n");
        const first = parts.findIndex((part) => neededPackage.test(part));
        return first < 0 ? [] : [parts.slice(Math.max(0, first - 1), first + 1).join("\n\n")];
      },
    );
    expect(paragraphs.length).toBeGreaterThan(6);
    expect(
      paragraphs.filter((text) =>
        !/once\s+it\s+is\s+published|#install-it-from-a-clone|installed\s+the\s+package/i.test(text)
      ),
    ).toEqual([]);
  });

  test("name only existing tasks", () => {
    const named = [...texts.matchAll(/\btask ([a-z][\w:]*)/g)];
    expect(named.length).toBeGreaterThan(10);
    expect(named.map(([, task = ""]) => task).filter((task) => !(task in deno.tasks))).toEqual([]);
    for (const [, folder, task] of texts.matchAll(/\btask --cwd (\S+) ([\w:]+)/g)) {
      expect(Object.keys(JSON.parse(textOf(`${folder}/deno.json`)).tasks)).toContain(task);
    }
  });
});

describe("A published secret", () => {
  const documents = ["README.md", "CONTRIBUTING.md", ...filesIn("docs", ".md")];
  const examples = filesIn(
    "examples",
    ".ts",
    ".tsx",
    ".svelte",
    ".astro",
    ".md",
    ".jsonc",
    ".example",
  );
  const sources = ["mod.ts", ...filesIn("src", ".ts")];

  test.each([
    ['secret: "random text of at least 32 characters",', 1],
    ["const loginSecret: string = 'random text of at least 32 characters';", 1],
    ['env.LOGIN_SECRET ?? "random text of at least 32 characters"', 1],
    ['secret: [newSecret, "random text of at least 32 characters"]', 1],
    ['sealed(store, "random text of at least 32 characters")', 1],
    ['new PlatformApi("1024000000000000000", "n0ne")', 1],
    ["SESSION_SECRET=random-text-of-at-least-32-characters", 1],
    ['clientSecret: "n0ne"', 1],
    ['clientSecret: env.DISCORD_CLIENT_SECRET ?? ""', 0],
    ["secret: crypto.randomUUID(),", 0],
    ['echo "LOGIN_SECRET=$(openssl rand -base64 32)" >> .env', 0],
    ['const { DISCORD_CLIENT_SECRET = "", LOGIN_SECRET = "" } = process.env;', 0],
  ])("is found, and nothing else, in %s", (text, count) => {
    expect(publicSecrets(text)).toHaveLength(count);
  });

  test("is absent from documents, examples and documentation comments", () => {
    const found = [...documents, ...examples].flatMap((path) =>
      publicSecrets(textOf(path)).map((secret) => `${path}: ${secret}`)
    );
    const inComments = sources.flatMap((path) =>
      (textOf(path).match(/\/\*\*[^]*?\*\//g) ?? []).flatMap(publicSecrets)
        .map((secret) => `${path}: ${secret}`)
    );
    expect([...found, ...inComments]).toEqual([]);
  });
});

/** Finds written-out secrets that would work after copying. */
function publicSecrets(text: string): string[] {
  const literal = /(["'`])((?:(?!\1)[^\\\n$])+)\1/.source;
  const harmless = ["fake_secret_of_the_sample_application", "the-text-that-you-copied"];
  return [
    `secret["']?(?:: string)?\\s*(?:[:=]|\\?\\?|\\|\\|)\\s*(?:\\[[^\\]"'\`]*)?${literal}`,
    `sealed\\([^)"'\`]*?, ?\\[?${literal}`,
    `PlatformApi\\(\\s*[^,()]+,\\s*${literal}`,
    // A line of an environment file.
    "secret=()([^\\s\"'$()…]+)",
  ].flatMap((source) => [...text.matchAll(new RegExp(source, "gi"))])
    .filter(([, , secret = ""]) => !harmless.includes(secret))
    .map(([found]) => found);
}

/** Returns the fragments of the headings of a document, as GitHub and the site make them. */
function headingsOf(markdown: string): ReadonlySet<string> {
  const prose = markdown.replace(/^ *```[^]*?^ *```$/gm, "");
  return new Set(
    [...prose.matchAll(/^#+ (.*)$/gm)].map(([, title = ""]) =>
      title.replace(/\[(.*?)\]\(.*?\)/g, "$1").toLowerCase().replace(/[^\w\- ]/g, "")
        .replaceAll(" ", "-")
    ),
  );
}

/** Lists the files of a folder with one of the given endings. */
function filesIn(folder: string, ...endings: string[]): string[] {
  return readdirSync(fileIn(folder), { recursive: true })
    .map((path) => `${folder}/${String(path).replaceAll("\\", "/")}`)
    .filter((path) => endings.some((ending) => path.endsWith(ending)))
    .filter((path) => !path.includes("node_modules"))
    .sort();
}

describe("CONTRIBUTING.md", () => {
  test("lists every module of the library or its folder", () => {
    const named = [...textOf("CONTRIBUTING.md").matchAll(/^\| (`src\/.*?) +\|/gm)]
      .flatMap(([, places = ""]) =>
        [...places.matchAll(/`([^`]+)`/g)].map(([, path = ""]) => path)
      );
    const modules = filesIn("src", ".ts").filter((path) => !path.endsWith("/mod.ts"));
    const isNamed = (module: string) =>
      named.some((path) => path.endsWith("/") ? module.startsWith(path) : module === path);
    expect(modules.filter((module) => !isNamed(module))).toEqual([]);
  });
});

function fileIn(path: string): URL {
  return new URL(`../../${path}`, import.meta.url);
}

function textOf(path: string): string {
  return readFileSync(fileIn(path), "utf8");
}

interface Application {
  default: { fetch(request: Request): Promise<Response> };
}
