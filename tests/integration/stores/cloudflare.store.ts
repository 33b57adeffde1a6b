import { fileURLToPath } from "node:url";
import ts from "typescript";
import { expect, test } from "vitest";
import { checkStore } from "../../../src/testing/mod.ts";
import { startWorkerStores } from "./support/worker_store.ts";

const workerStore = await startWorkerStores();

test("The store in D1 keeps the contract of a store", async () => {
  await checkStore(workerStore("d1"));
});
test("The store in D1 shares its binding with drizzle", async () => {
  await checkStore(workerStore("d1 with drizzle"));
});

test("The store in Durable Objects keeps the contract of a store", async () => {
  await checkStore(workerStore("durable object"));
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
