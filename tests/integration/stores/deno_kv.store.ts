import { afterAll, test } from "vitest";
import { denoKvStore } from "../../../src/stores/deno_kv.ts";
import { checkStore } from "../../../src/testing/mod.ts";

const kv = await Deno.openKv(":memory:");
afterAll(() => kv.close());

test("The store in Deno KV keeps the contract of a store", async () => {
  await checkStore(denoKvStore(kv));
});

test("The store in Deno KV recognizes its own save if the commit is sent twice, as to a remote database", async () => {
  const store = denoKvStore({
    get: (key) => kv.get(key),
    delete: (key) => kv.delete(key),
    atomic() {
      const operation = kv.atomic();
      const commit = operation.commit.bind(operation);
      operation.commit = async () => {
        await commit();
        return await commit();
      };
      return operation;
    },
  });
  await checkStore(store);
});
