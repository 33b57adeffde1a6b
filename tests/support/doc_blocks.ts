import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { withAssertions } from "./doc_assertions.ts";

/** A code block of a README or a documentation comment. */
export interface DocBlock {
  /** Where it begins, as in `README.md:5`. */
  readonly name: string;
  readonly code: string;
}

const root = new URL("../../", import.meta.url);
const folder = join(tmpdir(), `guildpass-doc-blocks-${process.pid}`);

/** The TypeScript blocks of a file, Markdown or source. */
export function docBlocks(path: string): DocBlock[] {
  const text = readFileSync(new URL(path, root), "utf8").replace(
    /^ *\* ?/gm,
    (star) => path.endsWith(".md") ? star : "",
  );
  return [...text.matchAll(/^```ts\n([^]*?)^```$/gm)].map(({ 1: code = "", index }) => ({
    name: `${path}:${text.slice(0, index).split("\n").length}`,
    code,
  }));
}

/**
 * Writes a block to a module and imports it. A comment that shows a value, as in `1 + 1; // 2`, becomes an assertion;
 * `prelude` is code that goes before the block, with what the reader of the documentation already has.
 */
export async function runBlock<Exports>(block: DocBlock, prelude = ""): Promise<Exports> {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${block.name.replace(/\W+/g, "_")}.ts`);
  writeFileSync(
    file,
    `import { expect } from "vitest";\n${prelude}\n${withAssertions(block.code).code}`,
  );
  return await import(/* @vite-ignore */ pathToFileURL(file).href);
}

/** Removes the modules that {@link runBlock} made. */
export function removeBlocks(): void {
  rmSync(folder, { recursive: true, force: true });
}

/** How many values a block shows, and so how many assertions it becomes. */
export function assertionCount({ code }: DocBlock): number {
  return withAssertions(code).assertions;
}
