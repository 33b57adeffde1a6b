/**
 * Checks the documentation: every export has some, and its examples and those of the README compile. The test suite runs
 * the examples.
 *
 * @module
 */

import { docBlocks } from "../tests/support/doc_blocks.ts";
import { entryPoints } from "./package.ts";

const root = new URL("../", import.meta.url);

/** What the blocks of the README take from the reader's application. */
const readersOwn = `declare global {
  var clientId: string, clientSecret: string, redirectUri: string, publicKey: string;
  var store: import("@guildpass/sdk").Store;
}
export {};
`;

if (import.meta.main) {
  const passed = await deno("doc", "--lint", ...entryPoints.map(({ path }) => path)) &&
    await deno("check", "--quiet", "--doc", "mod.ts", "src") &&
    await checkReadme();
  Deno.exitCode = passed ? 0 : 1;
}

async function checkReadme(): Promise<boolean> {
  // Within the project, so that the library's own name resolves.
  const folder = Deno.makeTempDirSync({ dir: root.pathname, prefix: ".readme-" });
  try {
    const files = docBlocks("README.md").map(({ name, code }) => {
      const file = `${folder}/${name.replaceAll(/\W/g, "_")}.ts`;
      const local = code.replace(/"https:[^"]*\/mod\.ts"/g, '"@guildpass/sdk"');
      Deno.writeTextFileSync(file, readersOwn + local);
      return file;
    });
    return await deno("check", "--quiet", ...files);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

/** Runs a command of Deno, which prints what it finds, and gives whether it passed. */
async function deno(...args: string[]): Promise<boolean> {
  const command = new Deno.Command(Deno.execPath(), { args, cwd: root });
  const { success } = await command.spawn().status;
  return success;
}
