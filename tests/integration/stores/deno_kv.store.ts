import { afterAll, test } from "vitest";
import { denoKvStore } from "../../../src/stores/deno_kv.ts";
import { checkStore } from "../../../src/testing/mod.ts";

const kv = await Deno.openKv(":memory:");
afterAll(() => kv.close());

test("The store in Deno KV keeps the contract of a store", async () => {
  await checkStore(denoKvStore(kv));
});
