import { describe, expect, test } from "vitest";
import { runCommand } from "../../src/command/command.ts";

async function run(
  ...args: string[]
): Promise<{ code: number; printed: string[]; errors: string[] }> {
  const printed: string[] = [];
  const errors: string[] = [];
  const code = await runCommand(args, {
    print: (line) => printed.push(line),
    printError: (line) => errors.push(line),
  });
  return { code, printed, errors };
}

describe("runCommand()", () => {
  test.each([["--help"], ["-h"], ["demo", "--help"], ["fake", "--help"], [
    "fake",
    "--port",
    "1",
    "-h",
  ]])(
    "prints the help for %s %s",
    async (...args) => {
      const { code, printed, errors } = await run(...args);
      expect(code).toBe(0);
      expect(printed.join("\n")).toMatch(
        /^Usage: guildpass demo [^]*guildpass fake [^]*--port[^]*8787[^]*--port[^]*8788[^]*--config[^]*--help/,
      );
      expect(errors).toEqual([]);
    },
  );

  test.each([
    [[], "The command must be demo, fake or secret: found none; see --help"],
    [["serve"], 'The command must be demo, fake or secret: found "serve"; see --help'],
    [["fake", "8080"], 'The command must be demo, fake or secret: found "fake 8080"; see --help'],
    [["demo", "fake"], 'The command must be demo, fake or secret: found "demo fake"; see --help'],
    [
      ["demo", "--port", "0", "--config", "a.json"],
      "--config is not an option of demo; see --help",
    ],
    [["secret", "--port", "0"], "--port is not an option of secret; see --help"],
    [["demo", "--port", "http"], '--port must be a number from 0 to 65535: found "http"'],
    [["fake", "--prot", "1"], "Unknown option '--prot'; see --help"],
    [["fake", "-p"], "Unknown option '-p'; see --help"],
    [["fake", "--port", "http"], '--port must be a number from 0 to 65535: found "http"'],
    [["fake", "--port", "65536"], '--port must be a number from 0 to 65535: found "65536"'],
    [["fake", "--port="], '--port must be a number from 0 to 65535: found ""'],
    [["fake", "--port", "1e3"], '--port must be a number from 0 to 65535: found "1e3"'],
    [
      ["fake", "--host", "http://fake.example"],
      '--host must be the name of a host, without scheme and port: found "http://fake.example"',
    ],
    [["fake", "--config", "no.json"], "Can't read no.json: there is no such file"],
  ])("refuses the arguments %j with the exit code 2", async (args, message) => {
    expect(await run(...args)).toEqual({ code: 2, printed: [], errors: [message] });
  });

  test("refuses a negative port in one line", async () => {
    const { code, errors } = await run("fake", "--port", "-1");
    expect(code).toBe(2);
    expect(errors).toEqual([expect.stringMatching(/^.*--port.*; see --help$/)]);
  });

  test("refuses an option without its value", async () => {
    const { code, errors } = await run("fake", "--port");
    expect(code).toBe(2);
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatch(/--port.* argument missing; see --help$/);
  });

  test("throws an error that is not about the arguments", async () => {
    const broken = {
      print: () => {
        throw new RangeError("of the terminal");
      },
      printError: () => {},
    };
    await expect(runCommand(["--help"], broken)).rejects.toThrow(RangeError);
  });
});
