import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readConfigFile } from "../../src/command/config_file.ts";
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

describe("readConfigFile()", () => {
  test("reads the options of a platform", async () => {
    await writeFile(path, '{ "users": [{ "id": "1", "username": "ada" }] }');
    expect(await readConfigFile(path)).toEqual({
      path,
      options: { users: [{ id: "1", username: "ada" }] },
    });
  });

  test("reads the file at a file URL", async () => {
    await writeFile(path, '{ "codeLifetime": 5 }');
    const { href } = pathToFileURL(path);
    expect(await readConfigFile(href)).toEqual({ path: href, options: { codeLifetime: 5 } });
  });

  test("reads UTF-16, as PowerShell writes it", async () => {
    await writeFile(path, '\uFEFF{ "users": [{ "id": "1", "username": "aďa" }] }', "utf16le");
    expect((await readConfigFile(path)).options.users).toEqual([{ id: "1", username: "aďa" }]);
  });

  test("reads a file that begins with a byte order mark", async () => {
    await writeFile(path, '\uFEFF{ "codeLifetime": 5 }');
    expect((await readConfigFile(path)).options).toEqual({ codeLifetime: 5 });
  });

  describe("for a text that is not JSON", () => {
    const secret = '"secret": "937it3ow87i4ery69876wqire"';

    /** The message about a text, without the path. */
    async function messageAbout(text: string): Promise<string> {
      await writeFile(path, text);
      const error = await readConfigFile(path).catch((error: unknown) => error);
      if (!(error instanceof CommandError)) throw error;
      expect(error.message.startsWith(`${path} is not JSON: `)).toBe(true);
      return error.message.slice(`${path} is not JSON: `.length);
    }

    test.each([
      "",
      "{",
      '{ "a": 1, }',
      '{ "a" 1 }',
      "{ a: 1 }",
      '{\n  // "a": 1\n}',
      '{ "a": "\n" }',
      "[1] [2]",
    ])("gives the message of the runtime for %j", async (text) => {
      let message = "";
      try {
        JSON.parse(text);
      } catch (error) {
        message = (error as Error).message;
      }
      expect(await messageAbout(text)).toBe(message);
    });

    test.each([
      "hunter2",
      '{ "secret": hunter2 }',
      `{\n  "applications": [{ "secret": hunter2 }]\n}`,
      `{ ${secret.replace(/"$/, "")} }`,
      `{ ${secret} ${secret} }`,
      `[${secret}]`,
      `[{ ${secret} },]`,
      `{ ${secret}`,
    ])("does not repeat %j", async (text) => {
      expect(await messageAbout(text)).not.toMatch(/hunter2|unter2|937it|wqire/);
    });

    // Other engines name no place.
    test.runIf("captureStackTrace" in Error && !("Bun" in globalThis))(
      "names the line and the column where V8 shows a part of the text",
      async () => {
        expect(await messageAbout('{\n  "applications": [{ "secret": hunter2 }]\n}'))
          .toBe("Unexpected token 'h' (line 2 column 32)");
        expect(await messageAbout('{\n  "redirectUris": [\n    "http://a.example/",\n  ]\n}'))
          .toBe("Unexpected token ']' (line 4 column 3)");
      },
    );

    test("names no place that could be wrong", async () => {
      const atStart = await messageAbout('[,"a text that is longer than an excerpt"]');
      const repeated = await messageAbout(`[${'"0123456789", , "0123456789", '.repeat(2)}1]`);
      expect(atStart).not.toContain("line");
      expect(repeated).not.toContain("line");
    });
  });

  test.each(["[]", "null", "1", '"text"'])("refuses %s, which is not an object", async (text) => {
    await writeFile(path, text);
    await expect(readConfigFile(path)).rejects.toThrow(
      new CommandError(
        `${path} must contain an object with "applications", "users" or "guilds"`,
      ),
    );
  });

  test("refuses an origin", async () => {
    await writeFile(path, '{ "origin": "https://discord.com" }');
    await expect(readConfigFile(path)).rejects.toThrow(
      new CommandError(`${path}: origin can't be set: it is the address of the server`),
    );
  });

  test("says why it can't read a file", async () => {
    const missing = join(folder, "missing.json");
    await expect(readConfigFile(missing)).rejects.toThrow(
      new CommandError(`Can't read ${missing}: there is no such file`),
    );
    await expect(readConfigFile(folder)).rejects.toThrow(
      new CommandError(`Can't read ${folder}: it is a folder`),
    );
    const below = join(path, "fake.json");
    await expect(readConfigFile(below)).rejects.toThrow(
      new CommandError(`Can't read ${below}: ENOTDIR`),
    );
  });
});
