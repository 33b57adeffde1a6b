import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import process from "node:process";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { commandSteps } from "../support/workflow_steps.ts";

/** Bash, for which the steps are written, may be missing there, or see other paths. */
const isWindows = process.platform === "win32";

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "guildpass-drift-workflow-"));
});
afterEach(() => rm(folder, { recursive: true }));

/** Returns the script of a step. */
function scriptOf(step: string): string {
  return commandSteps().find(({ name }) => name === `drift.yml: ${step}`)?.script ?? "";
}

/** Runs the script of a step as GitHub does, with a fake program. Returns true if the step passes. */
async function runStep(step: string, program: string, code: string): Promise<boolean> {
  await writeFile(join(folder, program), `#!/usr/bin/env bash\n${code}`);
  await chmod(join(folder, program), 0o755);
  const { status } = spawnSync("bash", ["-e", "-c", scriptOf(step)], {
    cwd: folder,
    env: {
      ...process.env,
      PATH: `${folder}${delimiter}${process.env.PATH}`,
      TITLE: "The library differs",
    },
  });
  return status === 0;
}

const read = (name: string) => readFileSync(join(folder, name), "utf8");

describe.skipIf(isWindows)("The step that compares", () => {
  test.each([0, 1])("passes with exit code %i, and keeps it beside the output", async (code) => {
    expect(await runStep("Compare", "npx", `echo "$*"; exit ${code}`)).toBe(true);
    expect(read("drift/status.txt")).toBe(`${code}\n`);
    expect(read("drift/output.txt")).toMatch(/^-y deno@\S+ task --quiet drift\n$/);
  });

  test.each([
    ["another exit code", "echo text; exit 2"],
    ["no output", "exit 1"],
  ])("fails with %s", async (_, code) => {
    expect(await runStep("Compare", "npx", code)).toBe(false);
    expect(existsSync(join(folder, "drift/status.txt"))).toBe(false);
  });
});

describe.skipIf(isWindows)("The step that writes the issue", () => {
  /** Runs the step with the number of the open issue, if there is one. Returns the requested changes. */
  async function writeIssue(status: number, number: string): Promise<string[]> {
    await writeFile(join(folder, "status.txt"), `${status}\n`);
    await writeFile(join(folder, "output.txt"), "+ scope looms.read\n");
    const gh = `if [ "$2" = list ]; then echo "${number}"; else echo "$*" >> calls.txt; fi`;
    expect(await runStep("Write the issue", "gh", gh)).toBe(true);
    return existsSync(join(folder, "calls.txt")) ? read("calls.txt").trim().split("\n") : [];
  }

  test("opens an issue if there is none", async () => {
    expect(await writeIssue(1, ""))
      .toEqual(["issue create --title The library differs --body-file body.md"]);
    expect(read("body.md")).toContain("\n```text\n+ scope looms.read\n\n```\n");
  });

  test("updates the issue if there is one", async () => {
    expect(await writeIssue(1, "12")).toEqual(["issue edit 12 --body-file body.md"]);
  });

  test("closes the issue without differences", async () => {
    expect(await writeIssue(0, "12"))
      .toEqual(["issue close 12 --comment All differences are known now."]);
  });

  test("changes nothing without differences and without an issue", async () => {
    expect(await writeIssue(0, "")).toEqual([]);
  });

  test("fails without a list of issues from GitHub", async () => {
    await writeFile(join(folder, "status.txt"), "1\n");
    await writeFile(join(folder, "output.txt"), "text\n");
    expect(await runStep("Write the issue", "gh", '[ "$2" != list ]')).toBe(false);
  });
});
