import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

const root = new URL("../../", import.meta.url);
const textOf = (path: string) => readFileSync(new URL(path, root), "utf8");
const workflows = readdirSync(new URL(".github/workflows/", root))
  .map((name) => `.github/workflows/${name}`);

/** Returns a sentence for each broken rule of a workflow. The job with zizmor checks more, but runs only on GitHub. */
function findMistakes(workflow: string): string[] {
  const mistakes: string[] = [];
  for (const [, action = ""] of workflow.matchAll(/\buses: (.*)/g)) {
    if (!/^\.\/|^[\w-]+\/[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action)) {
      mistakes.push(`${action} has no commit hash with its version behind it`);
    }
  }
  for (const [, image = ""] of workflow.matchAll(/\b(?:image|container): (\S+)/g)) {
    if (!/^[\w./-]+:\d+\.\d+\.\d+[\w.-]*@sha256:[0-9a-f]{64}$/.test(image)) {
      mistakes.push(`${image} has no version with its digest behind it`);
    }
  }
  for (const line of workflow.split("\n").filter((line) => line.includes("${{"))) {
    if (!/^\s+(?!run:)[\w-]+: [\w-]*\$\{\{/.test(line)) {
      mistakes.push(`${line.trim()} puts a text into a script`);
    }
  }
  if (!/^permissions: \{\}$/m.test(workflow)) mistakes.push("Jobs have permissions by default");
  if (!/^concurrency:$/m.test(workflow)) mistakes.push("Two runs may be at work at once");
  const [, ...jobs] = workflow.replace(/^[^]*\njobs:/, "").split(/^ {2}(?=[\w-]+:\n)/m);
  for (const job of jobs) {
    const [name] = job.split(":");
    const isCall = /^ {4}uses:/m.test(job);
    const installs = /\binstall\b(?!.* --frozen$)|\bnpm (?:ci|i)\b/m.test(scriptsOf(job));
    if (installs) mistakes.push(`The job ${name} installs packages that no lock file lists`);
    if (/^ {6}id-token: write/m.test(job) && /\b(?:install|npm ci|npx)\b/.test(scriptsOf(job))) {
      mistakes.push(`The job ${name} may identify itself while it installs packages`);
    }
    if (!/^ {4}permissions:/m.test(job)) mistakes.push(`The job ${name} names no permissions`);
    if (!isCall && !/^ {4}timeout-minutes:/m.test(job)) {
      mistakes.push(`The job ${name} has no time limit`);
    }
    for (const step of job.split(/^ {6}- /m)) {
      if (step.includes("actions/checkout@") && !/ persist-credentials: false$/m.test(step)) {
        mistakes.push(`The job ${name} leaves the token of GitHub in the clone`);
      }
    }
  }
  return mistakes;
}

/** Returns the commands of a job. */
function scriptsOf(job: string): string {
  return job.replace(/^ *- name: .*$|#.*$/gm, "").split(/^ +(?:- )?run:/m).slice(1).join("\n");
}

const good = `name: Good

on:
  push:

permissions: {}

concurrency:
  group: good-\${{ github.ref }}

jobs:
  good:
    runs-on: ubuntu-24.04
    container:
      image: node:24.18.0-bookworm@sha256:${"0".repeat(64)}
    timeout-minutes: 5
    permissions:
      contents: read
    steps:
      - uses: actions/checkout@${"0".repeat(40)} # v7.0.1
        with:
          persist-credentials: false
      - run: npx -y deno@2.9.6 install --quiet --frozen
      - run: echo "$NAME"
        env:
          NAME: \${{ github.actor }}
`;

describe("A workflow of GitHub Actions", () => {
  test("exists", () => {
    expect(workflows.length).toBeGreaterThan(1);
  });

  test.each(workflows)("%s follows the rules", (path) => {
    expect(findMistakes(textOf(path))).toEqual([]);
  });

  test.each([
    ["an action without a hash", `@${"0".repeat(40)} # v7.0.1`, "@v7", "no commit hash"],
    ["a hash without a version", " # v7.0.1", "", "no commit hash"],
    ["an image without a digest", `@sha256:${"0".repeat(64)}`, "", "no version with its digest"],
    ["a text in a script", '"$NAME"', '"${{ github.actor }}"', "into a script"],
    ["permissions by default", "\npermissions: {}\n", "", "by default"],
    ["runs at the same time", "\nconcurrency:\n", "\n", "at once"],
    ["a job without permissions", "    permissions:\n", "    env:\n", "names no permissions"],
    ["a job without a time limit", "    timeout-minutes: 5\n", "", "no time limit"],
    ["an installation without the lock file", " --frozen", "", "no lock file"],
    [
      "an identity while it installs",
      "read",
      "read\n      id-token: write # it",
      "identify itself",
    ],
    ["a token in the clone", "persist-credentials: false", "fetch-depth: 1", "in the clone"],
  ])("does not pass with %s", (_, part, other, sentence) => {
    expect(findMistakes(good)).toEqual([]);
    expect(findMistakes(good.replace(part, other)).join()).toContain(sentence);
  });
});

test("Workflows and documents name the version of Deno that `.ci/run` uses", () => {
  const [version = ""] = /deno@[\d.]+/.exec(textOf(".ci/run")) ?? [];
  const paths = [
    "README.md",
    "CONTRIBUTING.md",
    ".github/PULL_REQUEST_TEMPLATE.md",
    "examples/cloudflare_worker/README.md",
    "examples/invite_builder/README.md",
    ...workflows,
  ];
  const named = paths.flatMap((path) =>
    textOf(path).match(/\bdeno(?:@|-version: )\d+\.[\d.]+/g) ?? []
  );
  expect(named.length).toBeGreaterThan(5);
  expect(new Set(named.map((name) => name.replace("-version: ", "@")))).toEqual(new Set([version]));
});

test("The job that publishes to JSR gets every package of the source", () => {
  const files = readdirSync(new URL("src/", root), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"));
  const imported = files.flatMap((name) =>
    [...textOf(`src/${name}`).matchAll(/\bfrom "npm:([^@"]+)@/g)]
      .map(([, name = ""]) => name)
  );
  const [, copied = ""] = /cp -rL (.*) imports$/m.exec(textOf(".github/workflows/release.yml")) ??
    [];
  expect(copied.split(" ")).toEqual(
    [...new Set(imported)].sort().map((name) => `node_modules/${name}`),
  );
});

test("The jobs of the checks are the lanes of `.ci/run`", () => {
  const [, lanes = ""] = /^lanes=\((.*)\)$/m.exec(textOf(".ci/run")) ?? [];
  const [, jobs = ""] = /^ {8}lane: \[(.*)\]$/m.exec(textOf(".github/workflows/checks.yml")) ?? [];
  expect(lanes.split(" ").length).toBeGreaterThan(3);
  expect(jobs.split(", ")).toEqual(lanes.split(" "));
});
