/**
 * Checks the documentation: every export is documented, and the code in the README and the guides compiles. The test suite runs
 * that code, and `deno task check` compiles the examples in the source.
 *
 * @module
 */

import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { docBlocks, guides } from "../tests/support/doc_blocks.ts";
import { entryPoints } from "./package.ts";

const root = new URL("../", import.meta.url);

/** Findings of `deno doc --lint` that are as they should be. */
const intended = [
  // Where a constructor has no documentation, an editor shows the class's text and example over `new X`.
  /^error\[missing-jsdoc\][^]*?^ *\d+ \| +constructor\(/m,
];

if (import.meta.main) {
  const passed = lintDocs() && await checkBlocks();
  Deno.exitCode = passed ? 0 : 1;
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
    const blocks = ["README.md", ...guides].flatMap(docBlocks);
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
