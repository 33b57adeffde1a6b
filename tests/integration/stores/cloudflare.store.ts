import { fileURLToPath } from "node:url";
import ts from "typescript";
import { afterAll, expect, test } from "vitest";
import { checkStore } from "../../../src/testing/mod.ts";
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
  const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
  const files = [here("support/worker.ts")];
  const program = ts.createProgram(files, {
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    lib: ["lib.esnext.d.ts"],
    types: ["@cloudflare/workers-types"],
    typeRoots: [here("node_modules")],
    allowImportingTsExtensions: true,
    noEmit: true,
    strict: true,
  });
  const problems = files.flatMap((file) =>
    program.getSemanticDiagnostics(program.getSourceFile(file))
  );
  expect(problems.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n")))
    .toEqual([]);
});
