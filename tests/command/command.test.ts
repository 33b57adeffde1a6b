import { describe, expect, test } from "vitest";
import { runCommand } from "../../src/command/command.ts";
import { withoutControls } from "../../src/command/terminal.ts";
import { fromBase64Url } from "../../src/core/base64url.ts";
import { version } from "../../src/core/version.ts";

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
  test.each([[], ["help"], ["--help"], ["-h"]])("prints the overview for %j", async (...args) => {
    const { code, printed, errors } = await run(...args);
    expect({ code, errors }).toEqual({ code: 0, errors: [] });
    expect(printed.join("\n")).toMatch(
      /^Usage: npx @guildpass\/sdk <command> [^]* demo [^]* fake [^]* secret [^]* version [^]*--version/,
    );
  });

  test.each([
    [["demo", "--help"], "demo"],
    [["help", "demo"], "demo"],
    [["fake", "--port", "1", "-h"], "fake"],
    [["--help", "fake"], "fake"],
    [["help", "secret", "--help"], "secret"],
    [["help", "version"], "version"],
  ])("prints the help of a command for %j", async (args, command) => {
    const { code, printed, errors } = await run(...args);
    expect({ code, errors }).toEqual({ code: 0, errors: [] });
    expect(printed.join("\n")).toMatch(new RegExp(`^Usage: npx @guildpass/sdk ${command}\\b`));
  });

  test.each(["demo", "fake"])("names each option of %s in its help", async (command) => {
    const help = (await run(command, "--help")).printed.join();
    const options = help.match(/--[a-z-]+/g) ?? [];
    expect(options).toContain("--port");
    expect(help).toContain(`at ${command === "demo" ? "8787" : "8788"}`);
    for (const option of options) {
      // The option is known: only its value is missing.
      expect((await run(command, option)).errors, option).toEqual([
        `${option} needs a value; see --help`,
      ]);
    }
  });

  test.each([
    ["help"],
    ["help", "demo"],
    ["help", "fake"],
    ["help", "init"],
    ["help", "secret"],
    ["help", "version"],
  ])(
    "prints no line of more than 80 characters for %s %s",
    async (...args) => {
      const lines = (await run(...args)).printed.join("\n").split("\n");
      expect(lines.filter((line) => line.length > 80)).toEqual([]);
    },
  );

  test.each(["version", "--version", "-v"])("prints the version for %s", async (word) => {
    expect(await run(word)).toEqual({ code: 0, printed: [version], errors: [] });
  });

  test.each(["--version", "-v"])("prints the version for %s after a command", async (option) => {
    expect(await run("demo", option)).toEqual({ code: 0, printed: [version], errors: [] });
  });

  test.each([
    [["serve"], 'There is no command "serve"; see --help'],
    [["dmeo"], 'There is no command "dmeo": did you mean demo?'],
    [["Fake"], 'There is no command "Fake": did you mean fake?'],
    [["vesion"], 'There is no command "vesion": did you mean version?'],
    [["version", "1"], 'version takes options only, received "1"; see version --help'],
    [["secert"], 'There is no command "secert": did you mean secret?'],
    [["hlep"], 'There is no command "hlep": did you mean help?'],
    [["help", "dmeo"], 'There is no command "dmeo": did you mean demo?'],
    [["constructor"], 'There is no command "constructor"; see --help'],
    [["fake", "8080"], 'fake takes options only, received "8080"; see fake --help'],
    [["demo", "fake"], 'demo takes options only, received "fake"; see demo --help'],
    [["fake", "C:\\new.json"], 'fake takes options only, received "C:\\new.json"; see fake --help'],
    [["--port", "0"], "--port needs a command before it; see --help"],
    [
      ["demo", "--port", "0", "--config", "a.json"],
      "--config is not an option of demo; see demo --help",
    ],
    [["secret", "--port", "0"], "--port is not an option of secret; see secret --help"],
    [["fake", "--prot", "1"], "There is no option --prot: did you mean --port?"],
    [["fake", "--Config=a"], "There is no option --Config: did you mean --config?"],
    [["fake", "--constructor"], "There is no option --constructor; see --help"],
    [["fake", "-p"], "There is no option -p; see --help"],
    [["fake", "--port"], "--port needs a value; see --help"],
    [["fake", "--port", "-1"], "--port needs a value; see --help"],
    [["fake", "--port", "--host", "x"], "--port needs a value; see --help"],
    [["fake", "--help=yes"], "--help takes no value; see --help"],
    [["demo", "--port", "http"], '--port must be a number from 0 to 65535, received "http"'],
    [["fake", "--port=-1"], '--port must be a number from 0 to 65535, received "-1"'],
    [["fake", "--port", "65536"], '--port must be a number from 0 to 65535, received "65536"'],
    [["fake", "--port="], '--port must be a number from 0 to 65535, received ""'],
    [["fake", "--port", "1e3"], '--port must be a number from 0 to 65535, received "1e3"'],
    [
      ["fake", "--host", "http://fake.example"],
      '--host must be the name of a host, without a scheme or port, received "http://fake.example"',
    ],
    [["fake", "--config", "no.json"], "Can't read no.json: there is no such file"],
    [["fake", "--config", "C:\\no.json"], "Can't read C:\\no.json: there is no such file"],
  ])("refuses the arguments %j with the exit code 2", async (args, message) => {
    expect(await run(...args)).toEqual({ code: 2, printed: [], errors: [message] });
  });

  test("prints no control character except line breaks, and no mark for the direction of writing", async () => {
    const { errors } = await run("a\x1b[2J\r\x9b1m\u202eb\u2066\u2028\nc");
    expect(errors).toEqual(['There is no command "a�[2J��1m�b��\nc"; see --help']);
    expect((await run("fake", "--config", "\x1b]0;x\x07")).errors).toEqual([
      "Can't read �]0;x�: there is no such file",
    ]);
    const printed: string[] = [];
    const print = (line: string) => printed.push(line);
    withoutControls({ print, printError: print }).print("GET /: \x85No\tway");
    expect(printed).toEqual(["GET /: �No�way"]);
  });

  test("prints a new secret of 32 bytes for secret", async () => {
    const { code, printed: [secret = ""], errors } = await run("secret");
    expect({ code, errors }).toEqual({ code: 0, errors: [] });
    expect(fromBase64Url(secret)).toHaveLength(32);
    expect((await run("secret")).printed).not.toEqual([secret]);
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
