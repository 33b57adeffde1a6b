import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { oauth2Operations } from "../../scripts/oauth2_operations.ts";
import { isUpToDate } from "../../scripts/scopes_page.ts";
import { operations } from "../../src/api/operations.ts";
import { approvalScopes, knownScopes } from "../../src/links/scopes.ts";

const page = readFileSync(new URL("../../docs/scopes.md", import.meta.url), "utf8");
const rows = page.split("\n").filter((line) => line.startsWith("| `"))
  .map((line) => line.split("|").slice(1, -1).map((cell) => cell.trim()));

describe("docs/scopes.md", () => {
  test("is what the source gives", () => {
    expect(isUpToDate(page)).toBe(true);
    expect(isUpToDate(page.replace(/\n(?=\S)/g, "\n"))).toBe(true);
    expect(isUpToDate(page.replace("`getUserGuilds`", "`getGuilds`"))).toBe(false);
  });

  test("has a row for each scope, with those that need an approval in a table of their own", () => {
    const scopes = rows.flatMap(([scope = ""]) => /^`([\w.]+)`$/.exec(scope)?.[1] ?? []);
    expect([...scopes].sort()).toEqual([...knownScopes].sort());
    const [open = "", closed = ""] = page.split(/^## (?:Scopes that need|Calls)/m);
    for (const scope of knownScopes) {
      expect(closed.includes(`| \`${scope}\` `), scope).toBe(approvalScopes.includes(scope));
      expect(open.includes(`| \`${scope}\` `), scope).toBe(!approvalScopes.includes(scope));
    }
  });

  test("tells what people read for each scope", () => {
    for (const [scope, text] of rows.slice(0, knownScopes.length)) {
      expect(text, scope).toMatch(/^[A-Z].{8,}/);
    }
  });
});

test("docs/using_tokens.md has each operation for OAuth2 of the platform's description", () => {
  const guide = readFileSync(new URL("../../docs/using_tokens.md", import.meta.url), "utf8");
  const listed = [...guide.matchAll(/^\| ((?:`[A-Z]+`,? +)+)\| `(\/[^`]*)`/gm)]
    .flatMap(([, methods = "", path]) =>
      (methods.match(/\w+/g) ?? []).map((method) => `${method} ${path}`)
    );
  const inCamelCase = (text: string) =>
    text.replace(/_(?=[^{}]*\})(\w)/g, (_, letter) => letter.toUpperCase());
  const described = oauth2Operations.map(({ method, path }) => inCamelCase(`${method} ${path}`));
  expect(listed.sort()).toEqual(described.sort());
});

describe("Each operation of a User", () => {
  test("needs the scope that the platform's description names", () => {
    const shape = (path: string) => path.replace(/\{\w+\}/g, "{}");
    const compared = Object.entries(operations).flatMap(([name, operation]) => {
      const method = "method" in operation ? operation.method : "GET";
      const described = oauth2Operations.find((other) =>
        other.method === method && shape(other.path) === shape(operation.path)
      );
      return described
        ? [{ name, scope: operation.scope ?? "any", described: described.scope }]
        : [];
    });
    expect(compared.length).toBeGreaterThan(12);
    for (const { name, scope, described } of compared) expect(scope, name).toBe(described);
  });
});
