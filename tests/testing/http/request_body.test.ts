import { describe, expect, test, vi } from "vitest";
import { maxBodyBytes } from "../../../src/testing/http/request_body.ts";
import { readJson, smallPlatform } from "../small_platform.ts";

/** Returns a body of endless chunks, and the number of read chunks. */
function endlessBody() {
  const chunk = new Uint8Array(16 * 1024);
  const pull = vi.fn((controller: ReadableStreamDefaultController<Uint8Array>) =>
    controller.enqueue(chunk)
  );
  const cancel = vi.fn();
  return { pull, cancel, body: new ReadableStream({ pull, cancel }, { highWaterMark: 0 }) };
}

describe("The body of a request to the fake platform", () => {
  test("is read as text, also with a character in two chunks, and without a byte order mark", async () => {
    const fake = smallPlatform();
    const bytes = new TextEncoder().encode("\ufeffWebstühle 🧵");
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
        controller.close();
      },
    });
    const duplex: object = { duplex: "half" };
    await fake.fetch("/", { method: "POST", body, ...duplex });
    expect(fake.requests.at(-1)?.body).toBe("Webstühle 🧵");
  });

  test("has 256 KiB at most", async () => {
    expect(maxBodyBytes).toBe(262_144);
    const fake = smallPlatform();
    const url = `${fake.platform.apiUrl}/oauth2/token`;
    const statusOf = async (length: number) => {
      const body = "x".repeat(length);
      return (await fake.fetch(url, { method: "POST", body })).status;
    };
    expect(await statusOf(maxBodyBytes)).toBe(403); // it has no User-Agent
    expect(await statusOf(maxBodyBytes + 1)).toBe(413);
  });

  test("is neither read to its end nor kept if it is longer", async () => {
    const fake = smallPlatform();
    for (const path of ["/oauth2/authorize", "/api/v10/oauth2/token"]) {
      const { pull, cancel, body } = endlessBody();
      const duplex: object = { duplex: "half" };
      const response = await fake.fetch(path, { method: "POST", body, ...duplex });
      expect(response.status).toBe(413);
      expect(await readJson(response)).toEqual({
        code: 40005,
        message: "Request entity too large",
      });
      expect(response.headers.get("access-control-allow-origin")).toBe("*");
      expect(pull).toHaveBeenCalledTimes(17);
      expect(cancel).toHaveBeenCalledOnce();
      expect(fake.requests.at(-1)).toMatchObject({ path, body: null, status: 413 });
    }
  });

  test("may fail to be canceled", async () => {
    const fake = smallPlatform();
    const { cancel, body } = endlessBody();
    cancel.mockRejectedValue(new Error("gone"));
    const duplex: object = { duplex: "half" };
    expect((await fake.fetch("/", { method: "POST", body, ...duplex })).status).toBe(413);
  });
});
