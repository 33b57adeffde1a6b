import { describe, expect, test } from "vitest";
import { withAssertions } from "./doc_assertions.ts";

describe("A shown value of a code block", () => {
  test.each([
    ["of an expression", "1 + 1; // 2"],
    ["of a constant", "const two = 1 + 1; // 2"],
    ["of an exported constant", "export const two = 1 + 1; // 2"],
    ["of one name destructured from an object", "const { two } = { two: 2 }; // 2"],
    ["of one name destructured from a list", "const [, two] = [1, 2]; // 2"],
    ["on the line after the statement", "1 + 1;\n// 2"],
    ["after a statement over several lines", "[1, 2, 3]\n  .indexOf(\n    3,\n  ); // 2"],
    ["after a string with a semicolon", '"a; // 3".indexOf(";") + 1; // 2'],
    ["after another statement on the line", '"elsewhere"; 1 + 1; // 2'],
    ["of the result of a promise", "Promise.resolve(2); // 2"],
    ["within a function", "function two() {\n  return 1 + 1; // 2\n}\ntwo();"],
    [
      "within an asynchronous function",
      "async function two() {\n  const it = Promise.resolve(2); // 2\n  return it;\n}\nawait two();",
    ],
    ["within an arrow function", "const two = () => {\n  1 + 1; // 2\n};\ntwo();"],
  ])("is checked: %s", async (_which, code) => {
    expect(withAssertions(code).assertions).toBe(1);
    await runCode(withAssertions(code).code);
    const wrong = withAssertions(code.replace(/\/\/ 2/, "// 5"));
    await expect(runCode(wrong.code)).rejects.toThrow("expected 2 to deeply equal 5");
  });

  test.each([
    ['"a;b"', `"a;b"`],
    ["'a'", `"a"`],
    ["-1.5", "-1.5"],
    ["8n", "8n"],
    ["true", "true"],
    ["null", "null"],
    ["undefined", "undefined"],
    ["NaN", "NaN"],
    ['["a", { b: [1] }]', '["a", { b: [1] }]'],
    ["{ a: false }", "({ a: false })"],
  ])("can be %s", async (value, expression) => {
    await runCode(withAssertions(`${expression}; // ${value}`).code);
    await expect(runCode(withAssertions(`"else"; // ${value}`).code)).rejects.toThrow("equal");
  });

  test.each([
    ["words follow it", "1 + 1; // 2 guilds", "a value that is not a literal: 2 guilds"],
    ["it is cut short", '"abcd"; // "abc', 'a value that is not a literal: "abc'],
    ["it calls a function", "1 + 1; // [two()]", "a value that is not a literal: [two()]"],
    ["it stands within a statement", "[\n  1, // 1\n];", "belongs to no statement: 1"],
    ["an empty line is before it", "1 + 1;\n\n// 2", "belongs to no statement: 2"],
    ["the statement declares several names", "const [a, b] = [1, 2]; // 1", "none or several"],
    ["the statement has no value", 'import "node:fs"; // 2', "none or several"],
    ["the statement returns nothing", "function two() {\n  return; // 2\n}", "none or several"],
  ])("is refused if %s", (_why, code, message) => {
    expect(() => withAssertions(code)).toThrow(message);
  });

  test.each([
    "const value = 1; // or 2, or 3",
    "// the first of many\n1 + 1;",
    '"https://app.example"; // a link',
    "1 + 1; /* 3 */",
    "- 1; // - a list",
    "1 + 1; // `has` looks at the bits alone",
  ])("is none in %j", (code) => {
    expect(withAssertions(code)).toEqual({ code, assertions: 0 });
  });
});

/** Runs a block as the body of a function. The block has no types, and one `export` at most. */
async function runCode(code: string): Promise<void> {
  const run = new Function("expect", `return (async () => {${code.replace("export ", "")}\n})()`);
  await run(expect);
}
