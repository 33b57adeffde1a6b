/** @jest-environment node */
import { createFakePlatform, sampleApplication } from "@guildpass/sdk/testing";
import { Login } from "@guildpass/sdk/login";

test("logs in", async () => {
  const fake = createFakePlatform();
  const { id: clientId, secret: clientSecret } = sampleApplication;
  const login = new Login({
    clientId,
    clientSecret,
    secret: crypto.randomUUID(),
    scope: ["identify"],
    platform: fake.platform,
    fetch: fake.fetch,
  });
  const { jar, url } = await fake.login(login.handle, { as: "ada" });
  expect((await login.session(jar.request(url))).user.username).toBe("ada");
});
