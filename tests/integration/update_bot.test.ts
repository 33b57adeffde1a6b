import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import configuration from "../../deno.json" with { type: "json" };

const root = new URL("../../", import.meta.url);
const textOf = (path: string) => readFileSync(new URL(path, root), "utf8");
const { customManagers } = JSON.parse(textOf(".github/renovate.json")) as {
  readonly customManagers: readonly {
    readonly managerFilePatterns: readonly string[];
    readonly matchStrings: readonly string[];
  }[];
};

/** Returns the versions that the update bot finds in a file besides those of Deno's and GitHub's own files. */
function foundIn(path: string): (Record<string, string> | undefined)[] {
  return customManagers
    .filter(({ managerFilePatterns }) =>
      managerFilePatterns.some((pattern) => new RegExp(pattern.slice(1, -1)).test(path))
    )
    .flatMap(({ matchStrings }) => matchStrings)
    .flatMap((pattern) => [...textOf(path).matchAll(new RegExp(pattern, "g"))])
    .map(({ groups }) => groups);
}

test.each([
  [
    "src/http/send.ts",
    { datasource: "npm", depName: "ky", currentValue: configuration.imports.ky.split("@").at(-1) },
  ],
  [".ci/run", { currentValue: /deno@([\d.]+)/.exec(textOf(".ci/run"))?.[1] }],
  [".github/workflows/release.yml", {}],
  [".github/PULL_REQUEST_TEMPLATE.md", {}],
  ["CONTRIBUTING.md", {}],
  ["examples/invite_builder/README.md", {}],
])("The update bot finds the versions in %s", (path, version) => {
  const currentValue = expect.stringMatching(/^[\^~]?\d+\.\d+/);
  expect(foundIn(path)).toContainEqual(expect.objectContaining({ currentValue, ...version }));
});
