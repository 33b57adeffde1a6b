import { describe, expect, onTestFinished, test, vi } from "vitest";
import { buildPackage } from "../../scripts/package.ts";
import { findMistakes, readRelease, type Release, releaseNotes } from "../../scripts/release.ts";

const changeLog = `# Changelog

## [Unreleased]

## [1.1.0] - 2027-02-28

The words of one paragraph
may be on two lines.

### Added

- A function, as [RFC 1]
  says.
- Another one:

  \`\`\`ts
  const x = 1;
  const y = 2;
  \`\`\`

## [1.0.0] - 2027-01-31

- The first release.

[Unreleased]: https://example.org/v1.1.0...HEAD
[1.1.0]: https://example.org/v1.1.0
[1.0.0]: https://example.org/v1.0.0
[RFC 1]: https://example.org/rfc1
`;

const lock: Release["lock"] = {
  specifiers: { "jsr:@deno/dnt@0.43.2": "0.43.2", "jsr:@std/fs@1": "1.0.24" },
  jsr: { "@deno/dnt@0.43.2": { integrity: "1f" }, "@std/fs@1.0.24": { integrity: "2f" } },
};

const release: Release = { version: "1.1.0", changeLog, texts: new Map(), lock };

describe("The notes of a release", () => {
  test("are its section, with each paragraph on one line, and its addresses", () => {
    expect(releaseNotes(changeLog, "1.1.0")).toBe(`The words of one paragraph may be on two lines.

### Added

- A function, as [RFC 1] says.
- Another one:

  \`\`\`ts
  const x = 1;
  const y = 2;
  \`\`\`

[RFC 1]: https://example.org/rfc1`);
  });

  test("end before the addresses at the end of the change log", () => {
    expect(releaseNotes(changeLog, "1.0.0")).toBe("- The first release.");
  });

  test("are the unreleased changes if the version has no section", () => {
    const early = "# Changelog\n\n## [Unreleased]\n\n- A function.\n";
    expect(releaseNotes(early, "0.1.0")).toBe("- A function.");
  });
});

describe("A release", () => {
  test("has no mistakes if tag, version and change log agree", () => {
    expect(findMistakes(release, "v1.1.0")).toEqual([]);
  });

  test.each<[string, Partial<Release>, string]>([
    ["another tag", { version: "1.0.0" }, "The tag v1.1.0 should be v1.0.0"],
    [
      "no section in the change log",
      { changeLog: changeLog.replace("## [1.1.0]", "## [1.2.0]") },
      "no section [1.1.0]",
    ],
    ["no date", { changeLog: changeLog.replace(" - 2027-02-28", "") }, "no date"],
    [
      "a date in another form",
      { changeLog: changeLog.replace("2027-02-28", "February 2027") },
      "no date",
    ],
    [
      "an empty section",
      { changeLog: changeLog.replace(/(?<=02-28\n)[^]*(?=## \[1\.0)/, "\n") },
      "nothing in its section [1.1.0]",
    ],
    [
      "changes that are still unreleased",
      { changeLog: changeLog.replace("[Unreleased]\n", "[Unreleased]\n\n- A late change.\n") },
      "entries under [Unreleased]",
    ],
    [
      "no address in the change log",
      { changeLog: changeLog.replace("\n[1.1.0]: ", "\n[1.1.1]: ") },
      "no address for [1.1.0]",
    ],
    [
      "an address of another version",
      {
        texts: new Map([[
          "a.md",
          '\n"https://raw.githubusercontent.com/guildpass/sdk/v1.0.0/mod.ts"',
        ]]),
      },
      "a.md:2 names version 1.0.0, not 1.1.0",
    ],
    [
      "a dependency of another version",
      { texts: new Map([["package.json", '"@guildpass/sdk": "^1.0.0"']]) },
      "package.json:1 names version 1.0.0, not 1.1.0",
    ],
    [
      "another version in the introduction",
      { texts: new Map([["README.md", "- **Version 1.0.0** runs on"]]) },
      "README.md:1 names version 1.0.0, not 1.1.0",
    ],
    [
      "another version in the code",
      { texts: new Map([["src/core/version.ts", 'export const version = "1.0.0";']]) },
      "src/core/version.ts:1 names version 1.0.0, not 1.1.0",
    ],
    [
      "a candidate in the code",
      { texts: new Map([["src/core/version.ts", 'export const version = "1.1.0-rc.1";']]) },
      "src/core/version.ts:1 names version 1.1.0-rc.1, not 1.1.0",
    ],
    [
      "a version in another form",
      { version: "1.1.0-beta" },
      "1.1.0-beta in deno.json should have a form such as 1.2.3 or 1.2.3-rc.1",
    ],
    [
      "a tool of the build without a digest",
      { lock: { ...lock, jsr: { "@deno/dnt@0.43.2": { integrity: "1f" } } } },
      "scripts/dnt/deno.lock has no digest of @std/fs@1.0.24",
    ],
  ])("has a mistake with %s", (_, difference, sentence) => {
    const mistakes = findMistakes({ ...release, ...difference }, "v1.1.0");
    expect(mistakes.join("\n")).toContain(sentence);
  });

  test("may be unreleased in the change log without a tag, but names no other version", () => {
    const early = { ...release, changeLog: "# Changelog\n\n## [Unreleased]\n\n- A function.\n" };
    expect(findMistakes(early)).toEqual([]);
    const texts = new Map([["a.ts", "github.com/guildpass/sdk/v1.0.0/mod.ts"]]);
    expect(findMistakes({ ...early, texts })).toEqual([
      "a.ts:1 names version 1.0.0, not 1.1.0",
    ]);
  });

  test("may be a candidate, whose changes are still unreleased", () => {
    const text = "# Changelog\n\n## [Unreleased]\n\n- A function.\n";
    const candidate = { ...release, version: "1.1.0-rc.1", changeLog: text };
    expect(findMistakes(candidate, "v1.1.0-rc.1")).toEqual([]);
    expect(findMistakes(candidate, "v1.1.0")).toEqual([
      "The tag v1.1.0 should be v1.1.0-rc.1, the version in deno.json",
    ]);
    expect(findMistakes({ ...candidate, changeLog: "# Changelog\n" }, "v1.1.0-rc.1")).toEqual([
      "CHANGELOG.md has nothing under [1.1.0-rc.1] or [Unreleased]",
    ]);
  });

  test("of this repository is checked in the documents, the code and the examples", () => {
    const { version, ...rest } = readRelease();
    expect(findMistakes({ version, ...rest })).toEqual([]);
    const paths = findMistakes({ version: "999.0.0", ...rest }).map((line) => line.split(":")[0]);
    expect(paths).toEqual(expect.arrayContaining([
      "README.md",
      "deno.json",
      "src/core/version.ts",
      "docs/features.md",
      "examples/deno_login.ts",
      "examples/cloudflare_worker/package.json",
    ]));
  });
});

test("`buildPackage()` returns the package in GUILDPASS_PACKAGE, and builds none", async () => {
  vi.stubEnv("GUILDPASS_PACKAGE", "/packages/guildpass-sdk-1.0.0.tgz");
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(await buildPackage()).toBe("/packages/guildpass-sdk-1.0.0.tgz");
});
