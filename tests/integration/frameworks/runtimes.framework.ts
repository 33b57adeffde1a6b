import { describe, expect, test } from "vitest";
import { testLogin } from "./support/login_tests.ts";
import { Browser, startSite } from "./support/site.ts";

const recipe = (name: string) =>
  new URL(`../../../examples/frameworks/${name}.ts`, import.meta.url);

testLogin("Hono as a Worker", () => startSite(recipe("hono"), "workerd"));
testLogin("A plain Worker", () => startSite(recipe("worker"), "workerd"));
testLogin("Hono on Deno", () => startSite(recipe("hono_node"), "deno"));
testLogin("Deno.serve", () => startSite(recipe("deno"), "deno"));

describe("A Worker with the compatibility date", () => {
  const entry = new URL("projects/workers/old_worker.ts", import.meta.url);

  test.each(["2022-05-03", "2022-11-29"])(
    "%s starts, and a login says what to set",
    async (date) => {
      await using site = await startSite(entry, "workerd", { date, flags: [] });
      const browser = new Browser(site);
      expect(await browser.read("/about")).toBe("About this site");
      expect(await browser.read("/")).toBe(
        "Error: This runtime lacks URL.canParse() or new ReadableStream(): in a Cloudflare Worker, set compatibility_date to 2022-11-30 or later",
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
