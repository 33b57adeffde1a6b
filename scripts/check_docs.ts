/**
 * Checks the documentation: every export is documented, the guides are few and short, their code compiles, and it is narrow, as are
 * the examples in the source. The test suite runs that code, and `deno task check` compiles the examples in the source.
 *
 * @module
 */

import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { docBlocks, guides } from "../tests/support/doc_blocks.ts";
import { filesBelow } from "./files.ts";
import { entryPoints } from "./package.ts";

const root = new URL("../", import.meta.url);

/** Findings of `deno doc --lint` that are as they should be. */
const intended = [
  // Where a constructor has no documentation, an editor shows the class's text and example over `new X`.
  /^error\[missing-jsdoc\][^]*?^ *\d+ \| +constructor\(/m,
  // The compiler computes these types, and shows only their results.
  /^error\[private-type-ref\]: public type '(?:Lacking|ReturnsJson|RightMembers|SpelledScope)'/,
];

/** The limits of the guides, which a reader has to find the way in. `docs/README.md` is their list. */
const limits = { guides: 40, words: 42_000, columns: 72 };

/** An import of a framework or of another login. `tests/integration/examples` and `clients` compile such blocks. */
const framework = /from "(?:express|fastify|hono|next-auth)["/]/;

/** A line that can't be divided: an import of one name, or a comment with one value, such as an address. */
const undivided = /^(?:import \{ \w+ \} from .*|\/\/ \S+)$/;

if (import.meta.main) {
  const passed = checkGuides() && lintDocs() && await checkBlocks();
  Deno.exitCode = passed ? 0 : 1;
}

/** Returns true if the guides keep their limits, and prints each limit that they exceed. */
function checkGuides(): boolean {
  const names = [...Deno.readDirSync(new URL("docs/", root))].map(({ name }) => name)
    .filter((name) => name.endsWith(".md") && name !== "README.md");
  const texts = ["README.md", ...names.map((name) => `docs/${name}`)].map(read);
  const sources = filesBelow(new URL("src/", root)).map((name) => read(`src/${name}`));
  const words = texts.slice(1).reduce((sum, { text }) => sum + wordCount(text), 0);
  const found = [
    names.length > limits.guides ? `There are ${names.length} guides` : [],
    words > limits.words ? `The guides have ${words} words` : [],
    [...texts, ...sources].flatMap(({ path, text }) =>
      wideLines(path.endsWith(".md") ? text : text.replace(/^ *\* ?/gm, "")).map((line) =>
        `${path} has wide code: ${line}`
      )
    ),
  ].flat();
  for (const text of found) console.error(text);
  return found.length === 0;
}

function read(path: string): { readonly path: string; readonly text: string } {
  return { path, text: Deno.readTextFileSync(new URL(path, root)) };
}

/** Counts the words of a text and its code. A bar of a table and a bracket are not words. */
function wordCount(text: string): number {
  return text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

/** Returns the lines of code that would scroll beside the sidebar of the site. */
function wideLines(text: string): string[] {
  return [...text.matchAll(/^( *)```.*\n([^]*?)^\1```$/gm)].flatMap(([, indent = "", code = ""]) =>
    code.split("\n").map((line) => line.slice(indent.length))
      .filter((line) => line.length > limits.columns && !undivided.test(line))
  );
}

/** Returns true if everything exported has documentation, and prints what has none. */
function lintDocs(): boolean {
  const args = ["doc", "--lint", ...entryPoints.map(({ path }) => path)];
  const { success, stderr } = new Deno.Command(Deno.execPath(), {
    args,
    cwd: root,
    env: { NO_COLOR: "1" },
  })
    .outputSync();
  const [, ...findings] = new TextDecoder().decode(stderr).split(/^(?=error\[)/m);
  const wrong = findings.filter((finding) => !intended.some((pattern) => pattern.test(finding)));
  for (const finding of wrong) console.error(finding);
  return success || (findings.length > 0 && wrong.length === 0);
}

async function checkBlocks(): Promise<boolean> {
  // The folder is in the project, so that the library's own name resolves.
  const folder = Deno.makeTempDirSync({ dir: fileURLToPath(root), prefix: ".blocks-" });
  try {
    const blocks = ["README.md", ...guides].flatMap(docBlocks)
      .filter(({ code }) => !framework.test(code));
    const environment = blocks.find(({ file }) => file.endsWith("/environment.ts"));
    const files = blocks.map(({ file, code }) => {
      const path = `${folder}/${file}`;
      Deno.mkdirSync(dirname(path), { recursive: true });
      const local = code.replace(/"https:[^"]*\/mod\.ts"/g, '"@guildpass/sdk"');
      // Otherwise the names in two blocks without imports would be the same for the compiler.
      Deno.writeTextFileSync(path, `${local}\nexport {};\n`);
      Deno.writeTextFileSync(`${dirname(path)}/environment.ts`, environment?.code ?? "");
      return path;
    });
    return await typesAreRight(files);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

/** Checks the types of files, and prints what is wrong. */
async function typesAreRight(files: readonly string[]): Promise<boolean> {
  const args = ["check", "--quiet", ...files];
  const { success } = await new Deno.Command(Deno.execPath(), { args, cwd: root }).spawn().status;
  return success;
}
