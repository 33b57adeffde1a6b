import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readConfig } from "../../src/command/config_file.ts";
import { CommandError } from "../../src/command/terminal.ts";

let folder = "";
let path = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "guildpass-config-"));
  path = join(folder, "fake.json");
});

afterAll(async () => {
  await rm(folder, { recursive: true });
});

describe("readConfig()", () => {
  test("reads the options of a platform", async () => {
    await writeFile(path, '{ "users": [{ "id": "1", "username": "ada" }] }');
    expect(await readConfig(path)).toEqual({
      path,
      options: { users: [{ id: "1", username: "ada" }] },
    });
  });

  test("reads a file that begins with a byte order mark", async () => {
    await writeFile(path, '\uFEFF{ "codeLifetime": 5 }');
    expect((await readConfig(path)).options).toEqual({ codeLifetime: 5 });
  });

  test("says where a file stops being JSON, and does not repeat it", async () => {
    await writeFile(path, '{\n  "applications": [{ "secret": hunter2 }]\n}');
    const reading = readConfig(path);
    await expect(reading).rejects.toThrow(CommandError);
    await expect(reading).rejects.toThrow(
      new CommandError(
        `${path}, line 2, column 32: not JSON: found text that is not in quotes`,
      ),
    );
  });

  test.each(["[]", "null", "1", '"text"'])("refuses %s, which is no object", async (text) => {
    await writeFile(path, text);
    await expect(readConfig(path)).rejects.toThrow(
      new CommandError(
        `${path} must hold an object, with "applications", "users" or "guilds"`,
      ),
    );
  });

  test("refuses an origin, as that is the address that is served", async () => {
    await writeFile(path, '{ "origin": "https://discord.com" }');
    await expect(readConfig(path)).rejects.toThrow(
      new CommandError(`${path}: origin is the address that is served: leave it out`),
    );
  });

  test("says why it can't read a file", async () => {
    const missing = join(folder, "missing.json");
    await expect(readConfig(missing)).rejects.toThrow(
      new CommandError(`Can't read ${missing}: there is no such file`),
    );
    await expect(readConfig(folder)).rejects.toThrow(
      new CommandError(`Can't read ${folder}: it is a folder`),
    );
    const below = join(path, "fake.json");
    await expect(readConfig(below)).rejects.toThrow(
      new CommandError(`Can't read ${below}: ENOTDIR`),
    );
  });
});
