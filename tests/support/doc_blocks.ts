import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

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
 * Turns a block into a module and imports it. A comment that shows a value, as in `1 + 1; // 2`, becomes an assertion;
 * `prelude` supplies what the block takes for granted.
 */
export async function runBlock<Exports>(block: DocBlock, prelude = ""): Promise<Exports> {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${block.name.replace(/\W+/g, "_")}.ts`);
  writeFileSync(
    file,
    `import { expect } from "vitest";\n${prelude}\n${withAssertions(block.code)}`,
  );
  return await import(/* @vite-ignore */ pathToFileURL(file).href);
}

/** Removes the modules that {@link runBlock} made. */
export function removeBlocks(): void {
  rmSync(folder, { recursive: true, force: true });
}

/** How many values a block shows, and so how many assertions it becomes. */
export function assertionCount(block: DocBlock): number {
  return withAssertions(block.code).split("expect(").length - 1;
}

function withAssertions(code: string): string {
  return code
    // A value on a line of its own belongs to the line before it.
    .replace(/;\n\s*\/\/ (?=[["'{\d`-]|true|false)/g, "; // ")
    .replace(
      /^( *)(?!const |let |import |export |return |throw |type |\/\/)(\S.*); \/\/ ([["'{\d`-].*|true|false)$/gm,
      (_line, indent, expression, value) =>
        `${indent}expect(await (${expression})).toEqual(${value});`,
    );
}
