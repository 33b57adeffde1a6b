import { loginLaws } from "./support/laws.ts";
import { startSite } from "./support/site.ts";

const recipe = (name: string) =>
  new URL(`../../../examples/frameworks/${name}.ts`, import.meta.url);

loginLaws("Hono as a Worker", () => startSite(recipe("hono"), "workerd"));
loginLaws("A plain Worker", () => startSite(recipe("worker"), "workerd"));
loginLaws("Deno.serve", () => startSite(recipe("deno"), "deno"));
