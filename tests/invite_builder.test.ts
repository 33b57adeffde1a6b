import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  emptyInvite,
  type Invite,
  inviteLink,
  needsRedirect,
  problemsOf,
  readInvite,
  readPaste,
  toFragment,
} from "../examples/invite_builder/invite.ts";
import { discord } from "../src/links/platform.ts";

const clientId = "1024000000000000000";
const guildId = "41771983423143937";
const base = `https://discord.com/oauth2/authorize?client_id=${clientId}`;
const bot: Invite = { ...emptyInvite, clientId, permissions: 3072n };

describe("inviteLink()", () => {
  test("makes a bot link with slash commands", async () => {
    await expect(inviteLink(bot)).resolves
      .toBe(`${base}&scope=bot%20applications.commands&permissions=3072`);
  });

  test("keeps permissions=0", async () => {
    await expect(inviteLink({ ...bot, permissions: 0n, scopes: [] })).resolves
      .toBe(`${base}&scope=bot&permissions=0`);
  });

  test("selects a server and locks it", async () => {
    const invite: Invite = {
      ...bot,
      scopes: [],
      guildId,
      lockGuild: true,
      installation: "server",
    };
    await expect(inviteLink(invite)).resolves.toBe(
      `${base}&scope=bot&integration_type=0&permissions=3072&guild_id=${guildId}&disable_guild_select=true`,
    );
  });

  test("locks nothing when no server is selected", async () => {
    await expect(inviteLink({ ...bot, lockGuild: true })).resolves.not
      .toContain("disable");
  });

  test("asks for a code when a scope besides the commands is chosen", async () => {
    const invite: Invite = {
      ...bot,
      scopes: ["guilds"],
      redirectUri: "https://app.example/cb",
    };
    await expect(inviteLink(invite)).resolves.toBe(
      `https://discord.com/oauth2/authorize?response_type=code&client_id=${clientId}` +
        "&scope=bot%20guilds&redirect_uri=https%3A%2F%2Fapp.example%2Fcb&permissions=3072",
    );
  });

  test("leaves out what a person's installation has no use for", async () => {
    const invite: Invite = {
      ...bot,
      guildId,
      lockGuild: true,
      scopes: [],
      installation: "user",
    };
    await expect(inviteLink(invite)).resolves
      .toBe(`${base}&scope=applications.commands&integration_type=1`);
  });

  test("asks for a code in a person's installation, too", async () => {
    const invite: Invite = {
      ...bot,
      scopes: ["identify"],
      installation: "user",
      redirectUri: "https://app.example/cb",
    };
    await expect(inviteLink(invite)).resolves.toBe(
      `https://discord.com/oauth2/authorize?response_type=code&client_id=${clientId}` +
        "&scope=applications.commands%20identify&redirect_uri=https%3A%2F%2Fapp.example%2Fcb" +
        "&integration_type=1",
    );
  });

  test.each<[string, Partial<Invite>]>([
    ["a bot", {}],
    ["a person's installation", { installation: "user" }],
    ["a login", { scopes: ["identify"], redirectUri: "https://app.example/cb" }],
  ])("leads to the authorize page of another platform, for %s", async (_, edit) => {
    const platform = { ...discord, authorizeUrl: "https://platform.example/authorize" };
    const link = new URL(await inviteLink({ ...bot, ...edit }, platform));
    expect(link.origin + link.pathname).toBe(platform.authorizeUrl);
    expect(link.search).toBe(new URL(await inviteLink({ ...bot, ...edit })).search);
  });

  test("throws the library's error for a wrong client id", async () => {
    await expect(inviteLink({ ...bot, clientId: "my bot" })).rejects
      .toThrow(
        TypeError(
          "clientId must be quoted digits (a number loses digits), received string",
        ),
      );
  });
});

describe("problemsOf()", () => {
  test("finds nothing in an empty invitation", async () => {
    await expect(problemsOf(emptyInvite)).resolves.toEqual({});
  });

  test("finds each wrong field, in the library's words", async () => {
    const invite: Invite = {
      ...emptyInvite,
      clientId: "12x",
      guildId: "guild",
      scopes: ["gü"],
      redirectUri: "app.example",
    };
    await expect(problemsOf(invite)).resolves.toEqual({
      clientId: "clientId must be quoted digits (a number loses digits), received string",
      guildId: "guildId must be quoted digits (a number loses digits), received string",
      scopes: expect.stringMatching(/^scope must be one scope per entry/),
      redirectUri: expect.stringMatching(
        /^redirectUri must be an absolute URL/,
      ),
    });
  });
});

