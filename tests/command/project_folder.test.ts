import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ProjectFolder } from "../../src/command/project_folder.ts";
import { CommandError } from "../../src/command/terminal.ts";
import { thrownBy } from "../support/responders.ts";

vi.mock("node:fs/promises", async (load) => {
  const original = await load<typeof import("node:fs/promises")>();
  return { ...original, open: vi.fn(original.open) };
});

let path: string;
let folder: ProjectFolder;
beforeEach(async () => {
  path = mkdtempSync(join(tmpdir(), "guildpass-folder-"));
  folder = await ProjectFolder.open(path);
});
afterEach(() => {
  vi.mocked(open).mockReset();
  rmSync(path, { recursive: true });
});

describe("ProjectFolder", () => {
  test("finds files, folders and links that lead nowhere", async () => {
    mkdirSync(join(path, "a/b"), { recursive: true });
    symlinkSync("nowhere", join(path, "a/link"));
    symlinkSync("a", join(path, "inside"));
    expect(await Promise.all(["a/b", "a/link", "inside/b"].map((one) => folder.has(one))))
      .toEqual([true, true, true]);
    expect(await Promise.all(["b", "a/c", "x/y/z"].map((one) => folder.has(one))))
      .toEqual([false, false, false]);
  });

  test.each([
    ["out/file", "out is a link out of this folder. Nothing was written"],
    ["nowhere/file", "nowhere is a link out of this folder. Nothing was written"],
    ["file/file", "file is not a folder. Nothing was written"],
    ["x".repeat(300), "Can't read xxx"],
  ])("refuses the path %s", async (place, message) => {
    symlinkSync(tmpdir(), join(path, "out"));
    symlinkSync("missing", join(path, "nowhere"));
    writeFileSync(join(path, "file"), "");
    const error = await thrownBy(() => folder.has(place));
    expect(error).toBeInstanceOf(CommandError);
    expect((error as Error).message).toContain(message);
  });

  test("names a file that can't be read", async () => {
    mkdirSync(join(path, "package.json"));
    const error = await thrownBy(() => folder.read("package.json"));
    expect(error).toBeInstanceOf(CommandError);
    expect((error as Error).message).toMatch(/^Can't read package\.json: EISDIR/);
  });

  test("writes all files or none, and removes its folders again", async () => {
    mkdirSync(join(path, "a"));
    const files = ["new.txt", "a/b/c/new.txt", "new.txt"].map((one) => ({ path: one, text: "" }));
    const error = await thrownBy(() => folder.write(files));
    expect((error as Error).message).toMatch(/^No file was written: EEXIST/);
    expect(readdirSync(path, { recursive: true })).toEqual(["a"]);
  });

  test("leaves no empty file behind on a full disk", async () => {
    const files = ["first.txt", "a/second.txt"].map((one) => ({ path: one, text: "text" }));
    const { open: openFile } = await vi.importActual<typeof import("node:fs/promises")>(
      "node:fs/promises",
    );
    vi.mocked(open).mockImplementation(async (file, ...flags) => {
      const opened = await openFile(file, ...flags);
      if (String(file).endsWith("second.txt")) {
        vi.spyOn(opened, "writeFile").mockRejectedValue(new Error("ENOSPC: no space left"));
      }
      return opened;
    });
    const error = await thrownBy(() => folder.write(files));
    expect((error as Error).message).toBe("No file was written: ENOSPC: no space left");
    expect(readdirSync(path, { recursive: true })).toEqual([]);
  });
});
