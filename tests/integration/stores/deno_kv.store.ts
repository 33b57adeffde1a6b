import { afterAll } from "vitest";
import { denoKvStore } from "../../../examples/stores/deno_kv.ts";
import { storeLaws } from "../../stores/store_contract.ts";

const kv = await Deno.openKv(":memory:");
afterAll(() => kv.close());

storeLaws("The store in Deno KV", () => Promise.resolve(denoKvStore(kv)));
