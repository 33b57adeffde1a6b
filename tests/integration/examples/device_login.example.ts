import decodeQR from "qr/decode.js";
import { describe, expect, test } from "vitest";
import { createFakePlatform, sampleApplication } from "../../../src/testing/mod.ts";
import { decide } from "./support/browser.ts";
import { type RunningProgram, startProgram } from "./support/program.ts";

const script = "examples/device_login.ts";
const noApplication = { DISCORD_CLIENT_ID: "", DISCORD_CLIENT_SECRET: "", PLATFORM_ORIGIN: "" };

/** Waits until the script shows the address of the page for the code, with the code in it, and returns the address. */
async function pageOf(program: RunningProgram): Promise<string> {
  await expect.poll(() => program.printed).toContain("Waiting for you");
  const [, page, code] = /^Open (http\S+) on any device.*\n\n {4}([A-Z2-9]{8})\n/m
    .exec(program.printed) ?? [];
  return `${page}?user_code=${code}`;
}

/** Reads the QR code among the printed lines. */
function scan(printed: string): string {
  const lines = printed.split("\n").filter((line) => /^[█▀▄ ]{21,}$/.test(line));
  const rows = lines.flatMap((line) => [
    Array.from(line, (block) => block === "█" || block === "▀"),
    Array.from(line, (block) => block === "█" || block === "▄"),
  ]);
  const scale = 8;
  const height = rows.length * scale;
  const width = (rows[0]?.length ?? 0) * scale;
  const data = new Uint8ClampedArray(width * height * 4);
  for (let pixel = 0; pixel < width * height; pixel++) {
    const row = rows[Math.floor(pixel / width / scale)];
    const isLight = row?.[Math.floor(pixel % width / scale)] ?? true;
    data.set(isLight ? [255, 255, 255, 255] : [0, 0, 0, 255], pixel * 4);
  }
  return decodeQR({ width, height, data });
}

describe("The script for devices", () => {
  test("logs in on a fake platform without the environment variables", async () => {
    await using program = startProgram([script], noApplication);
    const page = await pageOf(program);
    expect(program.printed).toContain("DISCORD_CLIENT_ID is not set, so this uses a fake platform");
    expect(scan(program.printed)).toBe(page);
    await decide(page, "authorize");
    expect(await program.ended).toBe(0);
    expect(program.printed).toMatch(
      /You are Ada Lovelace \(@ada\)\nYour guilds: The Analytical Engine, .*\n$/,
    );
  });

  test("ends with an explanation if the person refuses", async () => {
    await using program = startProgram([script], noApplication);
    await decide(await pageOf(program), "cancel");
    expect(await program.ended).toBe(1);
    expect(program.printed).toMatch(/access_denied.*\nThe user refused.*\n$/);
  });

  test("ends at once after an interrupt", async () => {
    await using program = startProgram([script], noApplication);
    await pageOf(program);
    program.interrupt();
    expect(await program.ended).toBe(1);
    expect(program.printed).toMatch(/\nCanceled\n$/);
  });

  test.each([["a public client", null], ["a confidential client", sampleApplication.secret]])(
    "logs in at a platform of one's own, as %s",
    async (_, secret) => {
      const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, (request) => {
        return fake.handler(request);
      });
      const origin = `http://127.0.0.1:${server.addr.port}`;
      const fake = createFakePlatform({
        origin,
        applications: [{ ...sampleApplication, secret }],
        users: [
          { id: "1", username: "ada", global_name: "\x1b[2JAda\u202e" },
          { id: "2", username: "grace" },
        ],
      });
      await using _server = { [Symbol.asyncDispose]: () => server.shutdown() };
      await using program = startProgram([script], {
        DISCORD_CLIENT_ID: sampleApplication.id,
        DISCORD_CLIENT_SECRET: secret ?? "",
        PLATFORM_ORIGIN: origin,
      });
      await decide(await pageOf(program), "authorize");
      expect(await program.ended).toBe(0);
      expect(program.printed).toContain("You are �[2JAda� (@ada)\nYour guilds: none\n");
      expect(program.printed).not.toContain("fake platform");
    },
  );
});
