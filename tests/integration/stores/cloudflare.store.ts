import { afterAll, expect, test } from "vitest";
import { checkStore } from "../../../src/testing/mod.ts";
import { typeErrors } from "./support/type_errors.ts";
import { workerStore } from "./support/worker_client.ts";
import { startWorker } from "./support/worker_store.ts";

const worker = await startWorker();
const { url } = worker;
afterAll(() => worker[Symbol.asyncDispose]());

test("The store in D1 keeps the contract of a store", async () => {
  await checkStore(workerStore(url, "d1"));
});
test("The store in D1 shares its binding with drizzle", async () => {
  await checkStore(workerStore(url, "d1 with drizzle"));
});

test("The store in Durable Objects keeps the contract of a store", async () => {
  await checkStore(workerStore(url, "durable object"));
});

test("The stores for Workers compile with the types of Workers", () => {
  expect(typeErrors("worker.ts", "@cloudflare/workers-types")).toEqual([]);
});
