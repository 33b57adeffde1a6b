import { fileURLToPath } from "node:url";
import ts from "typescript";
import { expect, test } from "vitest";
import { compileDeclarations, programOf } from "../../scripts/declarations.ts";
import { programOfMistakes, unclearMessages } from "../support/type_mistakes.ts";

// The tests on runtimes compile the same program with the oldest and the newest compiler. On a busy machine, this takes long.
test(
  "The last line of each message names the option and what is wrong with it, in at most four lines",
  {
    timeout: 120_000,
  },
  () => {
    const path = fileURLToPath(new URL("../../mistakes.ts", import.meta.url)).replaceAll("\\", "/");
    const program = programOf(
      new Map([...compileDeclarations(), [path, programOfMistakes("./mod.ts")]]),
      { strict: true, lib: ["lib.esnext.d.ts", "lib.dom.d.ts"] },
      [path],
    );
    const messages = program.getSemanticDiagnostics(program.getSourceFile(path))
      .map(({ file, start = 0, messageText }) => ({
        line: (file?.getLineAndCharacterOfPosition(start).line ?? 0) + 1,
        text: ts.flattenDiagnosticMessageText(messageText, "\n"),
      }));
    expect(unclearMessages(messages)).toEqual([]);
  },
);
