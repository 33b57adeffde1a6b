// @vitest-environment happy-dom

import { expect, test } from "vitest";
import { User } from "../../mod.ts";
import { createFakePlatform } from "../../src/testing/mod.ts";

test("in a page a request says who asks by the browser's name, which nobody else sets", async () => {
  expect(navigator.userAgent).toMatch(/^Mozilla\//);
  const fake = createFakePlatform();
  const user = new User(fake.issueToken().access_token, {
    ...fake,
    userAgent: "DiscordBot (app, 1)",
  });
  expect(await user.getCurrentUser()).toMatchObject({ username: "ada" });
  expect(fake.requests[0]?.headers).not.toHaveProperty("user-agent");
});
