import { PermissionFlagsBits } from "discord-api-types/v10";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type PermissionInput,
  type PermissionLike,
  type PermissionName,
  Permissions,
  type PresetName,
} from "../../src/permissions/permissions.ts";

const NAMES = Object.keys(Permissions.flags) as PermissionName[];
const UNNAMED = (1n << 47n) | (1n << 60n) | (1n << 200n);

/** Values that look like an empty dictionary from outside. */
class PrivatePermissions {
  readonly #value = 8n;

  read(): bigint {
    return this.#value;
  }
}

/** The names of the specification, in its order and with what it lists twice. */
const SPECIFIED_PRESETS: Readonly<Record<PresetName, readonly PermissionName[]>> = {
  general: [
    "manage_guild",
    "manage_roles",
    "manage_channels",
    "manage_guild_expressions",
    "manage_webhooks",
    "view_audit_log",
    "view_channel",
    "view_guild_insights",
  ],
  allChannel: [
    "manage_roles",
    "manage_channels",
    "create_instant_invite",
    "manage_webhooks",
    "view_channel",
    "send_messages",
    "use_external_sticker",
    "create_public_threads",
    "create_private_threads",
    "send_tts_messages",
    "send_messages",
    "manage_threads",
    "embed_links",
    "attach_files",
    "read_message_history",
    "mention_everyone",
    "add_reactions",
    "use_external_emojis",
    "moderate_members",
    "use_application_commands",
    "connect",
    "speak",
    "mute_members",
    "deafen_members",
    "move_members",
    "use_vad",
    "priority_speaker",
    "request_to_speak",
    "stream",
    "use_soundboard",
  ],
  membership: [
    "kick_members",
    "ban_members",
    "create_instant_invite",
    "manage_nicknames",
    "change_nickname",
    "moderate_members",
  ],
  text: [
    "send_messages",
    "use_external_sticker",
    "create_public_threads",
    "create_private_threads",
    "send_tts_messages",
    "manage_messages",
    "embed_links",
    "attach_files",
    "read_message_history",
    "mention_everyone",
    "add_reactions",
    "use_external_emojis",
    "moderate_members",
    "use_application_commands",
    "send_voice_messages",
  ],
  voice: [
    "connect",
    "speak",
    "mute_members",
    "deafen_members",
    "use_vad",
    "priority_speaker",
    "stream",
    "use_embedded_activities",
    "use_soundboard",
    "use_external_sounds",
  ],
  stage: ["request_to_speak"],
  stageModerator: ["manage_channels", "mute_members", "move_members"],
  elevated: [
    "administrator",
    "manage_guild",
    "manage_roles",
    "manage_channels",
    "kick_members",
    "ban_members",
    "manage_guild_expressions",
    "manage_guild",
    "moderate_members",
    "manage_messages",
    "manage_threads",
  ],
  advanced: ["administrator"],
};

const SPECIFIED_NAMES = (
  "administrator, manage_guild, manage_roles, manage_channels, manage_guild_expressions, " +
  "manage_webhooks, view_audit_log, view_channel, view_guild_insights, create_instant_invite, " +
  "send_messages, use_external_sticker, create_public_threads, create_private_threads, " +
  "send_tts_messages, manage_messages, manage_threads, embed_links, attach_files, " +
  "read_message_history, mention_everyone, add_reactions, use_external_emojis, moderate_members, " +
  "use_application_commands, send_voice_messages, connect, speak, mute_members, deafen_members, " +
  "move_members, use_vad, priority_speaker, request_to_speak, stream, use_embedded_activities, " +
  "use_soundboard, use_external_sounds, kick_members, ban_members, manage_nicknames, " +
  "change_nickname"
).split(", ");

describe("Permissions.flags", () => {
  test("has every name of the specification", () => {
    expect(SPECIFIED_NAMES).toHaveLength(42);
    expect(SPECIFIED_NAMES.filter((name) => !(name in Permissions.flags))).toEqual([]);
  });

  test("has the names and bits of discord-api-types, and no others", () => {
    const documented: Record<string, bigint> = { ...PermissionFlagsBits };
    // The former name of ManageGuildExpressions, the same bit.
    delete documented.ManageEmojisAndStickers;
    const ours = Object.fromEntries(NAMES.map((name) => [documentedName(name), bitOf(name)]));
    expect(ours).toEqual(documented);
  });

  test("has the permissions in the order of their bits", () => {
    const bits = NAMES.map(bitOf);
    expect(bits).toEqual([...bits].sort((a, b) => Number(a - b)));
  });

  test("is frozen, and so are the presets", () => {
    expect(Object.isFrozen(Permissions.flags)).toBe(true);
    expect(Object.isFrozen(Permissions.presets)).toBe(true);
  });

  test("has no name of Object.prototype", () => {
    expect("constructor" in Permissions.flags).toBe(false);
    expect("toString" in Permissions.flags).toBe(false);
  });
});