describe("readPaste()", () => {
  test.each([
    ["a value", "2147485696", 2147485696n],
    ["a hexadecimal value", " 0x8 ", 8n],
    ["names", "view_channel, send_messages", 3072n],
    [
      "names as the platform's documentation writes them",
      "VIEW_CHANNEL | SEND_MESSAGES",
      3072n,
    ],
    ["a bit that has no name", "140737488355328", 1n << 47n],
  ])(
    "takes %s as the permissions and keeps the rest",
    (_, text, permissions) => {
      expect(readPaste(text, { ...bot, guildId })).toEqual({
        ...bot,
        guildId,
        permissions,
      });
    },
  );

  test("takes a whole link in place of everything", () => {
    const link = `https://discord.com/api/oauth2/authorize?client_id=7&permissions=8&scope=bot` +
      `&guild_id=${guildId}&disable_guild_select=true&integration_type=0`;
    expect(readPaste(link, bot)).toEqual({
      clientId: "7",
      permissions: 8n,
      scopes: [],
      installation: "server",
      guildId,
      lockGuild: true,
      redirectUri: "",
    });
  });

  test("reads back every link that the page makes for a server", async () => {
    await fc.assert(fc.asyncProperty(invites, async (invite) => {
      fc.pre(invite.clientId !== "" && invite.installation !== "user");
      const read = readPaste(await inviteLink(invite), emptyInvite);
      expect(read).toEqual({
        ...invite,
        lockGuild: invite.lockGuild && invite.guildId !== "",
        redirectUri: needsRedirect(invite) ? invite.redirectUri : "",
      });
    }));
  });

  test.each([
    ["a link of this page", `http://localhost:8788/#client_id=7&permissions=8`],
    [
      "a link of this page that was served with a query",
      `http://x.example/?a=1#client_id=7&permissions=8`,
    ],
    [
      "a link with a fragment",
      `https://discord.com/oauth2/authorize?client_id=7&permissions=8#top`,
    ],
    ["a query alone", "client_id=7&permissions=8"],
    ["a link that begins with the server", "?guild_id=42&client_id=7&permissions=8"],
  ])("takes %s", (_, link) => {
    expect(readPaste(link, emptyInvite)).toMatchObject({
      clientId: "7",
      permissions: 8n,
    });
  });

  test("keeps a wrong client id of a link, so that the field can say what is wrong", () => {
    expect(readPaste("?client_id=<b>x</b>&permissions=8", bot).clientId).toBe(
      "<b>x</b>",
    );
  });

  test.each([
    ["nothing", "  ", "Paste a link or a permission value first"],
    ["an unknown name", "manage_gild", /names like "manage_guild"/],
    ["a negative value", "-8", /permissions must be names/],
    [
      "a link without an invitation",
      "https://discord.com/channels/@me",
      /neither client_id nor/,
    ],
    [
      "a link with broken permissions",
      "https://x.example/?permissions=1e9",
      /permissions must be/,
    ],
    [
      "a value of more than 256 bits",
      "9".repeat(90),
      "A permission value has at most 256 bits",
    ],
    [
      "an essay",
      "x".repeat(5000),
      "A link has at most 4000 characters, received 5000",
    ],
  ])("refuses %s", (_, text, message) => {
    expect(() => readPaste(text, bot)).toThrow(message);
  });
});

describe("the fragment", () => {
  test("is empty for an empty invitation", () => {
    expect(toFragment(emptyInvite)).toBe("");
    expect(readInvite("")).toEqual(emptyInvite);
    expect(readInvite("#")).toEqual(emptyInvite);
  });

  test("brings back every invitation", () => {
    fc.assert(fc.property(invites, (invite) => {
      expect(readInvite(`#${toFragment(invite)}`)).toEqual(invite);
    }));
  });

  test("is read or refused, whatever it holds", () => {
    const hostile = fc.oneof(
      fc.string({ unit: "binary", maxLength: 5000 }),
      fc.array(fc.tuple(
        fc.constantFrom(
          "client_id",
          "permissions",
          "scope",
          "guild_id",
          "__proto__",
        ),
        fc.string({ unit: "binary" }),
      )).map((pairs) => pairs.map((pair) => pair.join("=")).join("&")),
    );
    fc.assert(fc.property(hostile, (text) => {
      try {
        const { clientId, permissions } = readInvite(`#${text}`);
        expect(clientId.length).toBeLessThanOrEqual(100);
        expect(permissions).toBeLessThan(1n << 256n);
      } catch (error) {
        expect(error).toBeInstanceOf(TypeError);
      }
    }));
  });
});

const snowflakes = fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }).map(String);

const invites: fc.Arbitrary<Invite> = fc.record({
  clientId: fc.oneof(fc.constant(""), snowflakes),
  permissions: fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }),
  scopes: fc.uniqueArray(
    fc.constantFrom(
      "applications.commands",
      "identify",
      "guilds.join",
      "new.scope",
    ),
  ),
  installation: fc.constantFrom("default", "server", "user"),
  guildId: fc.oneof(fc.constant(""), snowflakes),
  lockGuild: fc.boolean(),
  redirectUri: fc.constantFrom(
    "https://app.example/cb?a=1&b=%20",
    "http://localhost:8787/",
  ),
});
