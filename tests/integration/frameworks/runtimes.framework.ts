import { describe, expect, test } from "vitest";
import { testLogin, testWithoutSecrets } from "./support/login_tests.ts";
import { testPages } from "./support/page_tests.ts";
import { Browser, type SiteOptions, startSite, usualPaths } from "./support/site.ts";

const recipe = (name: string) =>
  new URL(`../../../examples/frameworks/${name}.ts`, import.meta.url);

const sites = [
  ["Hono as a Worker", "hono", "workerd", "/members"],
  ["A plain Worker", "worker", "workerd", "/"],
  ["Hono on Deno", "hono_node", "deno", "/members"],
  ["Deno.serve", "deno", "deno", "/"],
] as const;

for (const [name, file, target, members] of sites) {
  const paths = { ...usualPaths, members };
  const start = (options?: SiteOptions) =>
    startSite(recipe(file), target, undefined, { paths, ...options });
  if (members !== "/") testPages(name, start);
  testLogin(name, start);
  testWithoutSecrets(name, start);
}

describe("A Worker with the compatibility date", () => {
  const entry = new URL("projects/workers/old_worker.ts", import.meta.url);

  test.each(["2022-05-03", "2022-11-29"])(
    "%s does not start, and workerd names the missing flag",
    async (date) => {
      await expect(startSite(entry, "workerd", { date, flags: [] })).rejects.toThrow(
        "enable the streams_enable_constructors compatibility flag",
      );
    },
  );

  test("2022-11-30 logs in", async () => {
    await using site = await startSite(entry, "workerd", { date: "2022-11-30", flags: [] });
    const browser = new Browser(site);
    await browser.logIn("/");
    expect(await browser.read("/")).toBe("Hello, ada");
  });
});
