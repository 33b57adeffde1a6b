import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { Hono } from "hono";
import ts from "typescript";
import { describe, expect, onTestFinished, test } from "vitest";
import { createFakePlatform } from "../../../src/testing/mod.ts";

/** Checks a program with the types of Workers only, and returns the messages of TypeScript. */
async function workerErrors(program: string): Promise<string[]> {
  // The folder is below the tests, so that TypeScript finds the types.
  const parent = fileURLToPath(new URL(".blocks/", import.meta.url));
  await mkdir(parent, { recursive: true });
  const folder = await mkdtemp(parent);
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = `${folder}/worker.ts`;
  await writeFile(file, program);
  const checked = ts.createProgram([file], {
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    lib: ["lib.esnext.d.ts"],
    types: ["@cloudflare/workers-types"],
    typeRoots: [fileURLToPath(new URL("node_modules", import.meta.url))],
    allowImportingTsExtensions: true,
    noEmit: true,
    strict: true,
  });
  const diagnostics = ts.getPreEmitDiagnostics(checked, checked.getSourceFile(file));
  return diagnostics.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
}

const SOURCE = fileURLToPath(new URL("../../../src/testing/mod.ts", import.meta.url));

describe("The handler of the fake platform", () => {
  test("serves with Deno.serve", async () => {
    const fake = createFakePlatform();
    const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, fake.handler);
    onTestFinished(() => server.shutdown());
    const response = await fetch(`http://127.0.0.1:${server.addr.port}/activate`);
    expect(await response.text()).toContain("Connect a device");
  });

  test("works mounted in Hono", async () => {
    const fake = createFakePlatform();
    const app = new Hono().get("/health", (c) => c.text("fine")).mount("/", fake.handler);
    expect(await (await app.request("/health")).text()).toBe("fine");
    expect(await (await app.request("/activate")).text()).toContain("Connect a device");
  });

  test("compiles as a Worker, with the types of Workers", async () => {
    const program = (handler: string) => `
      import { createFakePlatform } from ${JSON.stringify(SOURCE)};
      const fake = createFakePlatform();
      export default { fetch: ${handler} } satisfies ExportedHandler;
    `;
    expect(await workerErrors(program("fake.handler"))).toEqual([]);
    // This proves that the check above would find a mistake.
    expect(await workerErrors(program("fake.authorize"))).not.toEqual([]);
  });
});
