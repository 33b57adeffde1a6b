import { describe, expect, test } from "vitest";
import { findFaults } from "../../scripts/check_sentences.ts";

/** Returns the rules that a file breaks, each with its line. */
function faultsOf(source: string, file = "src/file.ts"): string[] {
  return findFaults(file, source).map(({ line, rule }) => `${line} ${rule}`);
}

const relative = 'has more than 1 of "that", "which", "whose" and "who"';
const role = "name the role of the person";
const words = 'say "log in" or "log out"';
const response = 'say "response", or the exact verb';

describe("The check of sentences", () => {
  test.each([
    ["/** Reads what is there, so that it ends. */", []],
    ["/** The time.\n *\n * How long it takes. @default {5} */", ["3 begins with a question word"]],
    ["/**\n * Reads.\n *\n * @returns Whether it did.\n */", ["4 begins with a question word"]],
    ["const firstAnswer = 1;", [`1 ${response}`]],
    ["\n// Nobody, and not someone.", [`2 ${role}`, `2 ${role}`]],
    ["// Sign-in, and then signs out. The sign in it.", [`1 ${words}`, `1 ${words}`, `1 ${words}`]],
    ["// This is no\n// answer", [`2 ${response}`, '1 say "is not a"']],
    ["// There is no file. It is no longer there.", []],
    ["/** A map that has values which end. */", [`1 ${relative}`]],
    ["/** If that ends, so that it says that it did: the map that ends, of that time. */", []],
    ['throw new Error("A map that has values which end");', [`1 ${relative}`]],
    ["/** `that` and `which`. */", []],
    ["/**\n * ```ts\n * How it works. That which is whose.\n * ```\n */", []],
  ])("finds in %j %j", (source, faults) => {
    expect(faultsOf(source)).toEqual(faults);
  });

  test("counts the lines of a doc comment, without code and tags", () => {
    const comment = (lines: number) =>
      `/**\n${
        " * Words.\n".repeat(lines)
      } *\n * \`\`\`ts\n * code\n * \`\`\`\n *\n * @throws {Error} If so.\n */`;
    expect(faultsOf(comment(6))).toEqual([]);
    expect(faultsOf(comment(7))).toEqual(["1 is a long comment"]);
  });

  test("reads the lists, the tables and the code of a guide", () => {
    const guide = "# What it does\n\n- Which is a list.\n- A page that reads,\n  which ends.\n\n" +
      "| a page that ends | a map which ends |\n\n```ts\nconst answer = 1; // that which\n```\n";
    expect(faultsOf(guide, "docs/guide.md")).toEqual([`10 ${response}`, `4 ${relative}`]);
  });

  test("reads the names of tests, and not their code", () => {
    const source =
      'test("logs nobody in", () => {\n  const answer = "somebody";\n});\ntest.each([\n  1,\n])("is no test %s");\n';
    expect(faultsOf(source, "tests/file.test.ts")).toEqual([`1 ${role}`, '6 say "is not a"']);
  });
});
