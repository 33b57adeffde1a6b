import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import process from "node:process";
import { describe, expect, test, vi } from "vitest";
import { eventually } from "../support/eventually.ts";
import { runProgram, startProgram } from "../support/program.ts";

test("the program runs the command in the arguments of the process", async () => {
  const print = vi.spyOn(console, "log").mockImplementation(() => {});
  const { argv, exitCode } = process;
  try {
    process.argv = ["runtime", "program", "--help"];
    await import("../../src/command/bin.ts");
    expect(print).toHaveBeenCalledWith(expect.stringMatching(/^Usage: npx @guildpass\/sdk /));
    expect(process.exitCode).toBe(0);
  } finally {
    process.argv = argv;
    process.exitCode = exitCode;
    print.mockRestore();
  }
});

describe("guildpass in a process of its own", () => {
  test("prints the help and ends with 0 without arguments", async () => {
    const { end, output, errors } = await runProgram();
    expect({ end, errors }).toEqual({ end: 0, errors: "" });
    expect(output).toMatch(/^Usage: npx @guildpass\/sdk <command> \[options\]\n/);
  });

  test("prints a secret as one line, and nothing else", async () => {
    const { end, output, errors } = await runProgram("secret");
    expect({ end, errors }).toEqual({ end: 0, errors: "" });
    expect(output).toMatch(/^[\w-]{43}\n$/);
  });

  test("prints an error to the standard error alone, and ends with 2", async () => {
    expect(await runProgram("dmeo")).toEqual({
      end: 2,
      output: "",
      errors: 'There is no command "dmeo": did you mean demo?\n',
    });
  });

  test("names the next free port if the port is taken, and ends with 2", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    try {
      await vi.waitUntil(() => server.listening);
      const { port } = server.address() as AddressInfo;
      const { end, output, errors } = await runProgram("fake", "--port", String(port));
      expect({ end, output }).toEqual({ end: 2, output: "" });
      expect(errors).toMatch(
        new RegExp(`^Port ${port} is taken: use the next free one with --port \\d+\\n$`),
      );
    } finally {
      server.close();
    }
  });

  // The demo imports packages by the names that only Deno reads.
  test.each<[string, string, RegExp]>([
    ["fake", "/oauth2/authorized", /^Fake platform on (http:\S+)\n/],
    ...("Deno" in globalThis
      ? [["demo", "/", /^Open (http:\S+) /] as [string, string, RegExp]]
      : []),
  ])("prints each request while %s runs, until Ctrl+C", async (command, path, address) => {
    await using running = startProgram([command, "--port", "0"]);
    await eventually(() => expect(running.output).toMatch(/\nPress Ctrl\+C to stop it\n$/));
    const [, origin] = address.exec(running.output) ?? [];
    await (await fetch(`${origin}${path}?code=c0de`)).text();
    await eventually(() =>
      expect(running.output).toMatch(new RegExp(`it\nGET ${path} 200 \\d+ ms\n$`))
    );
    running.interrupt();
    expect(await running.ended()).toBe("SIGINT");
    expect(running.errors).toBe("");
    // deno-lint-ignore no-control-regex
    expect(running.output).not.toMatch(/\x1b/);
  });
});
