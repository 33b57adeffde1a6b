/**
 * Compares the public declarations with those in `public_api.txt`, so that no change to them goes unnoticed:
 *
 * ```sh
 * deno task api         # prints the differences, and fails if there is one
 * deno task api --keep  # writes the file
 * ```
 *
 * The file lists the exports of each entry point, and every declaration that they reach, without comments.
 *
 * @module
 */

import ts from "typescript";
import { compileDeclarations, declaredEntryPoints, programOf } from "./declarations.ts";

const keptFile = new URL("public_api.txt", import.meta.url);

if (import.meta.main) {
  const api = publicApi();
  if (Deno.args.includes("--keep")) {
    Deno.writeTextFileSync(keptFile, api);
  } else {
    const differences = differencesOf(Deno.readTextFileSync(keptFile), api);
    if (differences.length > 0) {
      console.error(
        "The public declarations differ from scripts/public_api.txt:\n" +
          `${differences.join("\n")}\n` +
          "If the change is intended, write them with deno task api --keep, and check that CHANGELOG.md has it",
      );
      Deno.exitCode = 1;
    }
  }
}

/** Returns the exports of each entry point, then the declarations, sorted by name. */
function publicApi(): string {
  const program = programOf(compileDeclarations(), { noLib: true });
  const checker = program.getTypeChecker();
  const target = (symbol: ts.Symbol) =>
    symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  const reached = new Set<ts.Symbol>();
  const entryPoints = [...declaredEntryPoints].map(([name, path]) => {
    const file = program.getSourceFile(path);
    const module = file && checker.getSymbolAtLocation(file);
    const exported = module ? checker.getExportsOfModule(module) : [];
    for (const symbol of exported) reached.add(target(symbol));
    const names = exported.map((symbol) => `    export { ${symbol.name} };`).sort();
    return [`declare module "${name}" {`, ...names, "}"].join("\n");
  });
  const declarations: string[] = [];
  // The set grows while the loop reads it.
  for (const symbol of reached) {
    for (const statement of statementsOf(symbol)) {
      declarations.push(textOf(statement));
      for (const name of identifiersIn(statement)) {
        const named = checker.getSymbolAtLocation(name);
        if (named && statementsOf(target(named)).length > 0) reached.add(target(named));
      }
    }
  }
  return [...entryPoints, [...new Set(declarations)].sort(byName).join("\n")].join("\n\n") + "\n";
}

/** Returns the top-level statements that declare a symbol. */
function statementsOf({ declarations = [] }: ts.Symbol): ts.Statement[] {
  return declarations.flatMap((declaration) => {
    const statement = ts.isVariableDeclaration(declaration)
      ? declaration.parent.parent
      : declaration;
    return statement.parent && ts.isSourceFile(statement.parent) &&
        ts.isStatement(statement) && !ts.isImportDeclaration(statement)
      ? [statement]
      : [];
  });
}

function identifiersIn(node: ts.Node): ts.Identifier[] {
  const found: ts.Identifier[] = [];
  const visit = (child: ts.Node) => {
    if (ts.isIdentifier(child)) found.push(child);
    child.forEachChild(visit);
  };
  visit(node);
  return found;
}

function textOf(statement: ts.Statement): string {
  return statement.getText().replace(/^(?:export |declare )+/, "");
}

/** Compares two declarations by the name after their keyword, then by their text. */
function byName(one: string, other: string): number {
  const key = (text: string) => `${/^(?:abstract )?\w+ (\w+)/.exec(text)?.[1] ?? ""} ${text}`;
  return key(one) < key(other) ? -1 : 1;
}

/** Returns the lines that only one of two texts has, with a sign before each. */
function differencesOf(kept: string, current: string): string[] {
  const [before, after] = [new Set(placedLines(kept)), new Set(placedLines(current))];
  const differences = [
    ...[...before.difference(after)].map((line) => `- ${line}`),
    ...[...after.difference(before)].map((line) => `+ ${line}`),
  ];
  return differences.length === 0 && kept !== current ? ["Lines have moved"] : differences;
}

/** Returns the lines of a text, each with the first line of its declaration before it. */
function placedLines(text: string): string[] {
  let head = "";
  return text.split("\n").map((line) => {
    if (/^\S/.test(line) && line !== "}" && line !== "};") head = line.replace(/ ?[{=]$/, "");
    return line.startsWith(head) ? line : `${head}: ${line.trim()}`;
  });
}