describe("The presets", () => {
  const presets = Object.keys(SPECIFIED_PRESETS) as PresetName[];

  test("are the nine of the specification", () => {
    expect(Object.keys(Permissions.presets).sort()).toEqual([...presets].sort());
  });

  test.each(presets)("%s() sets exactly the names of the specification", (preset) => {
    const names = SPECIFIED_PRESETS[preset];
    expect(new Set(new Permissions()[preset]())).toEqual(new Set(names));
    expect(Permissions.presets[preset]).toBe(new Permissions(names).value);
  });

  test.each(presets)("%s() replaces the set and returns it", (preset) => {
    const permissions = new Permissions().all().add(UNNAMED);
    expect(permissions[preset]()).toBe(permissions);
    expect(permissions.value).toBe(Permissions.presets[preset]);
  });

  test("combine by add()", () => {
    const both = new Permissions().text().add(Permissions.presets.voice);
    expect(new Set(both)).toEqual(
      new Set([...SPECIFIED_PRESETS.text, ...SPECIFIED_PRESETS.voice]),
    );
  });
});

describe("new Permissions()", () => {
  test.each<[string, PermissionInput | null | undefined, bigint]>([
    ["nothing", undefined, 0n],
    ["null", null, 0n],
    ["a name", "manage_guild", 32n],
    ["a decimal string", "18432", 18432n],
    ["the decimal string 0", "0", 0n],
    ["a decimal string beyond 64 bits", "36893488147419103232", 1n << 65n],
    ["a decimal string beyond the safe integers", "9007199254740993", 9007199254740993n],
    ["a number", 8, 8n],
    ["the number 0", 0, 0n],
    ["the number -0", -0, 0n],
    ["the largest safe integer", Number.MAX_SAFE_INTEGER, 2n ** 53n - 1n],
    ["a bigint", 1n << 70n, 1n << 70n],
    ["a list of names", ["connect", "speak"], 3n << 20n],
    ["a list of numbers, as values and not as bit positions", [1, 2], 3n],
    ["a list of everything", ["connect", "8", 16n, 32], (1n << 20n) | 56n],
    ["an empty list", [], 0n],
    ["a list that names one twice", ["speak", "speak", 1 << 21], 1n << 21n],
    ["a Set", new Set<PermissionLike>(["connect", 8]), (1n << 20n) | 8n],
    ["a typed array", new Uint8Array([1, 2, 8]), 11n],
    ["a dictionary of names", { connect: true, speak: false }, 1n << 20n],
    ["a dictionary of decimal keys", { "8": true, 16: true, "32": false }, 24n],
    ["an empty dictionary", {}, 0n],
    ["a dictionary without a prototype", withoutPrototype({ connect: true }), 1n << 20n],
    [
      "a Map",
      new Map<PermissionLike, boolean>([["connect", true], [8n, true], [16, false]]),
      (1n << 20n) | 8n,
    ],
    ["an empty Map", new Map(), 0n],
    ["another set", new Permissions(UNNAMED), UNNAMED],
    ["the flags of discord-api-types", PermissionFlagsBits.ManageGuild, 32n],
    ["the platform's name for use_external_sticker", "use_external_stickers", 1n << 37n],
    ["that name in a list", ["use_external_stickers"], 1n << 37n],
    ["that name in a dictionary", { use_external_stickers: true }, 1n << 37n],
  ])("accepts %s", (_, input, value) => {
    expect(new Permissions(input).value).toBe(value);
    expect(new Permissions().update(input ?? 0).value).toBe(value);
    expect(new Permissions().add(input ?? 0).value).toBe(value);
  });

  test("accepts a generator", () => {
    function* wanted(): Generator<PermissionLike> {
      yield "connect";
      yield 8;
    }
    expect(new Permissions(wanted()).value).toBe((1n << 20n) | 8n);
  });

  test("accepts a set of another copy of the module", () => {
    class OtherPermissions {
      get value(): bigint {
        return UNNAMED;
      }
      [Symbol.iterator](): Iterator<PermissionName> {
        return [][Symbol.iterator]();
      }
    }
    expect(new Permissions(new OtherPermissions()).value).toBe(UNNAMED);
  });

  test("copies another set", () => {
    const original = new Permissions("connect");
    const copy = new Permissions(original).add("speak");
    expect(original.toArray()).toEqual(["connect"]);
    expect(copy.toArray()).toEqual(["connect", "speak"]);
  });
});

