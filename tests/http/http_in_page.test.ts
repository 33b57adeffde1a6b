// @vitest-environment happy-dom

import { expect, test } from "vitest";
import { User } from "../../mod.ts";
import { createFakePlatform } from "../../src/testing/mod.ts";

test("a request of a page leaves the User-Agent to the browser", async () => {
  expect(navigator.userAgent).toMatch(/^Mozilla\//);
  const fake = createFakePlatform();
  const user = new User(fake.issueToken().access_token, {
    ...fake,
    userAgent: "DiscordBot (app, 1)",
  });
  expect(await user.getCurrentUser()).toMatchObject({ username: "ada" });
  expect(fake.requests[0]?.headers).not.toHaveProperty("user-agent");
});
