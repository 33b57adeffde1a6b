import { PermissionFlagsBits } from "discord-api-types/v10";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  emptyInvite,
  findWrongFields,
  type Invite,
  inviteLink,
  needsRedirect,
  readInvite,
  readPaste,
  toFragment,
} from "../../examples/invite_builder/invite.ts";
import { suggestPermissions } from "../../examples/invite_builder/remarks.ts";
import {
  differenceText,
  presetDifferences,
  presetSearchText,
  presetTexts,
} from "../../examples/invite_builder/presets.ts";
import {
  botPresets,
  botPresetSearchText,
  botPresetValue,
} from "../../examples/invite_builder/bot_presets.ts";
import { fieldProblem, UnreadableError } from "../../examples/invite_builder/problems.ts";
import { matches, permissionSearchText, searchHint } from "../../examples/invite_builder/search.ts";
import { discord } from "../../src/links/platform.ts";
import { permissionInfo } from "../../src/permissions/permission_info.ts";
import {
  type PermissionName,
  Permissions,
  type PresetName,
} from "../../src/permissions/permissions.ts";

const clientId = "1024000000000000000";
const guildId = "41771983423143937";
const base = `https://discord.com/oauth2/authorize?client_id=${clientId}`;
const bot: Invite = { ...emptyInvite, clientId, permissions: 3072n };

