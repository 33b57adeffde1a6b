/**
 * Writes a copy of the library in which each function reports that it was called.
 *
 * @module
 */

import ts from "typescript";
import { filesBelow } from "../../files.ts";
import { functionsOf, nameOf, parse } from "./source.ts";

const trace = new URL("trace.ts", import.meta.url).href;

/**
 * Copies `mod.ts` and `src/` of a checkout into a folder.
 *
 * @param omitted The folder of the copy with the functions that do not report.
 */
export function copyInstrumented(checkout: URL, copy: URL, omitted: URL): void {
  const paths = ["mod.ts", ...filesBelow(new URL("src/", checkout)).map((path) => `src/${path}`)];
  for (const path of paths) {
    const text = Deno.readTextFileSync(new URL(path, checkout));
    const file = new URL(path, copy);
    const reports = path.endsWith(".ts") && !file.href.startsWith(omitted.href);
    Deno.mkdirSync(new URL("./", file), { recursive: true });
    Deno.writeTextFileSync(file, reports ? instrumented(path, text) : text);
  }
}

/** Returns a module in which each function passes its body to `called`, also each small one such as `(x) => x.id`. */
export function instrumented(path: string, text: string): string {
  const file = parse(path, text);
  const edits: { readonly from: number; readonly to: number; readonly text: string }[] = [];
  const insert = (at: number, text: string) => edits.push({ from: at, to: at, text });
  for (const node of functionsOf(file)) {
    // The body of a generator can't be in an arrow function.
    if (node.asteriskToken) continue;
    const { body } = node;
    // `async` moves to the body. Otherwise, each function would have two promises, and calls at once another order.
    const async = node.modifiers?.find(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword);
    if (async) edits.push({ from: async.getStart(file), to: async.end, text: "" });
    const names = `${JSON.stringify(path)}, ${JSON.stringify(nameOf(node, file))}`;
    const call = `$called(${names}, ${async ? "async " : ""}() => `;
    insert(body.getStart(file), ts.isBlock(body) ? `{ return ${call}` : call);
    insert(body.end, ts.isBlock(body) ? "); }" : ")");
  }
  let result = `import { called as $called } from ${JSON.stringify(trace)}; `;
  let position = 0;
  // Of edits at the same place, that of the inner function comes first.
  for (const edit of edits.sort((one, other) => one.from - other.from)) {
    result += text.slice(position, edit.from) + edit.text;
    position = edit.to;
  }
  return result + text.slice(position);
}
