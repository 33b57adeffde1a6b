/**
 * Type-checks the code blocks of the README; the test suite runs them.
 *
 * @module
 */

import { docBlocks } from "../tests/support/doc_blocks.ts";

/** What the first blocks take from the reader's application. */
const readersOwn =
  "declare global { var clientId: string, clientSecret: string, redirectUri: string; }\nexport {};\n";

if (import.meta.main) {
  const root = new URL("../", import.meta.url);
  // Within the project, so that the library's own name resolves.
  const folder = Deno.makeTempDirSync({ dir: root.pathname, prefix: ".readme-" });
  try {
    const files = docBlocks("README.md").map(({ name, code }) => {
      const file = `${folder}/${name.replaceAll(/\W/g, "_")}.ts`;
      const local = code.replace(/"https:[^"]*\/mod\.ts"/g, '"@guildpass/sdk"');
      Deno.writeTextFileSync(file, readersOwn + local);
      return file;
    });
    const command = new Deno.Command(Deno.execPath(), { args: ["check", "--quiet", ...files] });
    const { success } = await command.spawn().status;
    Deno.exitCode = success ? 0 : 1;
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}
