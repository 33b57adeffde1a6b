import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import configuration from "../../deno.json" with { type: "json" };

const root = new URL("../../", import.meta.url);
const textOf = (path: string) => readFileSync(new URL(path, root), "utf8");
const { customManagers, packageRules } = JSON.parse(textOf(".github/renovate.json")) as {
  readonly customManagers: readonly {
    readonly managerFilePatterns: readonly string[];
    readonly matchStrings: readonly string[];
  }[];
  readonly packageRules: readonly {
    readonly matchFileNames?: readonly string[];
    readonly matchPackageNames: readonly string[];
    readonly matchCurrentValue?: string;
    readonly enabled: boolean;
  }[];
};

/** Returns the versions that the update bot finds in a file with its own patterns, besides Deno's and GitHub's files. */
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

describe("The tools of the tests on runtimes", () => {
  const path = "tests/integration/runtimes/tools/package.json";
  const tools: Record<string, string> = JSON.parse(textOf(path)).dependencies;

  test("have exact versions", () => {
    expect(Object.keys(tools).length).toBeGreaterThan(10);
    for (const version of Object.values(tools)) {
      expect(version).toMatch(/^(?:npm:\S+@)?\d+\.\d+\.\d+$/);
    }
  });

  test.each([
    ["compiler", "typescript5.2", "typescript", /^5\.2\./],
    ["compiler of messages", "typescript5.4", "typescript", /^5\.4\./],
    ["Deno", "deno", "@deno/linux-x64-glibc", /^2\.0\./],
  ])(
    "have the oldest supported %s, which the update bot leaves as it is",
    (_, tool, name, version) => {
      const oldest = tools[tool]?.split("@").at(-1);
      expect(oldest).toMatch(version);
      const rule = packageRules.find(({ matchCurrentValue }) => matchCurrentValue === oldest);
      expect(rule).toMatchObject({
        matchFileNames: [path],
        matchPackageNames: [name],
        enabled: false,
      });
    },
  );
});
