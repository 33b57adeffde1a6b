import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { withAssertions } from "./doc_assertions.ts";

/** A code block of a README or a documentation comment. */
export interface DocBlock {
  /** The file and its first line, as in `README.md:5`. */
  readonly name: string;
  /** The target file. Blocks of one document share a folder: they can import each other. */
  readonly file: string;
  readonly code: string;
}

const root = new URL("../../", import.meta.url);
const folder = join(tmpdir(), `guildpass-doc-blocks-${process.pid}`);

/** Lists the TypeScript blocks of a Markdown or source file. */
export function docBlocks(path: string): DocBlock[] {
  const text = readFileSync(new URL(path, root), "utf8").replace(
    /^ *\* ?/gm,
    (star) => path.endsWith(".md") ? star : "",
  );
  return [...text.matchAll(/^```ts\n([^]*?)^```$/gm)].map(({ 1: code = "", index }) => {
    const line = text.slice(0, index).split("\n").length;
    const [, given = `line_${line}.ts`] = /^\/\/ ([\w.]+\.ts)\n/.exec(code) ?? [];
    return { name: `${path}:${line}`, file: `${path.replace(/\W+/g, "_")}/${given}`, code };
  });
}

/** The guides with blocks that need only the library and the names in the tests. The other guides have their own tests. */
export const guides = [
  "docs/activities.md",
  "docs/asking_for_more.md",
  "docs/errors.md",
  "docs/features.md",
  "docs/first_login.md",
  "docs/hosts.md",
  "docs/inviting_a_bot.md",
  "docs/keeping_people_logged_in.md",
  "docs/linked_roles.md",
  "docs/logging_out.md",
  "docs/login_by_hand.md",
  "docs/metrics_and_audit_logs.md",
  "docs/mobile_apps.md",
  "docs/moving.md",
  "docs/people_and_servers.md",
  "docs/security.md",
  "docs/sessions.md",
  "docs/single_page_apps.md",
  "docs/testing_your_app.md",
  "docs/troubleshooting.md",
  "docs/using_tokens.md",
  "docs/who_may_enter.md",
] as const;

/**
 * Writes a block to a module and imports it. A comment that shows a value, as in `1 + 1; // 2`, becomes an assertion.
 *
 * @param prelude Code before the block. It defines the reader's names.
 */
export async function runBlock<Exports>(block: DocBlock, prelude = ""): Promise<Exports> {
  const file = join(folder, block.file);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(
    file,
    `import { expect } from "vitest";\n${prelude}\n${withAssertions(block.code).code}`,
  );
  return await import(/* @vite-ignore */ pathToFileURL(file).href);
}

/** A document with blocks to find by their text and to run on a fake platform. */
export interface Document {
  readonly blocks: readonly DocBlock[];
  /** Finds the only block with this text. */
  blockWith(text: string): DocBlock;
  /** Runs a block of an application against a fake platform at the real one's address. */
  onFake<Exports>(block: DocBlock): Promise<Exports>;
}

/** Reads a document. */
export function documentOf(path: string): Document {
  const blocks = docBlocks(path);
  return {
    blocks,
    blockWith(text) {
      const [found, ...others] = blocks.filter(({ code }) => code.includes(text));
      if (!found || others.length > 0) throw new Error(`${path} has not one block with ${text}`);
      return found;
    },
    onFake(block) {
      const code = block.code.replace(
        /from "(@guildpass\/sdk(?:\/openid|\/login)?|https:[^"]*|\.\/environment\.ts)"/g,
        `from ${onFakePlatform}`,
      );
      const prelude = code.includes("const fetch =")
        ? ""
        : `import { fetch } from ${onFakePlatform};`;
      return runBlock({ ...block, code }, prelude);
    },
  };
}

const onFakePlatform = JSON.stringify(
  fileURLToPath(new URL("sdk_on_fake_platform.ts", import.meta.url)).replaceAll("\\", "/"),
);

/** Removes the modules of {@link runBlock}. */
export function removeBlocks(): void {
  rmSync(folder, { recursive: true, force: true });
}

/** Counts the shown values of a block. */
export function assertionCount({ code }: DocBlock): number {
  return withAssertions(code).assertions;
}