describe("inviteLink()", () => {
  test("builds a bot link with slash commands", async () => {
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

  test("locks nothing without a selected server", async () => {
    await expect(inviteLink({ ...bot, lockGuild: true })).resolves.not
      .toContain("disable");
  });

  test("requests a code with a scope besides the commands", async () => {
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

  test("leaves out parameters without a use in a user installation", async () => {
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

  test("requests a code in a user installation", async () => {
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
  ])("builds a link to another platform for %s", async (_, edit) => {
    const platform = { ...discord, authorizeUrl: "https://platform.example/authorize" };
    const link = new URL(await inviteLink({ ...bot, ...edit }, platform));
    expect(link.origin + link.pathname).toBe(platform.authorizeUrl);
    expect(link.search).toBe(new URL(await inviteLink({ ...bot, ...edit })).search);
  });

  test("throws the library's error for a wrong client id", async () => {
    await expect(inviteLink({ ...bot, clientId: "my bot" })).rejects
      .toThrow(
        TypeError(
          "clientId must be digits in a string, received a string of length 6",
        ),
      );
  });
});

describe("findWrongFields()", () => {
  test("finds nothing in an empty or a complete invitation", async () => {
    await expect(findWrongFields(emptyInvite)).resolves.toEqual(new Set());
    const complete = { ...bot, guildId, scopes: ["guilds"], redirectUri: "https://app.example/cb" };
    await expect(findWrongFields(complete)).resolves.toEqual(new Set());
  });

  test("finds each field refused by the library", async () => {
    const invite: Invite = {
      ...emptyInvite,
      clientId: "12x",
      guildId: "guild",
      scopes: ["gü"],
      redirectUri: "app.example",
    };
    await expect(findWrongFields(invite)).resolves
      .toEqual(new Set(["clientId", "guildId", "scopes", "redirectUri"]));
    await expect(findWrongFields({ ...invite, clientId: "12", scopes: [] })).resolves
      .toEqual(new Set(["guildId"]));
  });

  test("finds a custom scheme, which would need PKCE, and a scope out of reach for links", async () => {
    const invite = { ...bot, scopes: ["guilds"], redirectUri: "myapp://cb" };
    await expect(findWrongFields(invite)).resolves.toEqual(new Set(["redirectUri"]));
    await expect(findWrongFields({ ...bot, scopes: ["applications.commands.update"] })).resolves
      .toEqual(new Set(["scopes"]));
  });

  test.each(["clientId", "guildId", "scopes", "redirectUri"] as const)(
    "explains a wrong %s in plain words, in two lines",
    (field) => {
      const sentence = fieldProblem(field);
      expect(sentence).toMatch(/^[A-Z].*\.$/);
      expect(sentence).not.toMatch(/must be|received|string|clientId|guildId|redirectUri/);
      expect(sentence.length).toBeLessThanOrEqual(90);
    },
  );
});

describe("The search", () => {
  const names = Object.keys(permissionInfo) as PermissionName[];
  const presets = Object.keys(presetTexts) as PresetName[];
  const found = (query: string) => ({
    permissions: names.filter((name) => matches(permissionSearchText(name), query)),
    presets: presets.filter((name) => matches(presetSearchText(name), query)),
  });

  test("finds an exact name or label in any spelling", () => {
    const wanted = fc.oneof(
      fc.constantFrom(...names).chain((name) =>
        fc.constantFrom(name, permissionInfo[name].label)
          .map((words) => ({ text: permissionSearchText(name), words }))
      ),
      fc.constantFrom(...presets)
        .map((name) => ({ text: presetSearchText(name), words: presetTexts[name][0] })),
    );
    const separator = fc.constantFrom("_", " ", "-", "  ", ", ");
    fc.assert(fc.property(wanted, separator, fc.boolean(), fc.nat(), (
      { text, words },
      between,
      isUpper,
      end,
    ) => {
      const query = words.split(/[_ ]/).join(between);
      const typed = isUpper ? query.toUpperCase() : query;
      expect(matches(text, typed)).toBe(true);
      // A beginning finds it too.
      expect(matches(text, typed.slice(0, end % (typed.length + 1)))).toBe(true);
    }));
  });

  test.each<[string, PermissionName[], PresetName[]]>([
    ["moderator", ["kick_members", "ban_members", "moderate_members", "mute_members"], [
      "membership",
      "stageModerator",
    ]],
    ["mod", ["kick_members", "manage_messages"], ["membership", "elevated"]],
    ["admin", ["administrator", "manage_guild"], ["advanced", "elevated"]],
    ["mute", ["mute_members", "moderate_members"], ["voice", "stageModerator"]],
    ["timeout", ["moderate_members"], []],
    ["kick", ["kick_members"], ["membership"]],
    ["music", ["connect", "speak"], ["voice"]],
    ["DJ", ["connect", "speak"], ["voice"]],
    ["announcements", ["send_messages", "mention_everyone"], ["text"]],
    ["emoji", ["use_external_emojis", "create_guild_expressions", "add_reactions"], ["text"]],
    ["Emojis", ["use_external_emojis", "manage_guild_expressions"], ["general"]],
    ["slash commands", ["use_application_commands"], []],
    ["threads", ["create_public_threads", "manage_threads"], ["text"]],
    ["forum", ["create_public_threads", "send_messages_in_threads"], []],
    ["events", ["create_events", "manage_events"], []],
    ["reaction roles", ["manage_roles"], []],
    ["ping", ["mention_everyone"], []],
    ["logs", ["view_audit_log"], ["general"]],
    ["2fa", ["ban_members"], ["elevated"]],
    ["upload pictures", ["attach_files"], []],
    ["purge", ["manage_messages"], []],
    ["tickets", ["manage_channels", "create_private_threads"], []],
  ])("finds the permissions and presets for %s", (query, permissions, presets) => {
    expect(found(query).permissions).toEqual(expect.arrayContaining(permissions));
    expect(found(query).presets).toEqual(expect.arrayContaining(presets));
    expect(found(query).permissions.length).toBeLessThan(names.length / 2);
  });

  test("finds nothing for an unknown word", () => {
    expect(found("zzz")).toEqual({ permissions: [], presets: [] });
  });

  test("says that a bot's own commands need no permission", () => {
    expect(searchHint("Slash commands")).toContain("scope applications.commands");
    expect(searchHint("kick")).toBeUndefined();
  });
});

describe("suggestPermissions()", () => {
  const suggested = (...input: ConstructorParameters<typeof Permissions>) =>
    suggestPermissions(new Permissions(...input)).map(({ name }) => name);

  test("suggests View channels after a preset for text, voice or stage", () => {
    expect(suggested(Permissions.presets.text)).toEqual(["view_channel"]);
    expect(suggested(Permissions.presets.voice)).toEqual(["view_channel"]);
    expect(suggested(Permissions.presets.stage)).toEqual(["view_channel"]);
  });

  test("suggests no ticked, unneeded or included permission", () => {
    expect(suggested()).toEqual([]);
    expect(suggested(["kick_members", "manage_guild"])).toEqual([]);
    expect(suggested(["view_channel", "send_messages"])).toEqual([]);
    expect(suggested(["administrator", "send_messages"])).toEqual([]);
  });

  test("suggests Connect for a speaking bot", () => {
    expect(suggested(["view_channel", "speak"])).toEqual(["connect"]);
    expect(suggested(["view_channel", "speak", "connect"])).toEqual([]);
  });
});

describe("A preset", () => {
  test.each(Object.keys(presetTexts) as PresetName[])(
    "says in what its content differs from its label: %s",
    (name) => {
      const preset = new Permissions(Permissions.presets[name]);
      const { grants = [], lacks = [] } = presetDifferences[name] ?? {};
      expect(preset.missing(grants)).toEqual([]);
      expect(lacks.filter((permission) => preset.has(permission))).toEqual([]);
      // A preset with the name of a group is exactly that group, or states the difference.
      const group = Object.keys(Permissions.flags)
        .filter((permission) => permissionInfo[permission as PermissionName].group === name);
      if (group.length > 0) {
        const outside = preset.toArray().filter((one) => permissionInfo[one].group !== name);
        expect(grants).toEqual(expect.arrayContaining(outside));
      }
      if (group.length > 1 && !preset.equals(group as PermissionName[])) {
        expect([...grants, ...lacks]).not.toEqual([]);
      }
    },
  );

  test("names the differences in the words of the list of permissions", () => {
    expect(differenceText("text"))
      .toBe("With Mention everyone and Time out members, without View channels");
    expect(differenceText("elevated")).toBe("Without Manage webhooks");
    expect(differenceText("advanced")).toBe("");
  });
});

describe("A preset for a kind of bot", () => {
  const named = botPresets.map((preset) => [preset.label, preset] as const);

  test.each(named)("suffices in private channels: %s", (_, preset) => {
    const permissions = new Permissions(preset.permissions);
    expect(permissions.has("view_channel")).toBe(true);
    expect(suggestPermissions(permissions)).toEqual([]);
  });

  const elevated: Readonly<Record<string, readonly PermissionName[]>> = {
    Moderation: ["manage_messages", "moderate_members", "kick_members", "ban_members"],
    Tickets: ["manage_threads"],
    "Welcome and roles": ["manage_roles"],
    Webhooks: ["manage_webhooks"],
  };

  test.each(named)(
    "grants few permissions, and none but those of its work that can harm: %s",
    (label, { permissions }) => {
      expect(permissions.filter((name) => permissionInfo[name].elevated))
        .toEqual(elevated[label] ?? []);
      expect(permissions.includes("mention_everyone")).toBe(label === "Announcements");
      expect(new Set(permissions).size).toBe(permissions.length);
      expect(permissions.length).toBeLessThanOrEqual(8);
    },
  );

  test.each(named)("describes its work in a few words: %s", (label, { about }) => {
    expect(label.length).toBeLessThanOrEqual(17);
    expect(about.length).toBeLessThanOrEqual(28);
    expect(about).toMatch(/^[A-Z][^.]+$/);
  });

  test("differs from all others, also in its label", () => {
    const values = [...botPresets.map(botPresetValue), ...Object.values(Permissions.presets)];
    expect(new Set(values).size).toBe(values.length);
    const labels = [
      ...botPresets.map(({ label }) => label),
      ...Object.values(presetTexts).map(([label]) => label),
    ];
    expect(new Set(labels).size).toBe(labels.length);
  });

  test.each([
    ["Moderation", ["moderate_members", "kick_members", "ban_members", "manage_messages"]],
    ["Music", ["connect", "speak"]],
    ["Tickets", ["create_private_threads", "send_messages_in_threads", "manage_threads"]],
    ["Welcome and roles", ["manage_roles", "add_reactions"]],
    ["Logging", ["view_audit_log"]],
    ["Announcements", ["mention_everyone"]],
    ["Webhooks", ["manage_webhooks"]],
    ["Chat", ["read_message_history", "send_messages_in_threads"]],
  ])("has the permissions for its work: %s", (label, wanted) => {
    const preset = botPresets.find((one) => one.label === label);
    expect(preset?.permissions).toEqual(expect.arrayContaining(wanted));
  });

  test.each([
    ["moderator", ["Moderation"]],
    ["mod", ["Moderation", "Tickets"]],
    ["DJ", ["Music"]],
    ["tickets", ["Tickets"]],
    ["reaction roles", ["Welcome and roles"]],
    ["logs", ["Logging"]],
    ["announcement", ["Announcements"]],
    ["bridge", ["Webhooks"]],
    ["AI", ["Chat"]],
    ["bot", botPresets.map(({ label }) => label)],
  ])("is found by everyday words: %s", (query, labels) => {
    expect(
      botPresets.filter((preset) => matches(botPresetSearchText(preset), query))
        .map(({ label }) => label),
    ).toEqual(labels);
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
    ["names as discord.js writes them", "PermissionFlagsBits.ViewChannel, SendTTSMessages", 5120n],
    [
      "a list as code has it",
      '[PermissionsBitField.Flags.ViewChannel, "SendMessages", "UseExternalStickers"]',
      3072n + (1n << 37n),
    ],
    ["an older name", "MANAGE_EMOJIS_AND_STICKERS READ_MESSAGES", (1n << 30n) + 1024n],
    ["a bit that has no name", "140737488355328", 1n << 47n],
    ["labels as Discord writes them", "Send Messages, Embed Links", 18_432n],
    ["labels in lines", "send messages in threads\nSend\u00a0 Messages", (1n << 38n) + 2048n],
    ["labels with nothing but spaces between them", "View channels Connect VIDEO", 1_050_112n],
    ["labels beside other names", '"Manage Server" | SEND_MESSAGES, ViewChannel 0x8', 3112n],
    ["names with spaces", "Moderate Members, create instant invite", (1n << 40n) + 1n],
  ])(
    "reads %s as the permissions and keeps the rest",
    (_, text, permissions) => {
      expect(readPaste(text, { ...bot, guildId })).toEqual({
        ...bot,
        guildId,
        permissions,
      });
    },
  );

  test("reads every name of the platform's types", () => {
    for (const [name, bit] of Object.entries(PermissionFlagsBits)) {
      expect(readPaste(name, bot).permissions, name).toBe(bit);
    }
  });

  test("reads the label of every permission in any case, also among all others", () => {
    const everyLabel = Object.values(permissionInfo).map(({ label }) => label);
    const all = new Permissions().all().value;
    for (const [name, { label }] of Object.entries(permissionInfo)) {
      const permissions = Permissions.flags[name as PermissionName];
      expect(readPaste(label, bot).permissions, label).toBe(permissions);
      expect(readPaste(label.toUpperCase(), bot).permissions, label).toBe(permissions);
    }
    expect(readPaste(everyLabel.join(", "), bot).permissions).toBe(all);
    expect(readPaste(everyLabel.join(" "), bot).permissions).toBe(all);
  });

  test.each([
    ["an id", "1100000000000000001"],
    [
      "a login link",
      "https://discord.com/oauth2/authorize?response_type=code&client_id=1100000000000000001" +
      "&scope=identify%20guilds&redirect_uri=https%3A%2F%2Fapp.example%2Fcallback",
    ],
    ["a bare link", "discord.com/oauth2/authorize?client_id=1100000000000000001"],
  ])("takes the client id of %s, and keeps the rest", (_, text) => {
    const before = { ...bot, guildId };
    expect(readPaste(text, before)).toEqual({ ...before, clientId: "1100000000000000001" });
  });

  test("replaces everything with a whole link", () => {
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

  test("reads every link of the page for a server", async () => {
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
  ])("reads %s", (_, link) => {
    expect(readPaste(link, emptyInvite)).toMatchObject({
      clientId: "7",
      permissions: 8n,
    });
  });

  test("keeps a wrong client id of a link for the message of the field", () => {
    expect(readPaste("?client_id=<b>x</b>&permissions=8", bot).clientId).toBe(
      "<b>x</b>",
    );
  });

  test.each([
    ["nothing", "  ", "Paste a link, a client ID, an integer, or names of permissions first."],
    ["an unknown name", "connect, manage_gild", "There is no such permission: “manage_gild”"],
    ["a label that goes on", "Send messages_now", "There is no such permission: “Send”"],
    ["a long unknown name", "x".repeat(99), `There is no such permission: “${"x".repeat(40)}”`],
    ["a negative value", "-8", "There is no such permission: “-8”"],
    [
      "a link without an invitation",
      "https://discord.com/channels/@me",
      "This isn't an invite link. It has no client ID and no permissions.",
    ],
    [
      "a link with broken permissions",
      "https://x.example/?permissions=1e9",
      "The permissions in this link can't be read: they should be an integer.",
    ],
    [
      "a value of more than 256 bits",
      "9".repeat(90),
      "This integer is too large for permissions.",
    ],
    [
      "an essay",
      "x".repeat(5000),
      "This is too long: an invite link has at most 4,000 characters.",
    ],
  ])("refuses %s", (_, text, message) => {
    const read = () => readPaste(text, bot);
    expect(read).toThrow(UnreadableError);
    expect(read).toThrow(message);
  });
});

describe("The fragment", () => {
  test("is empty for an empty invitation", () => {
    expect(toFragment(emptyInvite)).toBe("");
    expect(readInvite("")).toEqual(emptyInvite);
    expect(readInvite("#")).toEqual(emptyInvite);
  });

  test("restores every invitation", () => {
    fc.assert(fc.property(invites, (invite) => {
      expect(readInvite(`#${toFragment(invite)}`)).toEqual(invite);
    }));
  });

  test("is read or refused with any content", () => {
    // With lone surrogates. The unit "binary" of fast-check has them too, but takes seconds to prepare.
    const unit = fc.nat(0x10ffff).map((code) => String.fromCodePoint(code));
    const hostile = fc.oneof(
      fc.tuple(fc.string({ unit, minLength: 1 }), fc.nat(5000))
        .map(([text, times]) => text.repeat(times).slice(0, 5000)),
      fc.array(fc.tuple(
        fc.constantFrom(
          "client_id",
          "permissions",
          "scope",
          "guild_id",
          "__proto__",
        ),
        fc.string({ unit }),
      )).map((pairs) => pairs.map((pair) => pair.join("=")).join("&")),
    );
    fc.assert(fc.property(hostile, (text) => {
      try {
        const { clientId, permissions } = readInvite(`#${text}`);
        expect(clientId.length).toBeLessThanOrEqual(100);
        expect(permissions).toBeLessThan(1n << 256n);
      } catch (error) {
        expect(error).toBeInstanceOf(UnreadableError);
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
