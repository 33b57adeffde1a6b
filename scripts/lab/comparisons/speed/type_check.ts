/**
 * Measures the type check of a small project that imports the built package, and of an empty one.
 *
 * @module
 */

import { run } from "../../../command.ts";
import { binaryOf, installed, installTools } from "../../../../tests/integration/runtimes/tools.ts";
import { type AddedTime, addedTimes } from "./compare.ts";
import { installPackage, project } from "./packed.ts";

const rounds = 5;

/** The projects. Each is one module. */
const projects = {
  "an empty project": "export {};\n",
  "@guildpass/sdk/login": `
import { Login } from "@guildpass/sdk/login";

const login = new Login({
  clientId: "1024000000000000000",
  clientSecret: "secret",
  scope: ["identify", "guilds"],
  secret: "q2Vx7Zr1TnM9bLwE4sKuY8dPfGh3JcA6",
});

export default {
  async fetch(request: Request): Promise<Response> {
    const response = await login.handle(request);
    if (response) return response;
    const session = await login.session(request);
    return session ? new Response(session.user.username) : await login.start(request);
  },
};
`,
  "@guildpass/sdk": `
import { User } from "@guildpass/sdk";

export const guilds = await new User<"guilds">("token").getUserGuilds();
`,
};

const compilerOptions = {
  strict: true,
  skipLibCheck: false,
  target: "ES2022",
  module: "NodeNext",
  lib: ["ES2022", "DOM", "DOM.Iterable"],
  types: [],
  noEmit: true,
};

/** Checks every project in turns. */
export async function measureTypeChecks(): Promise<AddedTime[]> {
  await Promise.all([installTools(), installPackage()]);
  const contenders: { name: string; folder: URL; times: number[] }[] = [];
  for (const [name, source] of Object.entries(projects)) {
    const folder = new URL(`type_check/${contenders.length}/`, project);
    await Deno.mkdir(folder, { recursive: true });
    const configuration = { compilerOptions, files: ["main.ts"] };
    await Deno.writeTextFile(new URL("tsconfig.json", folder), JSON.stringify(configuration));
    await Deno.writeTextFile(new URL("package.json", folder), '{ "type": "module" }');
    await Deno.writeTextFile(new URL("main.ts", folder), source);
    contenders.push({ name, folder, times: [] });
  }
  for (let round = 0; round < rounds; round++) {
    for (const { folder, times } of contenders) {
      const before = performance.now();
      await run([binaryOf("node24"), installed("typescript6/bin/tsc")], { cwd: folder });
      times.push(performance.now() - before);
    }
  }
  return addedTimes(contenders);
}
