import { fileURLToPath } from "node:url";
import ts from "typescript";
import { expect, test } from "vitest";

/** The first line of what the compiler says about a program in `tests/`. */
function complaintAbout(program: string): string {
  const folder = fileURLToPath(new URL("../", import.meta.url));
  const { config } = ts.readConfigFile(`${folder}tsconfig.json`, ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, folder);
  const file = `${folder}program.ts`;
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (name) => name === file || fileExists(name);
  host.getSourceFile = (name, ...rest) =>
    name === file ? ts.createSourceFile(file, program, rest[0]) : getSourceFile(name, ...rest);
  const compiled = ts.createProgram([file], options, host);
  const diagnostics = compiled.getSemanticDiagnostics(compiled.getSourceFile(file));
  return diagnostics
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n").split("\n")[0])
    .join("\n");
}

test("the first line of the compiler's message names the scope that is missing", () => {
  const program = `
    import { PlatformApi, User } from "../mod.ts";
    const api = new PlatformApi("1", null, ["identify"], "https://app.example/");
    const user = new User(await api.accessToken("c0de"));
    await user.getCurrentUser();
    await user.getUserGuilds();
    export {};
  `;
  expect(complaintAbout(program)).toBe(
    "The 'this' context of type 'User<\"identify\">' is not assignable to method's 'this' of type " +
      "'Reader & NeedsScope<\"guilds\">'.",
  );
}, 60_000);
