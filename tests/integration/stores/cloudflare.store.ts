import { fileURLToPath } from "node:url";
import ts from "typescript";
import { expect, test } from "vitest";
import { testStoreContract } from "../../stores/store_contract.ts";
import { startWorkerStores } from "./support/worker_store.ts";

const workerStore = await startWorkerStores();

testStoreContract("The store in D1", () => Promise.resolve(workerStore("d1")));
testStoreContract(
  "The store in Durable Objects",
  () => Promise.resolve(workerStore("durable object")),
);

test("The stores for Workers compile with the types of Workers", () => {
  const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
  const files = ["stores/d1.ts", "cloudflare_worker/src/store.ts"]
    .map((path) => here(`../../../examples/${path}`));
  const program = ts.createProgram([...files, here("support/worker.ts")], {
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    lib: ["lib.esnext.d.ts"],
    types: ["@cloudflare/workers-types"],
    typeRoots: [here("node_modules")],
    paths: { "@guildpass/sdk": [here("../../../src/stores/store.ts")] },
    allowImportingTsExtensions: true,
    noEmit: true,
    strict: true,
  });
  const problems = [...files, here("support/worker.ts")].flatMap((file) =>
    program.getSemanticDiagnostics(program.getSourceFile(file))
  );
  expect(problems.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n")))
    .toEqual([]);
});
