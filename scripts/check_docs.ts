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

if (import.meta.main) {
  const passed = await deno("doc", "--lint", ...entryPoints.map(({ path }) => path)) &&
    await deno("check", "--quiet", "--doc", "mod.ts", "src") &&
    await checkBlocks();
  Deno.exitCode = passed ? 0 : 1;
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
