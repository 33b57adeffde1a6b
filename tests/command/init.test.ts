import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { runCommand } from "../../src/command/command.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "guildpass-init-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

/** Writes a file of the application. */
function write(path: string, text: string | object): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), typeof text === "string" ? text : JSON.stringify(text));
}

const read = (path: string): string => readFileSync(join(folder, path), "utf8");

const recipe = (path: string): string =>
  readFileSync(new URL(`../../examples/frameworks/${path}`, import.meta.url), "utf8");

/** Lists the files of the application, without those of git. */
const files = (): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    .filter((path) => !path.startsWith(".git/")).sort();

const git = (...args: string[]) => execFileSync("git", ["-C", folder, ...args], { stdio: "pipe" });

async function init(...words: string[]) {
  let printed = "";
  let errors = "";
  const code = await runCommand(["init", ...words], {
    print: (line) => printed += `${line}\n`,
    printError: (line) => errors += `${line}\n`,
    folder,
  });
  return { code, printed, errors };
}

const uses = (...packages: string[]) => ({
  dependencies: Object.fromEntries(packages.map((name) => [name, "^1.0.0"])),
});

describe("guildpass init", () => {
  test("copies the recipe of the framework in package.json, and says what to do next", async () => {
    write("package.json", uses("next", "react"));
    const { code, printed, errors } = await init();
    expect({ code, errors }).toEqual({ code: 0, errors: "" });
    expect(files()).toEqual([
      ".env.local",
      ".gitignore",
      "app/api/auth/[...path]/route.ts",
      "app/api/me/route.ts",
      "app/bye/page.tsx",
      "app/error.tsx",
      "app/members/page.tsx",
      "app/page.tsx",
      "login.ts",
      "package.json",
    ]);
    expect(read("login.ts")).toBe(recipe("api_login.ts"));
    expect(read("app/page.tsx")).toBe(recipe("next/app/page.tsx"));
    expect(read(".gitignore")).toBe(".env.local\n");
    expect(printed).toContain("http://localhost:3000/api/auth/callback\n");
    expect(printed).toContain("1. Install the library: npm install @guildpass/sdk\n");
    expect(printed).toContain("npx @guildpass/sdk fake");
    expect(printed).toContain("npm run dev");
    expect(printed).toMatch(/Open http:\/\/localhost:3000\/$/m);
    expect(printed).toContain("/docs/next.md");
  });

  test("writes an env file with a new secret, which only its owner can read", async () => {
    write("package.json", uses("next"));
    const { printed } = await init();
    const secret = /^LOGIN_SECRET=([\w-]{43})$/m.exec(read(".env.local"))?.[1] ?? "";
    expect(secret).not.toBe("");
    expect(printed).not.toContain(secret);
    expect(statSync(join(folder, ".env.local")).mode & 0o777).toBe(0o600);
    rmSync(join(folder, ".env.local"));
    await init();
    expect(read(".env.local")).not.toContain(secret);
  });

  test("leaves the files that exist, and a home page of which one file exists", async () => {
    const manifest = { devDependencies: { "@sveltejs/kit": "^2.0.0" }, ...uses("@guildpass/sdk") };
    write("package.json", manifest);
    write("src/routes/+page.svelte", "mine");
    write("src/routes/bye/+page.svelte", "mine too");
    write(".env", "MINE=1\n");
    write(".gitignore", "node_modules\n.env*");
    const { code, printed } = await init();
    expect(code).toBe(0);
    expect(files()).toEqual([
      ".env",
      ".gitignore",
      "package.json",
      "src/login.server.ts",
      "src/routes/+error.svelte",
      "src/routes/+page.svelte",
      "src/routes/api/auth/[...path]/+server.ts",
      "src/routes/api/me/+server.ts",
      "src/routes/bye/+page.svelte",
      "src/routes/members/+page.server.ts",
      "src/routes/members/+page.svelte",
    ]);
    expect(read("src/routes/+page.svelte")).toBe("mine");
    expect(read("src/routes/bye/+page.svelte")).toBe("mine too");
    expect(read(".env")).toBe("MINE=1\n");
    expect(read(".gitignore")).toBe("node_modules\n.env*");
    expect(printed).toContain("left src/routes/+page.svelte as it is");
    expect(printed).toContain("left src/routes/bye/+page.svelte as it is");
    expect(printed).toContain("left .env as it is");
    expect(printed).toMatch(/1\. Add these lines to \.env:\n\n[^]*\nLOGIN_SECRET=[\w-]{43}\n/);
    expect(printed).not.toContain("npm install @guildpass/sdk");
    expect(printed).toMatch(/Open http:\/\/localhost:5173\/members$/m);
  });

  test("changes nothing the second time", async () => {
    write("package.json", uses("express"));
    await init();
    const before = files().map((path) => [path, read(path)]);
    expect((await init()).code).toBe(0);
    expect(files().map((path) => [path, read(path)])).toEqual(before);
  });

  test("shows the lines that belong into an existing file", async () => {
    write("package.json", uses("@react-router/dev", "react-router"));
    write("app/routes.ts", "export default [];");
    const { printed } = await init();
    expect(printed).toMatch(/Open http:\/\/localhost:5173\/$/m);
    expect(read("app/routes.ts")).toBe("export default [];");
    const [, lines = ""] = recipe("react_router/app/routes.ts").split("*/\n\n");
    expect(printed).toContain(`Add the lines of the recipe to app/routes.ts:\n\n${lines}`);
  });

  test("names a page of the recipe to open if the home page is not the recipe's", async () => {
    write("package.json", uses("next"));
    write("app/page.tsx", "mine");
    expect((await init()).printed).toMatch(/Open http:\/\/localhost:3000\/members$/m);
  });

  test("uses the folder src, and adds the env file to the end of .gitignore", async () => {
    write("package.json", uses("express"));
    write("src/index.js", "");
    write(".gitignore", "node_modules");
    const { printed } = await init();
    expect(existsSync(join(folder, "src/express.ts"))).toBe(true);
    expect(printed).toContain("node --env-file=.env src/express.ts");
    expect(read(".gitignore")).toBe("node_modules\n.env\n");
  });

  test.each([
    [["next"], ["src/pages/index.tsx"], "src/pages/api/auth/[...path].ts"],
    [["next"], ["src/app/page.tsx"], "src/app/api/auth/[...path]/route.ts"],
    [["nuxt"], ["app/app.vue", "src/other.ts"], "app/pages/members.vue"],
    [["nuxt"], ["app.vue"], "pages/members.vue"],
    [["hono", "wrangler"], [], "hono.ts"],
    [["hono"], [], "hono_node.ts"],
    [["express", "hono"], [], "hono_node.ts"],
    [["wrangler"], [], "worker.ts"],
  ])("finds the recipe for %j with %j", async (packages, existing, expected) => {
    write("package.json", uses(...packages));
    for (const path of existing) write(path, "");
    expect((await init()).code).toBe(0);
    expect(files()).toContain(expected);
  });

  test.each<[string, object, boolean, RegExp | null]>([
    ["express", {}, true, /TypeScript\. Node 22\.18 and later runs them as they are/],
    ["express", { type: "commonjs" }, true, /TypeScript\. Node/],
    ["express", { type: "module", devDependencies: { typescript: "^6.0.0" } }, false, null],
    ["nuxt", {}, false, /TypeScript\. Nuxt 3 compiles them$/m],
  ])("names what %s needs to load its files with %j", async (name, manifest, needsType, note) => {
    write("package.json", { ...uses(name), ...manifest });
    const { printed } = await init();
    expect(printed.includes("npm pkg set type=module")).toBe(needsType);
    if (note) expect(printed).toMatch(note);
    else expect(printed).not.toContain("TypeScript");
  });

  test("says which framework package.json has, and how to choose another", async () => {
    write("package.json", uses("hono", "wrangler"));
    const { printed } = await init();
    expect(printed).toMatch(
      /^package\.json has hono and wrangler, so this is the recipe for Hono in a Worker\.\n/,
    );
    expect(printed).toContain('name it, as in "init express"; "init --help" lists all.');
  });

  test.each<[string, object, readonly string[], RegExp]>([
    ["npm by default", {}, [], /npm install @guildpass\/sdk\n.*npm install --save-dev @types/s],
    ["npm by its lock file", {}, ["package-lock.json"], /npm install @guildpass\/sdk\n/],
    [
      "pnpm by its lock file",
      {},
      ["pnpm-lock.yaml"],
      /pnpm add @guildpass\/sdk\n.*pnpm add --save-dev @types\/node\n/s,
    ],
    ["yarn by its lock file", {}, ["yarn.lock"], /yarn add @guildpass.*yarn add --dev @types/s],
    ["bun by its lock file", {}, ["bun.lock"], /bun add @guildpass.*bun add --dev @types/s],
    ["bun by its older lock file", {}, ["bun.lockb"], /bun add @guildpass/],
    ["the one in package.json", { packageManager: "yarn@4.9.1" }, ["bun.lock"], /yarn add @guild/],
    ["npm for one that is not known", { packageManager: "vlt@1.0.0" }, [], /npm install @guild/],
  ])("prints the commands of %s", async (_, manifest, existing, expected) => {
    write("package.json", { ...uses("@sveltejs/kit"), ...manifest });
    for (const path of existing) write(path, "");
    expect((await init()).printed).toMatch(expected);
  });

  test.each(["npm", "pnpm", "yarn", "bun"])("starts the application with %s", async (name) => {
    write("package.json", { ...uses("next"), packageManager: `${name}@1.0.0` });
    expect((await init()).printed).toContain(`Start the application: ${name} run dev\n`);
  });

  test("does not tell to install what package.json has", async () => {
    write("package.json", uses("fastify"));
    expect((await init()).printed).toContain(
      ". Install the package that escapes names in pages: npm install escape-goat\n",
    );
    write("package.json", {
      ...uses("fastify", "escape-goat"),
      devDependencies: { "@guildpass/sdk": "^1.0.0" },
    });
    expect((await init()).printed).not.toContain("Install");
  });

  test("takes the name of a framework", async () => {
    write("package.json", uses("hono"));
    const { code, printed } = await init("express");
    expect(code).toBe(0);
    expect(printed).toMatch(/^The recipe for Express:\n/);
    expect(files()).toContain("express.ts");
    expect(files()).not.toContain("hono.ts");
  });

  test.each<[string, string | object, string[], string]>([
    [
      "nothing known",
      uses("left-pad"),
      [],
      "package.json has no framework with a recipe: choose",
    ],
    [
      "no packages",
      {},
      [],
      "\nnext-pages, next, react-router, nuxt, nuxt-3, sveltekit, tanstack-start, solid-start, astro, nest, hono-worker, hono",
    ],
    ["a wrong name", {}, ["rails"], 'There is no recipe "rails": choose one'],
    ["a misspelled name", {}, ["expres"], 'There is no recipe "expres": did you mean express?'],
    ["two names", {}, ["next", "hono"], 'init takes one word only, received "hono"'],
    ["a broken package.json", "{", [], "package.json is not JSON"],
  ])("writes nothing for %s", async (_, manifest, words, message) => {
    write("package.json", manifest);
    const { code, errors } = await init(...words);
    expect(code).toBe(2);
    expect(errors).toContain(message);
    expect(files()).toEqual(["package.json"]);
  });

  test("works in the folder of an application only, by default the working directory", async () => {
    expect(await init("next")).toMatchObject({ code: 2, printed: "" });
    const errors: string[] = [];
    const print = () => {};
    await runCommand(["init"], { print, printError: (line) => errors.push(line) });
    expect(errors.join()).toContain("There is no package.json here");
  });

  test("writes nothing if git tracks the env file, even a deleted one", async () => {
    write("package.json", uses("express"));
    write(".env", "OLD=1");
    git("init", "--quiet");
    git("add", "--force", ".env");
    rmSync(join(folder, ".env"));
    const { code, errors } = await init();
    expect(code).toBe(2);
    expect(errors).toContain("git tracks .env, where the secrets go. Nothing was written");
    expect(errors).toContain("git rm --cached .env");
    expect(files()).toEqual(["package.json"]);
  });

  test.each([".env\n!.env\n", ".env*\n!.env\n", "!.env"])(
    "keeps the env file out of git after a line that takes it back: %j",
    async (lines) => {
      for (const hasRepository of [true, false]) {
        rmSync(join(folder, ".env"), { force: true });
        write("package.json", uses("express"));
        write(".gitignore", lines);
        if (hasRepository) git("init", "--quiet");
        await init();
        await init();
        expect(read(".gitignore")).toMatch(/!\.env\n\.env\n$/);
        git("init", "--quiet");
        git("add", ".");
        expect(git("ls-files").toString().split("\n")).not.toContain(".env");
        rmSync(join(folder, ".git"), { recursive: true });
      }
    },
  );

  test("leaves .gitignore as it is if git ignores the env file, as in a package of a monorepo", async () => {
    write(".gitignore", "**/.env.local\n");
    git("init", "--quiet");
    write("packages/site/package.json", uses("next"));
    const root = folder;
    folder = join(root, "packages/site");
    await init();
    expect(files()).toContain(".env.local");
    expect(files()).not.toContain(".gitignore");
    folder = root;
  });

  test("writes nothing through a link out of the folder", async () => {
    write("package.json", uses("next"));
    const outside = mkdtempSync(join(tmpdir(), "guildpass-outside-"));
    symlinkSync(outside, join(folder, "app"));
    const { code, errors } = await init();
    expect({ code, errors }).toEqual({
      code: 2,
      errors: "app is a link out of this folder. Nothing was written\n",
    });
    expect(readdirSync(outside)).toEqual([]);
    expect(files()).toEqual(["app", "package.json"]);
    rmSync(outside, { recursive: true });
  });

  test("counts a link as an existing file, and writes to no .gitignore that is a link", async () => {
    write("package.json", uses("express"));
    symlinkSync("/nonexistent", join(folder, "login.ts"));
    expect((await init()).printed).toContain("left login.ts as it is");
    rmSync(join(folder, ".gitignore"));
    symlinkSync("package.json", join(folder, ".gitignore"));
    expect(await init()).toMatchObject({
      code: 2,
      errors: ".gitignore is a link. Nothing was written\n",
    });
  });
});
