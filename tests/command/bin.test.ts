import process from "node:process";
import { expect, test, vi } from "vitest";

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
