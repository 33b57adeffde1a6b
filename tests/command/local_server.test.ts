import { describe, expect, test } from "vitest";
import { portProblem } from "../../src/command/local_server.ts";

describe("portProblem()", () => {
  const taken = Object.assign(new Error("listen EADDRINUSE"), { code: "EADDRINUSE" });

  test("names the next free port", () => {
    expect(portProblem(8787, taken, 8788))
      .toBe("Port 8787 is taken: use the next free one with --port 8788");
  });

  test("asks for another port if none is free", () => {
    expect(portProblem(65535, taken, null))
      .toBe("Port 65535 is taken: choose another one with --port");
  });

  test("has the message of any other error", () => {
    const denied = Object.assign(new Error("listen EACCES: permission denied"), { code: "EACCES" });
    expect(portProblem(80, denied, null)).toBe(
      "Can't use port 80 (listen EACCES: permission denied): choose another one with --port",
    );
  });
});