describe("Names", () => {
  test("are accepted as discord-api-types and the platform's documentation write them", () => {
    for (const [name, bit] of Object.entries(PermissionFlagsBits)) {
      expect(new Permissions(name as PermissionName).value, name).toBe(bit);
    }
    for (const name of NAMES) {
      const upper = name.toUpperCase() as Uppercase<PermissionName>;
      expect(new Permissions([upper]).toArray(), upper).toEqual([name]);
      expect(new Permissions({ [upper]: true }).toArray(), upper).toEqual([name]);
    }
  });

  test.each<[PermissionLike, PermissionName]>([
    ["manage_emojis", "manage_guild_expressions"],
    ["manage_emojis_and_stickers", "manage_guild_expressions"],
    ["read_messages", "view_channel"],
    ["use_external_stickers", "use_external_sticker"],
  ])("that the platform has changed are accepted: %s is %s", (former, name) => {
    expect(new Permissions(former).toArray()).toEqual([name]);
    expect(new Permissions(String(former).toUpperCase()).toArray()).toEqual([name]);
  });
});

describe("Bad input:", () => {
  const hint = 'permissions must be names like "create_instant_invite" or safe integers, received';

  test.each<[string, unknown, string]>([
    ["a negative number", -1, `${hint} -1`],
    ["a negative bigint", -1n, `${hint} bigint`],
    ["a negative string", "-1", `${hint} a string of length 2`],
    ["a fraction", 1.5, `${hint} 1.5`],
    ["an unsafe integer", 2 ** 53, `${hint} 9007199254740992`],
    ["a number in exponential notation", 1e21, `${hint} 1e+21`],
    ["a hexadecimal string", "0x8", `${hint} a string of length 3`],
    ["the empty string", "", `${hint} an empty string; is the variable set?`],
    ["true", true, "received boolean"],
    ["a symbol", Symbol("connect"), "received symbol"],
    ["a function", () => "connect", "received function"],
    ["a class", Permissions, "received function"],
    ["a promise", Promise.resolve(8), "received a Promise: await it"],
    ["a date", new Date(0), "received object"],
    ["a regular expression", /8/, "received object"],
    ["an error", new Error("connect"), "received object"],
    ["a boxed number", Object(8), "received object"],
    ["an instance of a class with private fields", new PrivatePermissions(), "received object"],
    ["a WeakMap", new WeakMap(), "received object"],
    ["an async generator", (async function* () {})(), "received object"],
    ["a list in a list", [["connect"]], "received a list of 1"],
    ["a value in a list in a list", [["8"]], "received a list of 1"],
    ["a set in a list", [new Permissions(8)], "received object"],
    ["a boxed string in a list", [Object("8")], "received object"],
    ["null in a list", ["connect", null], "received null; is the variable set?"],
    [
      "a hole in a list",
      ["connect", undefined],
      "received undefined; is the variable set?",
    ],
    ["true in a list", [true], "received boolean"],
    ["an object without a prototype in a list", [withoutPrototype({})], ""],
    ["a list of pairs", [["connect", true]], "received a list of 2"],
    [
      "a dictionary with another value than true and false",
      { connect: 1 },
      "permissions.connect must be true or false, received number",
    ],
    [
      "a dictionary with an undefined value",
      { connect: undefined },
      "permissions.connect must be true or false, received undefined; is the variable set?",
    ],
    [
      "a dictionary with a value as text",
      { connect: "false" },
      "permissions.connect must be true or false, received a string of length 5",
    ],
    [
      "a Map with another value than true and false",
      new Map([[8n, "yes"]]),
      "permissions.8 must be true or false, received a string of length 3",
    ],
    ["a Map with an unknown name", new Map([["nope", true]]), 'received "nope"'],
    [
      "a dictionary with an unknown name switched on",
      { nope: true },
      'received "nope"',
    ],
    [
      "a dictionary with an unknown name switched off",
      { nope: false },
      'received "nope"',
    ],
    ["a dictionary with the name of an accessor", { get: true }, 'received "get"'],
    [
      "the flags themselves",
      Permissions.flags,
      "permissions.create_instant_invite must be true or false, received bigint",
    ],
    ["something else with a value", { value: true }, "received boolean"],
    ["something else with a negative value", { value: -1n }, "received bigint"],
  ])("%s throws a TypeError and changes nothing", (_, input, message) => {
    const permissions = new Permissions(UNNAMED).add("connect");
    const before = permissions.value;
    for (const call of ["update", "add", "remove", "has", "missing", "equals"] as const) {
      expect(() => permissions[call](input as never), call).toThrow(TypeError);
      expect(() => permissions[call](input as never), call).toThrow(message);
    }
    expect(permissions.value).toBe(before);
    expect(() => new Permissions(input as never)).toThrow(message);
  });

  test.each(["update", "add", "remove", "has", "missing", "equals"])(
    "%s throws for a second argument, which JavaScript would ignore",
    (name) => {
      const permissions = new Permissions("manage_guild");
      const call = Reflect.get(permissions, name).bind(permissions);
      const expected = new TypeError('permissions must be a list like ["speak"]');
      expect(() => call("manage_guild", "ban_members")).toThrow(expected);
      expect(() => call("manage_guild", undefined)).toThrow(expected);
      expect(permissions.toArray()).toEqual(["manage_guild"]);
    },
  );

  test("the constructor throws for a second argument", () => {
    expect(() => Reflect.construct(Permissions, ["manage_guild", "ban_members"]))
      .toThrow(new TypeError('permissions must be a list like ["speak"]'));
  });

  test("null and undefined are for the constructor only", () => {
    const permissions = new Permissions("connect");
    expect(() => permissions.update(null as never)).toThrow(
      "received null; is the variable set?",
    );
    expect(() => permissions.update(undefined as never)).toThrow(
      "received undefined; is the variable set?",
    );
    expect(permissions.toArray()).toEqual(["connect"]);
  });

  test("a list with a bad last entry changes nothing", () => {
    const permissions = new Permissions("connect");
    expect(() => permissions.update(["speak", "stream", "nope" as never])).toThrow(TypeError);
    expect(() => permissions.add(["speak", "stream", -1])).toThrow(TypeError);
    expect(() => permissions.remove(["connect", 0.5])).toThrow(TypeError);
    expect(() => permissions.update({ connect: false, speak: 1 as never })).toThrow(TypeError);
    expect(permissions.toArray()).toEqual(["connect"]);
  });

  test("a generator that throws changes nothing, and the caller gets its error", () => {
    const permissions = new Permissions("connect");
    const error = new Error("the caller's own");
    function* broken(): Generator<PermissionLike> {
      yield "speak";
      throw error;
    }
    expect(() => permissions.update(broken())).toThrow(error);
    expect(permissions.toArray()).toEqual(["connect"]);
  });

  test.each(["constructor", "__proto__", "toString", "hasOwnProperty", "valueOf", "prototype"])(
    "the word %s is not a permission",
    (word) => {
      const dictionary = JSON.parse(`{ "${word}": true }`);
      expect(() => new Permissions(word)).toThrow(/received (".+"|a string of length 14)$/);
      expect(() => new Permissions([word as never])).toThrow(
        /received (".+"|a string of length 14)$/,
      );
      expect(() => new Permissions(dictionary)).toThrow(/received (".+"|a string of length 14)$/);
    },
  );

  test.each([
    ["manage_guilds", "manage_guild"],
    ["manageguild", "manage_guild"],
    ["manage-roles", "manage_roles"],
    ["mange_webhooks", "manage_webhooks"],
    ["send_mesages", "send_messages"],
    ["admin", "administrator"],
    ["administrater", "administrator"],
    ["kick", "kick_members"],
    ["ban_member", "ban_members"],
    ["viewchannel", "view_channel"],
    ["use_external_emoji", "use_external_emojis"],
    ["priority_speakers", "priority_speaker"],
    ["read_messages_history", "read_message_history"],
    ["pin_message", "pin_messages"],
    ["connnect", "connect"],
    // Names that the platform, or a library, once had.
    ["use_slash_commands", "use_application_commands"],
    ["start_embedded_activities", "use_embedded_activities"],
    ["use_public_threads", "create_public_threads"],
    ["use_private_threads", "create_private_threads"],
    ["external_emojis", "use_external_emojis"],
    ["external_stickers", "use_external_sticker"],
    ["manage_expressions", "manage_guild_expressions"],
    ["create_expressions", "create_guild_expressions"],
  ])("the error for %s suggests %s", (misspelt, nearest) => {
    expect(() => new Permissions(misspelt)).toThrow(
      `permissions must be names like "${nearest}" or safe integers, received `,
    );
  });

  test.each([
    ["manage_server", "manage_guild"],
    ["Manage Server", "manage_guild"],
    ["view_server_insights", "view_guild_insights"],
    ["timeout_members", "moderate_members"],
    ["Timeout Members", "moderate_members"],
    ["use_voice_activity", "use_vad"],
    ["Use Voice Activity", "use_vad"],
  ])("the error for %s, a name in Discord's settings, suggests %s", (name, meant) => {
    expect(() => new Permissions(name)).toThrow(
      new TypeError(
        `permissions must be names like "${meant}" or safe integers, received "${name}", did you mean "${meant}"?`,
      ),
    );
  });

  test("the error shows a name of short words, and nothing of a word that may be a secret", () => {
    expect(() => new Permissions("see_all_rooms")).toThrow(/received "see_all_rooms"$/);
    expect(() => new Permissions("correcthorseb")).toThrow(/received a string of length 13$/);
  });

  test("the error quotes a name with at most two wrong letters, so that it is found in a list", () => {
    expect(() => new Permissions(["CONNECT", "KICK_MEMBER"] as never)).toThrow(
      'permissions must be names like "kick_members" or safe integers, ' +
        'received "KICK_MEMBER", did you mean "kick_members"?',
    );
    expect(() => new Permissions("kick")).toThrow(/received "kick"$/);
    expect(() => new Permissions([["STREAM"]] as never)).toThrow(/received a list of 1$/);
  });

  test("a suggestion depends only on the first characters of a text", () => {
    const searched = "nope".repeat(10);
    const suggestionFor = (text: string) =>
      messageOf(() => new Permissions(text)).replace(/\d+$/, "");
    expect(suggestionFor(searched + "manage_guild".repeat(99))).toBe(suggestionFor(searched));
  });

  test("text with too many digits is refused", () => {
    expect(new Permissions("9".repeat(9999)).toString()).toHaveLength(9999);
    expect(messageOf(() => new Permissions("9".repeat(10_000)))).toContain(
      "must be names",
    );
  });

  test("no error shows a name, a key or a value", () => {
    fc.assert(fc.property(fc.string({ minLength: 16 }), (secret) => {
      for (const input of [secret, [secret], { [secret]: true }, { [secret]: 1 }]) {
        const message = messageOf(() => new Permissions(input as never));
        // A text of letters alone is shown, as a misspelled name.
        fc.pre(!/^(\d+|[a-z_]+)$/i.test(secret) && message !== "");
        expect(message).toMatch(
          /^permissions must be (true or false, received number|names like "[a-z_]+" or safe integers, received .*)$/,
        );
        expect(message.replace(/"[a-z_]+"/, "")).not.toContain(secret);
      }
    }));
  });

  test("no error shows the beginning of a token", () => {
    const token = "mfa.VkO_2G4Qv3T--NO--lWetW_tjND";
    for (const input of [token, [token], { [token]: true }, new Map([[token, true]])]) {
      expect(messageOf(() => new Permissions(input as never))).not.toContain(token.slice(0, 8));
    }
    expect(messageOf(() => new Permissions({ connect: token as never })))
      .toBe("permissions.connect must be true or false, received a string of length 31");
  });
});

