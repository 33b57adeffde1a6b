import { afterEach, describe, expect, test, vi } from "vitest";
import { Login, parseWebhookEvent, PlatformApi, User } from "../../mod.ts";

const message =
  "This runtime lacks URL.canParse() or new ReadableStream(): in a Cloudflare Worker, set compatibility_date to 2022-11-30 or later";

afterEach(() => {
  vi.unstubAllGlobals();
});

describe("A runtime", () => {
  test.each<[string, () => unknown]>([
    ["URL", () => Object.assign(class extends URL {}, { canParse: undefined })],
    ["ReadableStream", () =>
      class {
        constructor() {
          throw new Error("To use the new ReadableStream() constructor, enable …");
        }
      }],
  ])("with an old %s is refused with the date to set", async (name, stub) => {
    const request = new Request("https://app.example/webhook", { method: "POST", body: "{}" });
    vi.stubGlobal(name, stub());
    const redirectUri = "https://app.example/callback";
    const uses = [
      () => new User("t0ken"),
      () => new PlatformApi("1", "s3cret", ["identify"], redirectUri),
      () =>
        new Login({
          clientId: "1",
          clientSecret: "s3cret",
          scope: ["identify"],
          secret: "0123456789abcdef".repeat(2),
          redirectUri,
        }),
    ];
    for (const use of uses) expect(use).toThrow(message);
    await expect(parseWebhookEvent(request, "0".repeat(64))).rejects.toThrow(message);
  });
});

test("A stream is constructed once to check the runtime, not for each client", () => {
  let streams = 0;
  vi.stubGlobal(
    "ReadableStream",
    class {
      constructor() {
        streams += 1;
      }
    },
  );
  for (let client = 0; client < 5; client++) new User("t0ken");
  expect(streams).toBe(1);
});
