import { expect, onTestFinished, test, vi } from "vitest";
import { createApp } from "../../examples/members/app.ts";
import { MemoryStore } from "../../mod.ts";
import { createFakePlatform, sampleApplication, sampleGuilds } from "../../src/testing/mod.ts";

test("The page for members admits a member, turns others away, and logs out who leaves", async () => {
  const [{ id: guildId }] = sampleGuilds;
  const { id: clientId, secret: clientSecret } = sampleApplication;
  const origin = "http://localhost:8791";
  const fake = createFakePlatform({
    applications: [{ ...sampleApplication, redirectUris: [`${origin}/callback`] }],
  });
  fake.update({
    guilds: { [guildId]: { members: { grace: null, ada: { nick: "Countess <b>" } } } },
  });
  const respond = createApp({
    clientId,
    clientSecret,
    secret: crypto.randomUUID(),
    redirectUri: `${origin}/callback`,
    guildId,
    store: new MemoryStore(),
    client: { platform: fake.platform, fetch: fake.fetch },
  });
  const ada = fake.browser(respond, { as: "ada" });
  const page = await (await ada.open(origin)).text();
  expect(page).toContain("Welcome to the club, Countess &#60;b&#62;");
  const grace = fake.browser(respond, { as: "grace" });
  expect(await (await grace.open(origin)).text()).toContain("This site is for members");

  fake.update({ guilds: { [guildId]: { members: { ada: null } } } });
  vi.useFakeTimers({ toFake: ["Date", "performance"], now: Date.now() + 61_000 });
  onTestFinished(() => void vi.useRealTimers());
  expect((await ada.open(origin, { redirect: "manual" })).status).toBe(302);
  expect(await (await ada.open(`${origin}/bye`)).text()).toContain("You are logged out");
});
