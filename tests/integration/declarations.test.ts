import ts from "typescript";
import { expect, test } from "vitest";
import { compileDeclarations, type Declarations, programOf } from "../../scripts/declarations.ts";

/** The global names of the Fetch API in the types of Node 22. They lack `CryptoKey`, for example. */
const namesOfNode = [
  "AbortSignal",
  "Blob",
  "Headers",
  "ReadableStream",
  "Request",
  "RequestInit",
  "Response",
  "URL",
  "URLSearchParams",
  "crypto",
  "fetch",
];

test(
  "The declarations need no DOM types, since the types of Node have every global name that they use",
  () => {
    const missing = missingNames(compileDeclarations());
    expect(missing).toContain("Request");
    expect(missing.filter((name) => !namesOfNode.includes(name))).toEqual([]);
  },
);

/** Compiles declarations without the types of any platform, and returns the missing global names. */
function missingNames(declarations: Declarations): readonly string[] {
  const names = programOf(declarations, { strict: true, lib: ["lib.esnext.d.ts"] })
    .getSemanticDiagnostics()
    .filter(({ file }) => file && declarations.has(file.fileName))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"))
    .filter((message) => !message.startsWith("Cannot find module 'npm:"))
    .map((message) => /^Cannot find name '(\w+)'/.exec(message)?.[1] ?? message);
  return [...new Set(names)].sort();
}
