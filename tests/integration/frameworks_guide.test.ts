import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { createFakePlatform, sampleApplication } from "../../src/testing/mod.ts";

const folder = new URL("../../examples/frameworks/", import.meta.url);
const projects = new URL("frameworks/projects/", import.meta.url);

const recipes = readdirSync(folder, { recursive: true }).map(String)
  .filter((path) => /\.(ts|tsx|svelte|astro|vue)$/.test(path)).sort();

/** The code of a recipe, without the comment at its top. */
function codeOf(recipe: string): string {
  return readFileSync(new URL(recipe, folder), "utf8").replace(/^\/\*\*.*?\*\/\n\n/s, "");
}

const guides = [
  "frameworks",
  "astro",
  "cloudflare_workers",
  "elysia",
  "express",
  "hono",
  "nest",
  "next",
  "nuxt",
  "react_router",
  "solid_start",
  "sveltekit",
  "tanstack_start",
];

describe("The guides to frameworks", () => {
  const text = guides
    .map((name) => readFileSync(new URL(`../../docs/${name}.md`, import.meta.url), "utf8"))
    .join("\n");
  const blocks = (languages: string) =>
    [...text.matchAll(new RegExp(`^\`\`\`(?:${languages})\n(.*?)^\`\`\`$`, "gms"))]
      .map(([, code]) => code);

  test("show exactly the code of the tested recipes", () => {
    expect(recipes.length).toBeGreaterThan(6);
    expect(blocks("ts|tsx|svelte|astro|vue").toSorted()).toEqual(recipes.map(codeOf).toSorted());
  });

  test("show the tested configuration of Astro", () => {
    expect(blocks("js")).toEqual([
      readFileSync(new URL("astro/astro.config.mjs", projects), "utf8"),
    ]);
  });

  test("lead to the tested configurations of Jest", () => {
    const guide = readFileSync(new URL("../../docs/testing_your_app.md", import.meta.url), "utf8");
    const files = ["ts_jest/jest.config.js", "babel/jest.config.js", "next/next.config.mjs"];
    expect([...guide.matchAll(/^```js\n(.*?)^```$/gms)].map(([, code]) => code))
      .toEqual(files.map((file) => readFileSync(new URL(`jest/${file}`, projects), "utf8")));
  });

  test("show the lines of .env that every recipe needs on the fake platform", () => {
    const { platform } = createFakePlatform({ origin: "http://127.0.0.1:8788" });
    const { id, secret } = sampleApplication;
    expect(blocks("sh")).toContain(
      `DISCORD_CLIENT_ID=${id}\nDISCORD_CLIENT_SECRET=${secret}\n` +
        `DISCORD_PLATFORM='${JSON.stringify(platform, null, 2)}'\n`,
    );
    const logins = recipes.map(codeOf).filter((code) => code.includes("new Login("));
    expect(logins.length).toBeGreaterThan(2);
    for (const code of logins) {
      expect(code).toMatch(/platform: .*\bDISCORD_PLATFORM\b/);
    }
  });

  test("name the tested versions", () => {
    const rows = [...text.matchAll(/^\| `([^`]+)` +\| ([\d.]+) +\| ([\d.]+|none) +\|$/gm)];
    expect(rows.length).toBeGreaterThan(6);
    for (const [, name = "", newest, older] of rows) {
      expect([name, newest, older]).toEqual([
        name,
        lockedIn("newest", name),
        lockedIn("older", name),
      ]);
    }
  });
});

/** The major and minor version of a package in a lock file. */
function lockedIn(edition: string, name: string): string {
  const lock = readFileSync(new URL(`${edition}/package-lock.json`, projects), "utf8");
  const { version } = JSON.parse(lock).packages[`node_modules/${name}`] ?? { version: "none" };
  return version.split(".", 2).join(".");
}

test.each(recipes)(
  "The recipe %s has fewer than 28 lines of at most 72 columns besides its imports",
  (recipe) => {
    const lines = codeOf(recipe).split("\n").filter((line) => !/^$|^import /.test(line));
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.length).toBeLessThan(28);
    expect(lines.filter((line) => line.length > 72)).toEqual([]);
  },
);
