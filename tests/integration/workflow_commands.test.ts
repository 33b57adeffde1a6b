import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import config from "../../deno.json" with { type: "json" };
import { channelOf } from "../../scripts/release_channel.ts";
import { type CommandStep, commandSteps } from "../support/workflow_steps.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const steps = commandSteps();
const tag = `v${config.version}`;

/** Bash, for which the steps are written, may be missing there, or see other paths. */
const isWindows = process.platform === "win32";

/**
 * Programs in place of the real ones. They write down how they are called: a task of Deno takes minutes, and the other programs would
 * change npm or GitHub. `npx` runs the scripts of a release that only read.
 */
const standIns: Readonly<Record<string, string>> = {
  npx: String.raw`
    printf '%s\n' "$PWD" "$@" "" >> "$CALLS"
    case "$*" in
      *" run "*scripts/release.ts*|*" run "*scripts/release_channel.ts*) shift 2; exec "$DENO" "$@" ;;
    esac
    echo text`,
  deno: String.raw`printf '%s\n' "$PWD" deno "$@" "" >> "$CALLS"`,
  npm: String.raw`printf '%s\n' "$PWD" npm "$@" "" >> "$CALLS"`,
  gh: String.raw`printf '%s\n' "$PWD" gh "$@" "" >> "$CALLS"`,
  git: String.raw`printf '%s\n' "$PWD" git "$@" "" >> "$CALLS"
    [ "$1" != ls-remote ] || printf '1f\trefs/tags/%s\n' "$GITHUB_REF_NAME"`,
};

let folder: string;

/** Makes a folder with the files of the repository, and those that the steps before each one leave. */
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "guildpass-workflow-"));
  // Copied with its mode, since only a file with a run bit can be started by its name alone.
  cpSync(join(root, ".ci"), join(folder, ".ci"), { recursive: true });
  for (
    const name of [
      "deno.json",
      "CHANGELOG.md",
      "README.md",
      "scripts",
      "src",
      "docs",
      "tests",
      "examples",
      "node_modules",
    ]
  ) {
    symlinkSync(join(root, name), join(folder, name));
  }
  for (const name of ["programs", "npm", "checked"]) mkdirSync(join(folder, name));
  for (
    const name of [
      "npm/guildpass-sdk-1.0.0.tgz",
      "checked/guildpass-sdk-1.0.0.tgz",
      "guildpass-sdk-1.0.0.tgz",
    ]
  ) {
    writeFileSync(join(folder, name), "package");
  }
  writeFileSync(join(folder, "status.txt"), "1\n");
  writeFileSync(join(folder, "output.txt"), "+ scope looms.read\n");
  for (const [name, script] of Object.entries(standIns)) {
    const path = join(folder, "programs", name);
    writeFileSync(path, `#!/usr/bin/env bash\n${script}\n`);
    chmodSync(path, 0o755);
  }
});
afterEach(() => rmSync(folder, { recursive: true }));

/** A call of a program. */
interface Call {
  readonly cwd: string;
  readonly words: readonly string[];
}

/** Runs a step as GitHub does, and returns its exit code and output, and the calls of the stand-ins. */
function start({ script, env }: CommandStep) {
  const written = Object.entries(env)
    .map(([name, value]) => [name, value.includes("${{") ? "text" : value])
    .filter(([name]) => name !== "HOME");
  const { status, stdout, stderr } = spawnSync("bash", ["-e", "-c", script], {
    cwd: folder,
    encoding: "utf8",
    env: {
      ...process.env,
      ...Object.fromEntries(written),
      PATH: `${join(folder, "programs")}${delimiter}${process.env.PATH}`,
      CALLS: join(folder, "calls"),
      DENO: process.execPath,
      GITHUB_OUTPUT: join(folder, "github_output"),
      GITHUB_REF_NAME: tag,
      RUNNER_TEMP: folder,
    },
  });
  const calls = existsSync(join(folder, "calls"))
    ? readFileSync(join(folder, "calls"), "utf8").split("\n\n").filter(Boolean)
      .map((call) => call.trim().split("\n"))
      .map(([cwd = "", ...words]): Call => ({ cwd: cwd.replace(folder, ".") + "/", words }))
    : [];
  return { status, output: stdout + stderr, calls };
}