describe("Permissions.update()", () => {
  test.each<[string, PermissionInput]>([
    ["a name", "speak"],
    ["a value", 1 << 21],
    ["a decimal string", "2097152"],
    ["a list", ["speak"]],
    ["a Set", new Set<PermissionLike>(["speak"])],
    ["another set", new Permissions("speak")],
  ])("sets the value to exactly %s", (_, input) => {
    expect(new Permissions().all().add(UNNAMED).update(input).toArray()).toEqual(["speak"]);
    expect(new Permissions(UNNAMED).update(input).value).toBe(1n << 21n);
  });

  test("changes only the permissions that a dictionary names", () => {
    const permissions = new Permissions(["connect", "speak"]).add(UNNAMED);
    permissions.update({ speak: false, stream: true });
    expect(permissions.toArray()).toEqual(["stream", "connect"]);
    expect(permissions.has(UNNAMED)).toBe(true);
  });

  test("changes only the permissions that a Map names", () => {
    const permissions = new Permissions(["connect", "speak"]).add(UNNAMED);
    permissions.update(new Map<PermissionLike, boolean>([["speak", false], [UNNAMED, false]]));
    expect(permissions.value).toBe(bitOf("connect"));
  });

  test("changes nothing for an empty dictionary, and everything for an empty list", () => {
    expect(new Permissions("connect").update({}).toArray()).toEqual(["connect"]);
    expect(new Permissions("connect").update([]).toArray()).toEqual([]);
  });

  test("lets off win if a dictionary names a bit twice, in any order", () => {
    const both = String(bitOf("connect") | bitOf("speak")) as `${bigint}`;
    for (const before of [0n, -1n & ((1n << 60n) - 1n)]) {
      const onFirst = new Map<PermissionLike, boolean>([["connect", true], [both, false]]);
      const offFirst = new Map<PermissionLike, boolean>([[both, false], ["connect", true]]);
      expect(new Permissions(before).update(onFirst).has("connect")).toBe(false);
      expect(new Permissions(before).update(offFirst).has("connect")).toBe(false);
      expect(new Permissions(before).update({ connect: true, [both]: false }).has("connect"))
        .toBe(false);
    }
  });
});

