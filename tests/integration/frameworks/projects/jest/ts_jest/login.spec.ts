import { afterEach, beforeEach, expect, jest, test } from "@jest/globals";
import { createFakePlatform } from "@guildpass/sdk/testing";
import { handle } from "./app.js";

const fake = createFakePlatform({ origin: "https://discord.com" });
beforeEach(() => jest.spyOn(globalThis, "fetch").mockImplementation(fake.fetch));
afterEach(() => jest.restoreAllMocks());

test("greets a person who has logged in", async () => {
  const browser = fake.browser(handle, { as: "ada" });
  const page = await browser.open("https://app.example/shop");
  expect(await page.text()).toBe("Hello, ada");
});
