import { afterAll } from "vitest";
import { denoKvStore } from "../../../examples/stores/deno_kv.ts";
import { testStoreContract } from "../../stores/store_contract.ts";

const kv = await Deno.openKv(":memory:");
afterAll(() => kv.close());

testStoreContract("The store in Deno KV", () => Promise.resolve(denoKvStore(kv)));