describe("Permissions.add() and Permissions.remove()", () => {
  test("keep all other permissions", () => {
    const permissions = new Permissions(["connect", "speak"]).add(UNNAMED);
    permissions.add(["speak", "stream"]).remove("connect");
    expect(permissions.toArray()).toEqual(["stream", "speak"]);
    expect(permissions.has(UNNAMED)).toBe(true);
  });

  test("change nothing if the permission is there already, or is not there", () => {
    expect(new Permissions("connect").add("connect").toArray()).toEqual(["connect"]);
    expect(new Permissions("connect").remove("speak").toArray()).toEqual(["connect"]);
  });

  test("use only the permissions that a dictionary switches on", () => {
    const wanted = { connect: true, speak: false };
    expect(new Permissions("speak").add(wanted).toArray()).toEqual(["connect", "speak"]);
    expect(new Permissions(["connect", "speak"]).remove(wanted).toArray()).toEqual(["speak"]);
  });
});

describe("Permissions.all() and Permissions.none()", () => {
  test("add every named permission and no other bit", () => {
    expect(new Permissions().all().value)
      .toBe(Object.values(PermissionFlagsBits).reduce((all, bit) => all | bit, 0n));
    expect(new Permissions().all().toArray()).toEqual(NAMES);
  });

  test("keep unnamed bits with all()", () => {
    expect(new Permissions(UNNAMED).all().has(UNNAMED)).toBe(true);
  });

  test("remove everything with none(), unnamed bits too", () => {
    expect(new Permissions(UNNAMED).all().none().value).toBe(0n);
  });
});

