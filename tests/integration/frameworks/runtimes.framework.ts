import { testLogin } from "./support/login_tests.ts";
import { startSite } from "./support/site.ts";

const recipe = (name: string) =>
  new URL(`../../../examples/frameworks/${name}.ts`, import.meta.url);

testLogin("Hono as a Worker", () => startSite(recipe("hono"), "workerd"));
testLogin("A plain Worker", () => startSite(recipe("worker"), "workerd"));
testLogin("Hono on Deno", () => startSite(recipe("hono_node"), "deno"));
testLogin("Deno.serve", () => startSite(recipe("deno"), "deno"));
