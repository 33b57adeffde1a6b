import { describe, expect, test } from "vitest";
import { loginLaws } from "./support/laws.ts";
import { Browser, startSite } from "./support/site.ts";

const recipe = (name: string) => new URL(`../../examples/frameworks/${name}.ts`, import.meta.url);

loginLaws("Hono on Node", () => startSite(recipe("hono_node")));
loginLaws("Hono as a Worker", () => startSite(recipe("hono"), { target: "workerd" }));
loginLaws("Express", () => startSite(recipe("express")));
loginLaws("Fastify", () => startSite(recipe("fastify")));
loginLaws("Deno.serve", () => startSite(recipe("deno"), { target: "deno" }));
loginLaws("A plain Worker", () => startSite(recipe("worker"), { target: "workerd" }));

describe("Behind a proxy that speaks HTTPS", () => {
  const origin = "https://app.example";
  for (const name of ["hono_node", "express", "fastify"]) {
    loginLaws(name, () => startSite(recipe(name), { origin }));
  }
});

describe.each(["express", "fastify"])("A form of an application on %s", (name) => {
  test.each(["before", "after"])(
    "is read by a parser that was added %s the login",
    async (when) => {
      const entry = new URL(`support/${name}_forms.ts`, import.meta.url);
      await using site = await startSite(entry, { env: { PARSER: when } });
      const browser = new Browser(site);
      await browser.logIn("/login");
      const body = new URLSearchParams({ text: "hello ".repeat(50_000) });
      const answer = await browser.open("/echo", { method: "POST", body });
      expect(await answer.text()).toBe(body.get("text"));
      expect((await browser.logOut()).status).toBe(303);
      expect(browser.jar.cookies).toEqual([]);
    },
  );
});
