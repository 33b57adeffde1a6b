import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { codeRunAtImport } from "./support/code_run_at_import.ts";

/** The code of the library's modules by their paths, without the program, which runs when it is loaded. */
const modules = ["mod.ts", ...readdirSync("src", { recursive: true, encoding: "utf8" })]
  .filter((path) => path.endsWith(".ts") && !path.startsWith("command"))
  .map((path) => path === "mod.ts" ? path : `src/${path.replaceAll("\\", "/")}`)
  .map((path) => [path, readFileSync(path, "utf8")] as const);

describe("The modules of the library", () => {
  test("have no import(), so that no request waits for code", () => {
    const later = modules.filter(([, code]) => /^(?! *[/*]).*\bimport\(/m.test(code));
    expect(later.map(([path]) => path)).toEqual([]);
  });

  test("run no code of the library at import, except for values that a bundler may drop", () => {
    const run = modules.flatMap(([path, code]) =>
      codeRunAtImport(code).map((found) => `${path}: ${found}`)
    );
    expect(run).toEqual([]);
  });
});

describe("Code that a module runs at import", () => {
  const declarations = `import * as v from "npm:valibot@^1.5.0";
    import { create } from "./create.ts";
    const names = ["a"];`;

  test.each([
    "check();",
    "if (names.length) create();",
    "export const value = create();",
    "const value = { inner: [...create()] };",
    "const value = new create();",
    "const value = names.map((name) => create(name));",
    "const value = create`text`;",
    "const value = (() => 1)();",
    "const value = await 1;",
    "class Value { static one = create(); }",
    "class Value { static { create(); } }",
    "class Value extends create() {}",
    "export default create();",
  ])("is found in %s", (statement) => {
    expect(codeRunAtImport(`${declarations} ${statement}`)).toHaveLength(1);
  });

  test.each([
    "export const value = /* @__PURE__ */ create();",
    "export const value = { inner: /* @__PURE__ */ new Value() };",
    "const value = new Map([[create, names]]);",
    "const value = Object.freeze({ one: names[0] });",
    "const value = v.object({ id: v.string() });",
    "const value = () => create();",
    "const value = { ...names };",
    "class Value { one = create(); }",
    "class Value extends Error { static one = 1; }",
    "function value() { create(); }",
    "export interface Value { one: typeof create }",
  ])("is not found in %s", (statement) => {
    expect(codeRunAtImport(`${declarations} ${statement}`)).toEqual([]);
  });
});
