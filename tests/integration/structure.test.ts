import { describe, expect, test } from "vitest";
import { longestFile, longestFunction, longFiles } from "../../scripts/architecture.ts";
import { findLongCode } from "../../scripts/check_boundaries.ts";
import { instrumented } from "../../scripts/lab/structure/instrument.ts";
import {
  codeLines,
  functionsOf,
  lateImports,
  lengthOf,
  nameOf,
  parse,
} from "../../scripts/lab/structure/source.ts";
import { called, currentCall, figuresOf, framesOf } from "../../scripts/lab/structure/trace.ts";

const file = parse(
  "example.ts",
  `/** Loads a file. */
export async function load(): Promise<typeof import("./types.ts")> {
  // A comment is not code.

  const text = \`
    first

    last\`; // Code with a comment is code.
  return await import("./" + text);
}

const double = (value: number) => value * 2;
class Counter {
  constructor() {}
}
`,
);

describe("The structure of a file", () => {
  test("counts lines with code", () => {
    expect(codeLines(file)).toBe(10);
  });

  test("lists functions with a name and a line", () => {
    const names = functionsOf(file).map((node) => nameOf(node, file));
    expect(names).toEqual(["load:2", "double:12", "constructor:14"]);
  });

  test("counts all lines of a function", () => {
    expect(functionsOf(file).map((node) => lengthOf(node, file))).toEqual([9, 1, 1]);
  });

  test("lists the lines with import() that is not a type", () => {
    expect(lateImports(file)).toEqual([9]);
  });
});

describe("The check of lengths", () => {
  const lines = (count: number) => "void 0;\n".repeat(count);
  const functionOf = (count: number) => `function run() {\n${lines(count - 2)}}\n`;
  const [exception = ""] = Object.keys(longFiles);

  test("accepts the longest function and the longest file", () => {
    expect(findLongCode("src/a.ts", functionOf(longestFunction))).toEqual([]);
    expect(findLongCode("src/a.ts", lines(longestFile))).toEqual([]);
  });

  test("refuses one line more, and names the place", () => {
    expect(findLongCode("src/a.ts", `\n${functionOf(61)}`)).toEqual([
      "src/a.ts run:2 has 61 lines, and a function may have 60",
    ]);
    expect(findLongCode("src/a.ts", lines(401))).toEqual([
      "src/a.ts has 401 lines, and a file may have 400",
    ]);
  });

  test("accepts a long file that is an exception, and refuses an exception that is not needed", () => {
    expect(findLongCode(exception, lines(401))).toEqual([]);
    expect(findLongCode(exception, lines(400))).toEqual([
      `${exception} has 400 lines, so it needs no exception in architecture.ts`,
    ]);
  });
});

test("an instrumented function passes its body to called()", () => {
  const text = "async function f() {\n  return [1].map((n) => () => n);\n}\nfunction* g() {}";
  const [firstLine, ...lines] = instrumented("a.ts", text).split("\n");
  expect(firstLine).toMatch(
    / function f\(\) \{ return \$called\("a.ts", "f:1", async \(\) => \{$/,
  );
  expect(lines).toEqual([
    '  return [1].map((n) => $called("a.ts", "=>:2", () => () => $called("a.ts", "=>:2", () => n)));',
    "}); }",
    "function* g() {}",
  ]);
});

test("a way through files has moves, of which some go back", () => {
  const calls = ["a", "a", "b", "c", "b", "b", "a"].map((file) => ({ file }));
  expect(figuresOf(calls)).toEqual({ files: 3, moves: 5, back: 2 });
});

test("frames are the functions under way across an await", async () => {
  const frames = await called("a.ts", "outer:1", async () => {
    await called("b.ts", "ended:1", () => Promise.resolve());
    return called("c.ts", "inner:1", () => framesOf(currentCall()).map(({ file }) => file));
  });
  expect(frames).toEqual(["a.ts", "c.ts"]);
});
