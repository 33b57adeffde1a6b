import { describe, expect, test } from "vitest";
import { runCommand } from "../../src/command/command.ts";

async function run(
  ...args: string[]
): Promise<{ code: number; printed: string[]; said: string[] }> {
  const printed: string[] = [];
  const said: string[] = [];
  const code = await runCommand(args, {
    print: (line) => printed.push(line),
    complain: (line) => said.push(line),
  });
  return { code, printed, said };
}

describe("runCommand()", () => {
  test.each([["--help"], ["-h"], ["fake", "--help"], ["fake", "--port", "1", "-h"]])(
    "shows how it is used, for %s %s",
    async (...args) => {
      const { code, printed, said } = await run(...args);
      expect(code).toBe(0);
      expect(printed.join("\n")).toMatch(/^Usage: guildpass fake [^]*--port[^]*--config[^]*--help/);
      expect(said).toEqual([]);
    },
  );

  test.each([
    [[], "No command was given; --help shows how it is used"],
    [["serve"], 'There is no command "serve"; --help shows how it is used'],
    [["fake", "8080"], 'There is no command "fake 8080"; --help shows how it is used'],
    [["fake", "--prot", "1"], "Unknown option '--prot'; --help shows how it is used"],
    [["fake", "-p"], "Unknown option '-p'; --help shows how it is used"],
    [["fake", "--port", "http"], '--port must be a number from 0 to 65535: found "http"'],
    [["fake", "--port", "65536"], '--port must be a number from 0 to 65535: found "65536"'],
    [["fake", "--port="], '--port must be a number from 0 to 65535: found ""'],
    [["fake", "--port", "1e3"], '--port must be a number from 0 to 65535: found "1e3"'],
    [["fake", "--config", "no.json"], "Can't read no.json: there is no such file"],
  ])("refuses the arguments %j with code 2", async (args, message) => {
    expect(await run(...args)).toEqual({ code: 2, printed: [], said: [message] });
  });

  test("refuses an option that lacks its value", async () => {
    const { code, said } = await run("fake", "--port");
    expect(code).toBe(2);
    expect(said).toHaveLength(1);
    expect(said[0]).toMatch(/--port.* argument missing; --help shows how it is used$/);
  });

  test("does not hide a mistake of its own", async () => {
    const broken = {
      print: () => {
        throw new RangeError("of the terminal");
      },
      complain: () => {},
    };
    await expect(runCommand(["--help"], broken)).rejects.toThrow(RangeError);
  });
});