describe("Every changing method", () => {
  test("returns the set at once, so that calls chain and awaiting is harmless", async () => {
    const permissions = new Permissions();
    for (
      const result of [
        permissions.update("connect"),
        permissions.add("speak"),
        permissions.remove("speak"),
        permissions.all(),
        permissions.none(),
      ]
    ) expect(result).toBe(permissions);
    expect(await permissions.stage()).toBe(permissions);
    expect(permissions.toArray()).toEqual(["request_to_speak"]);
  });
});

describe("Permissions.has(), missing() and equals()", () => {
  const permissions = new Permissions(["connect", "speak"]).add(UNNAMED);

  test("has() is true if the set has every permission", () => {
    expect(permissions.has("connect")).toBe(true);
    expect(permissions.has(["connect", "speak"])).toBe(true);
    expect(permissions.has(["connect", "stream"])).toBe(false);
    expect(permissions.has(UNNAMED)).toBe(true);
    expect(permissions.has(1n << 61n)).toBe(false);
    expect(permissions.has([])).toBe(true);
    expect(permissions.has({ connect: true, stream: false })).toBe(true);
  });

  test("has() does not count administrator as all the others", () => {
    expect(new Permissions("administrator").has("connect")).toBe(false);
  });

  test("missing() returns the missing names, lowest bit first", () => {
    expect(permissions.missing(["use_vad", "connect", "stream", 1n << 61n]))
      .toEqual(["stream", "use_vad"]);
    expect(permissions.missing("speak")).toEqual([]);
    expect(new Permissions().missing(new Permissions().all())).toEqual(NAMES);
  });

  test("equals() is true only for the same bits, in any form", () => {
    expect(permissions.equals(new Permissions(permissions))).toBe(true);
    expect(permissions.equals(permissions.toString() as `${bigint}`)).toBe(true);
    expect(permissions.equals(["speak", UNNAMED, "connect"])).toBe(true);
    expect(permissions.equals(["speak", "connect"])).toBe(false);
    expect(new Permissions().equals([])).toBe(true);
    expect(new Permissions().equals({})).toBe(true);
  });
});

