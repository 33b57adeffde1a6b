/**
 * Checks the documentation: every export is documented, and the examples there, in the README and in the guides compile.
 * The test suite runs the examples.
 *
 * @module
 */

import { dirname } from "node:path";
import { docBlocks, guides } from "../tests/support/doc_blocks.ts";
import { entryPoints } from "./package.ts";

const root = new URL("../", import.meta.url);

/** The variables that the examples expect from the reader's application. */
const readerVariables = `declare global {
  var clientId: string, clientSecret: string, redirectUri: string, secret: string;
  var botToken: string, publicKey: string;
  var store: import("@guildpass/sdk").Store;
}
export {};
`;

/** Findings of `deno doc --lint` that are as they should be. */
const intended = [
  // Where a constructor has no documentation, an editor shows the class's text and example over `new X`.
  /^error\[missing-jsdoc\][^]*?^ *\d+ \| +constructor\(/m,
  // These types help the compiler, and mean nothing to a reader.
  /^error\[private-type-ref\].* references private type '(grantedScopes|SufficientScope)'/,
];

if (import.meta.main) {
  const passed = lintDocs() &&
    await deno("check", "--quiet", "--doc", "mod.ts", "src") &&
    await checkBlocks();
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
  const folder = Deno.makeTempDirSync({ dir: root.pathname, prefix: ".blocks-" });
  try {
    const files = ["README.md", ...guides].flatMap(docBlocks).map(({ file, code }) => {
      const path = `${folder}/${file}`;
      Deno.mkdirSync(dirname(path), { recursive: true });
      const local = code.replace(/"https:[^"]*\/mod\.ts"/g, '"@guildpass/sdk"');
      Deno.writeTextFileSync(path, readerVariables + local);
      return path;
    });
    return await deno("check", "--quiet", ...files);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

/** Runs a command of Deno, which prints its findings. Returns true if it passes. */
async function deno(...args: string[]): Promise<boolean> {
  const command = new Deno.Command(Deno.execPath(), { args, cwd: root });
  const { success } = await command.spawn().status;
  return success;
}
