import { afterAll, expect, onTestFinished, test, vi } from "vitest";
import { User } from "../../mod.ts";
import { createFakePlatform, sampleApplication, sampleUsers } from "../../src/testing/mod.ts";
import { docBlocks, removeBlocks, runBlock } from "../support/doc_blocks.ts";

afterAll(removeBlocks);

/** The name of the function of an example, and its parameters. */
const exampleFunction = /^(?:async function|const) (\w+)(?: = async )?\(([^)]*)\)/m;

const examples = docBlocks("src/api/user.ts").map((block) => {
  const [, name = "", parameters = ""] = exampleFunction.exec(block.code) ?? [];
  return { ...block, name, parameters: [...parameters.matchAll(/(\w+):/g)].map(([, one]) => one) };
});

const [ada, grace] = sampleUsers;
const roleId = "1300000000000000001";

/** Returns the arguments of the examples by name, on a platform of their own. */
function createArguments(): Readonly<Record<string, unknown>> {
  const { id, botToken } = sampleApplication;
  const guildId = "1200000000000000007";
  const entitlements = [{ id: "7", sku_id: "8", user_id: ada.id }];
  const fake = createFakePlatform({
    origin: "https://discord.com",
    applications: [{ ...sampleApplication, entitlements }],
    users: [ada, grace],
    guilds: [{
      id: guildId,
      name: "Looms",
      roles: [{ id: guildId, name: "@everyone" }, { id: roleId, name: "Patron" }],
      members: { [ada.id]: { owner: true, roles: [roleId], nick: "Countess" } },
      bots: { [id]: "8" },
    }],
  });
  vi.stubGlobal("fetch", fake.fetch);
  vi.stubEnv("DISCORD_BOT_TOKEN", botToken);
  onTestFinished(() => {
    vi.unstubAllGlobals();
    vi.unstubAllEnvs();
  });
  const scopes = ["identify", "openid", "guilds", "guilds.members.read", "connections"];
  const forApplications = ["role_connections.write", "applications.commands.permissions.update"];
  const token = fake.issueToken({ as: "ada", scopes: [...scopes, ...forApplications] });
  return {
    token,
    user: new User(token.access_token),
    bot: new User(botToken, { tokenType: "Bot" }),
    ...{ id, applicationId: id, guildId, roleId, skuId: "8", userId: ada.id, newUserId: grace.id },
    access_token: fake.issueToken({ as: "grace", scopes: ["guilds.join"] }).access_token,
  };
}

/** The results of the functions in the examples. */
const results: Readonly<Record<string, unknown>> = {
  greet: "Hello, ada! Servers: 1",
  nameOf: "Ada Lovelace",
  subject: ada.id,
  githubName: "ada-lovelace",
  isOurToken: true,
  ownGuilds: [expect.objectContaining({ name: "Looms" })],
  guildNames: ["Looms"],
  hasRole: true,
  metadataOf: {},
  publish: expect.objectContaining({
    metadata: { cards: "1843", since: "2024-05-01T00:00:00.000Z" },
  }),
  unlink: undefined,
  metadataKeys: [],
  describe: [expect.objectContaining({ key: "cards", type: 2 })],
  owns: true,
  hasBought: true,
  permissions: null,
  restrict: expect.objectContaining({
    permissions: expect.arrayContaining([{ id: roleId, type: 1, permission: true }]),
  }),
  roleNames: expect.arrayContaining(["@everyone", "Patron"]),
  nickname: "Countess",
  welcome: expect.objectContaining({ nick: "Amazing Grace" }),
  reward: undefined,
  expire: undefined,
  leave: undefined,
  connectionTypes: ["github"],
};

test("`User` has no example without a result below", () => {
  expect(examples.map(({ name }) => name).toSorted()).toEqual(Object.keys(results).toSorted());
});

test.each(examples)("The example `$name` of `User` returns its result", async (example) => {
  const given = createArguments();
  const { default: run } = await runBlock<{ default: (...given: unknown[]) => unknown }>({
    ...example,
    // The test of all examples writes the same blocks, maybe in the same process, which imports a file once.
    file: `user_examples/${example.file}`,
    code: `${example.code}\nexport default ${example.name};`,
  });
  expect(await run(...example.parameters.map((name = "") => given[name])))
    .toEqual(results[example.name]);
});