describe("Reading a set:", () => {
  const permissions = new Permissions(["speak", "connect", "stream"]).add(UNNAMED);

  test("toArray() returns the names, lowest bit first", () => {
    expect(permissions.toArray()).toEqual(["stream", "connect", "speak"]);
    expect(new Permissions(UNNAMED).toArray()).toEqual([]);
  });

  test("toArray() returns a new list", () => {
    permissions.toArray().length = 0;
    expect(permissions.toArray()).toHaveLength(3);
  });

  test("an iteration gives the same names as toArray()", () => {
    expect([...permissions]).toEqual(permissions.toArray());
    const seen = [];
    for (const name of permissions) seen.push(name);
    expect(seen).toEqual(["stream", "connect", "speak"]);
  });

  test("value is a bigint that can't be assigned", () => {
    expect(permissions.value).toBe(bitOf("stream") | bitOf("connect") | bitOf("speak") | UNNAMED);
    expect(() => {
      (permissions as { value: bigint }).value = 0n;
    }).toThrow(TypeError);
  });

  test("toString(), a template and String() write the decimal value", () => {
    expect(new Permissions("administrator").toString()).toBe("8");
    expect(`${new Permissions(UNNAMED)}`).toBe(UNNAMED.toString());
    expect(String(new Permissions())).toBe("0");
  });

  test("JSON.stringify() writes a set as the platform does", () => {
    expect(JSON.stringify({ permissions: new Permissions(1n << 60n) }))
      .toBe('{"permissions":"1152921504606846976"}');
    expect(new Permissions(8).toJSON()).toBe("8");
  });
});

