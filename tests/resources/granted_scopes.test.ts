import { fileURLToPath } from "node:url";
import ts from "typescript";
import { describe, expect, test } from "vitest";

const folder = fileURLToPath(new URL("../", import.meta.url));
const file = `${folder}program.ts`;

/** Holds the parsed files of the library, so that each program parses only itself. */
const parsedFiles = ts.createDocumentRegistry();

/** Opens a program in `tests/` as an editor does. */
function openInEditor(program: string): ts.LanguageService {
  const { config } = ts.readConfigFile(`${folder}tsconfig.json`, ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, folder);
  const read = (name: string) => name === file ? program : ts.sys.readFile(name);
  return ts.createLanguageService({
    getCompilationSettings: () => options,
    getScriptFileNames: () => [file],
    getScriptVersion: (name) => name === file ? program : "1",
    getScriptSnapshot(name) {
      const text = read(name);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => folder,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: (name) => name === file || ts.sys.fileExists(name),
    readFile: read,
    directoryExists: ts.sys.directoryExists,
  }, parsedFiles);
}

const program = `
  import { MemoryStore, PlatformApi, TokenSource, User } from "../mod.ts";
  const api = new PlatformApi("1", null, ["identify"], "https://app.example/");
  const token = await api.accessToken("c0de");
  const source = new TokenSource(api, new MemoryStore(), "ada");
  const user = new User(token);
  await user.getCurrentUser();
  await user.getUserGuilds();
  export { source };
`;
const editor = openInEditor(program);

/** The names that an editor offers after an expression of the program. */
function completionsAfter(expression: string): string[] | undefined {
  const before = `${expression}\n`;
  const typed = openInEditor(program.replace("export", `${expression}.\nexport`));
  const position = program.indexOf("export") + before.length;
  return typed.getCompletionsAtPosition(file, position, { includeCompletionsWithInsertText: true })
    ?.entries.filter(({ kind }) => kind !== "keyword").map(({ name }) => name).sort();
}

describe("the granted scopes of a token", () => {
  test("are named by the compiler where the needed one is missing", () => {
    const messages = editor.getSemanticDiagnostics(file)
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
    expect(messages).toEqual([
      "The 'this' context of type 'User<\"identify\">' is not assignable to method's 'this' of type " +
      "'User<\"guilds\">'.\n  Type '\"guilds\"' is not assignable to type '\"identify\"'.",
    ]);
  }, 120_000);

  test("are not among the properties that an editor offers", () => {
    expect(completionsAfter("token")).toEqual([
      "access_token",
      "expires_at",
      "expires_in",
      "guild",
      "id_token",
      "refresh_token",
      "scope",
      "scopes",
      "token_type",
      "webhook",
    ]);
    expect(completionsAfter("source")).toEqual(["renew", "revoke", "save", "token"]);
    expect(completionsAfter("user")).not.toContain("grantedScopes");
  }, 120_000);
});
