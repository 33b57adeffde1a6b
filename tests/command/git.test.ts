import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { isIgnored, isTracked } from "../../src/command/git.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "guildpass-git-"));
  writeFileSync(join(folder, "--tracked"), "");
  writeFileSync(join(folder, ".gitignore"), "ignored");
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

const answers = async (): Promise<(boolean | null)[]> => [
  await isTracked(folder, "--tracked"),
  await isTracked(folder, "ignored"),
  await isIgnored(folder, "--tracked"),
  await isIgnored(folder, "ignored"),
];

test("git knows the tracked and the ignored files of a repository", async () => {
  execFileSync("git", ["-C", folder, "init", "--quiet"]);
  execFileSync("git", ["-C", folder, "add", "--", "--tracked"]);
  expect(await answers()).toEqual([true, false, false, true]);
});

test("no file is tracked without a repository, or without git, and it is not known what is ignored", async () => {
  vi.stubEnv("GIT_CEILING_DIRECTORIES", tmpdir());
  expect(await answers()).toEqual([false, false, null, null]);
  vi.stubEnv("PATH", "");
  expect(await answers()).toEqual([false, false, null, null]);
});

test("a program that the repository's configuration names does not run", async () => {
  const inFolder = (...args: string[]) => execFileSync("git", ["-C", folder, ...args]);
  const program = join(folder, "program");
  writeFileSync(program, `#!/bin/sh\ntouch "${program}-ran"\n`, { mode: 0o755 });
  inFolder("init", "--quiet");
  inFolder("add", "--", "--tracked");
  inFolder("config", "core.fsmonitor", program);
  expect(await answers()).toEqual([true, false, false, true]);
  expect(existsSync(`${program}-ran`)).toBe(false);
  inFolder("status");
  expect(existsSync(`${program}-ran`)).toBe(true);
});
