import process from "node:process";
import { describe, expect, test, vi } from "vitest";
import { runProgram } from "../support/program.ts";

test("the program runs the command in the arguments of the process", async () => {
  const print = vi.spyOn(console, "log").mockImplementation(() => {});
  const { argv, exitCode } = process;
  try {
    process.argv = ["runtime", "program", "--help"];
    await import("../../src/command/bin.ts");
    expect(print).toHaveBeenCalledWith(expect.stringMatching(/^Usage: guildpass demo /));
    expect(process.exitCode).toBe(0);
  } finally {
    process.argv = argv;
    process.exitCode = exitCode;
    print.mockRestore();
  }
});

describe("guildpass secret", () => {
  test("prints 32 random bytes as base64url, and nothing else", async () => {
    const { exitCode, output, errors } = await runProgram("secret");
    expect({ exitCode, errors }).toEqual({ exitCode: 0, errors: "" });
    expect(output).toMatch(/^[\w-]{43}\n$/);
    expect(new Set(output).size).toBeGreaterThan(8);
    expect((await runProgram("secret")).output).not.toBe(output);
  });
});