describe("Any permission sets:", () => {
  const anyName = fc.constantFrom(...NAMES);
  const anyValue = fc.bigInt({ min: 0n, max: (1n << 90n) - 1n });
  const anyLike: fc.Arbitrary<PermissionLike> = fc.oneof(
    anyName,
    anyValue,
    anyValue.map((value) => String(value) as `${bigint}`),
    fc.maxSafeNat(),
  );
  const anyList = fc.array(anyLike, { maxLength: 6 });
  const anySwitches = fc.array(fc.tuple(anyLike, fc.boolean()), { maxLength: 6 });
  const anyPlainInput: fc.Arbitrary<PermissionInput> = fc.oneof(
    anyLike,
    anyList,
    anyList.map((list) => new Set(list)),
    anyValue.map((value) => new Permissions(value)),
  );
  const anySet = fc.oneof(anyValue, fc.subarray(NAMES)).map((input) => new Permissions(input));

  test("add() is idempotent, and has() finds the added permissions", () => {
    check(anySet, anyPlainInput, (permissions, input) => {
      const once = permissions.add(input).value;
      expect(permissions.has(input)).toBe(true);
      expect(permissions.missing(input)).toEqual([]);
      expect(permissions.add(input).value).toBe(once);
    });
  });

  test("remove() undoes add() of missing permissions", () => {
    check(anySet, anyPlainInput, (permissions, input) => {
      const before = permissions.remove(input).value;
      expect(permissions.add(input).remove(input).value).toBe(before);
    });
  });

  test("update() replaces the set, unless it gets a dictionary", () => {
    check(anySet, anyPlainInput, (permissions, input) => {
      expect(permissions.update(input).equals(input)).toBe(true);
      expect(permissions.value).toBe(new Permissions(input).value);
    });
  });

  test("update() with a dictionary or a Map lets off win", () => {
    check(anySet, anySwitches, (permissions, switches) => {
      const byMap = new Permissions(permissions).update(new Map(switches));
      const byDictionary = new Permissions(permissions)
        .update(Object.fromEntries(switches) as Record<PermissionName, boolean>);
      const on = (entries: Iterable<[PermissionLike, boolean]>) =>
        [...entries].filter(([, enabled]) => enabled).map(([like]) => like);
      const off = (entries: Iterable<[PermissionLike, boolean]>) =>
        [...entries].filter(([, enabled]) => !enabled).map(([like]) => like);
      const mapped = [...new Map(switches)];
      const keyed = Object.entries(Object.fromEntries(switches)) as [PermissionName, boolean][];
      expect(byMap.value)
        .toBe(new Permissions(permissions).add(on(mapped)).remove(off(mapped)).value);
      expect(byDictionary.value)
        .toBe(new Permissions(permissions).add(on(keyed)).remove(off(keyed)).value);
    });
  });

  test("a set survives its text, its JSON and its copy", () => {
    check(anySet, fc.constant(null), (permissions) => {
      const text = permissions.toString() as `${bigint}`;
      expect(new Permissions(text).equals(permissions)).toBe(true);
      expect(new Permissions(JSON.parse(JSON.stringify(permissions))).equals(permissions))
        .toBe(true);
      expect(new Permissions(permissions).equals(permissions)).toBe(true);
    });
  });

  test("a set of named permissions survives its list of names", () => {
    check(fc.subarray(NAMES), fc.constant(null), (names) => {
      expect(new Permissions(names).toArray()).toEqual(names);
      expect(new Permissions(new Permissions(names).toArray()).equals(names)).toBe(true);
    });
  });

  test("the operations are equal to those of sets of bits", () => {
    check(anyPlainInput, anyPlainInput, (a, b) => {
      const [left, right] = [positions(a), positions(b)];
      expect(positions(new Permissions(a).add(b))).toEqual(left.union(right));
      expect(positions(new Permissions(a).remove(b))).toEqual(left.difference(right));
      expect(positions(new Permissions(a).update(b))).toEqual(right);
      expect(new Permissions(a).has(b)).toBe(right.isSubsetOf(left));
      expect(new Permissions(a).missing(b)).toEqual(namesAt(right.difference(left)));
      expect(new Permissions(a).equals(b)).toBe(left.symmetricDifference(right).size === 0);
      expect(new Permissions(a).toArray()).toEqual(namesAt(left));
    });
  });

  test("any other word throws an error that suggests a permission", () => {
    check(anySet, fc.string(), (permissions, word) => {
      fc.pre(!/^\d+$/.test(word) && !(word in Permissions.flags));
      const before = permissions.value;
      expect(() => permissions.update(word as never)).toThrow(/^permissions must be names like "/);
      expect(permissions.value).toBe(before);
      const named = /like "(\w+)"/.exec(messageOf(() => permissions.add(word as never)))?.[1];
      expect(NAMES).toContain(named);
    });
  });
});

function bitOf(name: PermissionName): bigint {
  return Permissions.flags[name];
}

/** `snake_case` as discord-api-types writes it: PascalCase, apart from two abbreviations and one plural. */
function documentedName(name: PermissionName): string {
  const pascalCase = name.replace(/(?:^|_)([a-z])/g, (_, letter) => letter.toUpperCase());
  return pascalCase
    .replace(/Vad$/, "VAD")
    .replace("Tts", "TTS")
    // The specification's name is in the singular.
    .replace("UseExternalSticker", "UseExternalStickers");
}

function withoutPrototype<Dictionary extends object>(dictionary: Dictionary): Dictionary {
  return Object.assign(Object.create(null), dictionary);
}

function messageOf(call: () => unknown): string {
  try {
    call();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  throw new Error("nothing was thrown");
}

function check<A, B>(
  a: fc.Arbitrary<A>,
  b: fc.Arbitrary<B>,
  law: (a: A, b: B) => void,
): void {
  fc.assert(fc.property(a, b, law));
}

/** The bit positions in an input, read digit by digit: the other way to think of a permission value. */
function positions(input: PermissionInput): Set<number> {
  const likes = typeof input === "object" && !(input instanceof Permissions)
    ? [...(input as Iterable<PermissionLike>)]
    : [input];
  const found = new Set<number>();
  for (const like of likes) {
    const value = NAMES.includes(like as PermissionName)
      ? bitOf(like as PermissionName)
      : BigInt(String(like));
    const digits = [...value.toString(2)].reverse();
    digits.forEach((digit, position) => digit === "1" && found.add(position));
  }
  return found;
}

function namesAt(bits: ReadonlySet<number>): PermissionName[] {
  return NAMES.filter((name) => bits.has(bitOf(name).toString(2).length - 1));
}