/** Returns a sentence if a call starts a task or a script of Deno that does not exist. */
function mistakeOf({ cwd, words: [yes, deno = "", ...words] }: Call): string | null {
  if (yes !== "-y" || !/^deno@\d+\.\d+\.\d+$/.test(deno)) return null;
  const [command, ...rest] = words.filter((word) => word !== "--quiet");
  if (command === "publish" || command === "fmt") return null;
  if (command === "install") {
    const path = join(root, cwd, "deno.lock");
    return existsSync(path) ? null : `${path} does not exist`;
  }
  if (command === "task") {
    const [place, task = ""] = rest[0] === "--cwd" ? [rest[1], rest[2]] : [".", rest[0]];
    const path = join(root, cwd, place ?? "", "deno.json");
    const tasks = existsSync(path) ? JSON.parse(readFileSync(path, "utf8")).tasks : {};
    return tasks?.[task] ? null : `${path} has no task ${task}`;
  }
  if (command === "run") {
    const script = rest.find((word) => !word.startsWith("-")) ?? "";
    return script.startsWith("npm:") || existsSync(join(root, cwd, script))
      ? null
      : `${script} does not exist`;
  }
  return `deno ${command} is not known here`;
}

describe.skipIf(isWindows)("A command of a workflow", () => {
  test.each(steps.map((step) => [step.name, step] as const))("starts in %s", (_, step) => {
    const { status, output, calls } = start(step);
    expect({ status, output }).toEqual({ status: 0, output: expect.any(String) });
    expect(calls.map(mistakeOf).filter((mistake) => mistake !== null)).toEqual([]);
  });

  test("is one of more than ten, and Deno is called by most", () => {
    expect(steps.length).toBeGreaterThan(10);
    expect(steps.filter(({ script }) => script.includes("npx -y deno@")).length).toBeGreaterThan(5);
  });

  test.each([
    ["a task that does not exist", "npx -y deno@2.9.6 task missing"],
    ["a task of another folder", "npx -y deno@2.9.6 task --cwd scripts/docs_site drift"],
    ["a script that does not exist", "npx -y deno@2.9.6 run --quiet -A scripts/missing.ts"],
  ])("does not pass with %s", (_, script) => {
    const { status, calls } = start({ name: "", script, env: {} });
    expect(status).toBe(0);
    expect(calls.map(mistakeOf)).toEqual([expect.any(String)]);
  });

  test("does not pass with a file that has no run bit", () => {
    writeFileSync(join(folder, ".ci/plain"), "echo text\n");
    expect(start({ name: "", script: ".ci/plain", env: {} }).status).not.toBe(0);
  });
});

describe.skipIf(isWindows)("The workflow of a release", () => {
  const step = (name: string) => {
    const found = steps.find((step) => step.name === `release.yml: ${name}`);
    if (!found) throw new Error(`release.yml has no step ${name}`);
    return found;
  };

  test("compares the package that was checked with that of a clean machine", () => {
    expect(start(step("Compare")).status).toBe(0);
    writeFileSync(join(folder, "checked/guildpass-sdk-1.0.0.tgz"), "package!");
    expect(start(step("Compare")).status).not.toBe(0);
  });

  test("chooses the channel by the tags of the remote repository", () => {
    expect(start(step("Choose the channel")).status).toBe(0);
    const { distTag, isLatest, isCandidate } = channelOf(tag, [tag]);
    expect(readFileSync(join(folder, "github_output"), "utf8"))
      .toBe(`dist-tag=${distTag}\nlatest=${isLatest}\ncandidate=${isCandidate}\n`);
  });

  test("publishes nothing if the tags can't be listed", () => {
    writeFileSync(join(folder, "programs/git"), "#!/usr/bin/env bash\nexit 128\n");
    expect(start(step("Choose the channel")).status).not.toBe(0);
    writeFileSync(join(folder, "programs/git"), "#!/usr/bin/env bash\n");
    expect(start(step("Choose the channel")).status).not.toBe(0);
  });

  test("gives npm the dist-tag, and GitHub the kind of the release", () => {
    const publish = steps.find(({ script }) => script.startsWith("npm publish"));
    const { calls } = start(publish ?? step("Publish"));
    expect(calls[0]?.words).toEqual(expect.arrayContaining(["./guildpass-sdk-1.0.0.tgz", "--tag"]));
    const [release] = start(step("Make the release")).calls.slice(-1);
    expect(release?.words).toEqual(
      expect.arrayContaining(["--latest=text", "--prerelease=text", "./guildpass-sdk-1.0.0.tgz"]),
    );
  });

  test("publishes only after every check", () => {
    const workflow = readFileSync(join(root, ".github/workflows/release.yml"), "utf8");
    const publishing = workflow.split(/^ {2}(?=[\w-]+:\n)/m)
      .filter((job) => / environment: release$/m.test(job));
    expect(publishing).toHaveLength(2);
    for (const job of publishing) {
      expect(job).toContain(" needs: [checks, package, comparison, older, pages, others]\n");
    }
  });
});
