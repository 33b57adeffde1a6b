import { expect, test, vi } from "vitest";
import { sampleApplication } from "../../../src/testing/mod.ts";
import { Browser, createApp } from "../test_app.ts";

test("All exchanges share one client of the token endpoint", async () => {
  const app = createApp();
  const encode = vi.spyOn(globalThis, "btoa");
  const logIn = async () => {
    const browser = new Browser(app);
    await browser.open(await browser.consent("/shop"));
    // Each client encodes its credentials.
    const made = encode.mock.calls.filter(([text]) => text.startsWith(`${sampleApplication.id}:`));
    encode.mockClear();
    return made.length;
  };
  expect([await logIn(), await logIn()]).toEqual([0, 0]);
  encode.mockRestore();
});
