// @vitest-environment happy-dom

import { expect, test } from "vitest";
import { Login } from "../../../src/login/mod.ts";
import { createFakePlatform, sampleApplication } from "../../../src/testing/mod.ts";

test("a login in an environment whose Request drops cookies fails with the reason and the remedy", async () => {
  const fake = createFakePlatform();
  const login = new Login({
    ...fake,
    clientId: sampleApplication.id,
    clientSecret: sampleApplication.secret,
    scope: ["identify"],
    secret: "a secret that only this test on a fake platform has",
  });
  const browser = fake.browser(async (request) =>
    await login.handle(request) ?? await login.start(request)
  );
  const reason =
    /^the Request of this environment drops cookies, as in a page.*"\/\/ @vitest-environment node"/;
  await expect(browser.open("https://app.example/shop")).rejects.toThrow(reason);
  await expect(fake.login(login.handle, { as: "ada" })).rejects.toThrow(reason);
});
