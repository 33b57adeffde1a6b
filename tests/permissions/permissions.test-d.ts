import { describe, expectTypeOf, test } from "vitest";
import {
  type PermissionInput,
  type PermissionLike,
  type PermissionName,
  Permissions,
  type PresetName,
} from "../../mod.ts";

describe("PermissionName", () => {
  test("is every name of the specification and every newer one", () => {
    expectTypeOf<SpecifiedName>().toExtend<PermissionName>();
    expectTypeOf<"pin_messages">().toExtend<PermissionName>();
    expectTypeOf<string>().not.toExtend<PermissionName>();
    expectTypeOf<"nope">().not.toExtend<PermissionName>();
    type SpecifiedName =
      | "administrator"
      | "manage_guild"
      | "manage_roles"
      | "manage_channels"
      | "manage_guild_expressions"
      | "manage_webhooks"
      | "view_audit_log"
      | "view_channel"
      | "view_guild_insights"
      | "create_instant_invite"
      | "send_messages"
      | "use_external_sticker"
      | "create_public_threads"
      | "create_private_threads"
      | "send_tts_messages"
      | "manage_messages"
      | "manage_threads"
      | "embed_links"
      | "attach_files"
      | "read_message_history"
      | "mention_everyone"
      | "add_reactions"
      | "use_external_emojis"
      | "moderate_members"
      | "use_application_commands"
      | "send_voice_messages"
      | "connect"
      | "speak"
      | "mute_members"
      | "deafen_members"
      | "move_members"
      | "use_vad"
      | "priority_speaker"
      | "request_to_speak"
      | "stream"
      | "use_embedded_activities"
      | "use_soundboard"
      | "use_external_sounds"
      | "kick_members"
      | "ban_members"
      | "manage_nicknames"
      | "change_nickname";
  });

  test("is the type of the names in the flags", () => {
    expectTypeOf(Permissions.flags).toEqualTypeOf<Readonly<Record<PermissionName, bigint>>>();
  });
});

describe("PresetName", () => {
  test("is each of the nine presets", () => {
    expectTypeOf<PresetName>().toEqualTypeOf<
      | "general"
      | "allChannel"
      | "membership"
      | "text"
      | "voice"
      | "stage"
      | "stageModerator"
      | "elevated"
      | "advanced"
    >();
    expectTypeOf(Permissions.presets).toEqualTypeOf<Readonly<Record<PresetName, bigint>>>();
  });
});

describe("PermissionInput", () => {
  test("is every form of the specification and of JavaScript's collections", () => {
    expectTypeOf<"manage_guild">().toExtend<PermissionInput>();
    expectTypeOf<"use_external_stickers">().toExtend<PermissionInput>();
    expectTypeOf<"manage_emojis_and_stickers">().toExtend<PermissionInput>();
    expectTypeOf<"MANAGE_GUILD">().toExtend<PermissionInput>();
    expectTypeOf<{ SEND_MESSAGES: true }>().toExtend<PermissionInput>();
    expectTypeOf<"18432">().toExtend<PermissionInput>();
    expectTypeOf<8>().toExtend<PermissionInput>();
    expectTypeOf<8n>().toExtend<PermissionInput>();
    expectTypeOf<Permissions>().toExtend<PermissionInput>();
    expectTypeOf<readonly PermissionLike[]>().toExtend<PermissionInput>();
    expectTypeOf<["manage_guild", 8, 16n, "32"]>().toExtend<PermissionInput>();
    expectTypeOf<Set<PermissionName>>().toExtend<PermissionInput>();
    expectTypeOf<Generator<PermissionName>>().toExtend<PermissionInput>();
    expectTypeOf<{ manage_guild: true; "8": false; 16: boolean }>().toExtend<PermissionInput>();
    expectTypeOf<Map<PermissionName, boolean>>().toExtend<PermissionInput>();
    expectTypeOf<ReadonlyMap<bigint, boolean>>().toExtend<PermissionInput>();
  });

  test("is the parameter of each method", () => {
    type Taking = "update" | "add" | "remove" | "has" | "missing" | "equals";
    expectTypeOf<Parameters<Permissions[Taking]>>().toEqualTypeOf<[permissions: PermissionInput]>();
  });

  test("or any text is the parameter of the constructor", () => {
    expectTypeOf(Permissions).toBeConstructibleWith("any" as string);
    expectTypeOf(Permissions).toBeConstructibleWith("8" as string | null | undefined);
    expectTypeOf(Permissions).toBeConstructibleWith(["connect", 8]);
    expectTypeOf(Permissions).toBeConstructibleWith(null);
    expectTypeOf(Permissions).toBeConstructibleWith();
  });

  test("is nothing else", () => {
    const wrong = (): unknown[] => [
      // @ts-expect-error an unknown name
      new Permissions().add("manage_guilds"),
      // @ts-expect-error a name of Object.prototype
      new Permissions().add("constructor"),
      // @ts-expect-error hexadecimal is no decimal string, and no name
      new Permissions().add("eight"),
      // @ts-expect-error an unknown name in a list
      new Permissions(["connect", "conect"]),
      // @ts-expect-error an unknown name in a dictionary
      new Permissions({ conect: true }),
      // @ts-expect-error another value than true and false
      new Permissions({ connect: 1 }),
      // @ts-expect-error a value that may be missing
      new Permissions({ connect: undefined }),
      // @ts-expect-error a list in a list
      new Permissions([["connect"]]),
      // @ts-expect-error a boolean
      new Permissions(true),
      // @ts-expect-error a date
      new Permissions(new Date()),
      // @ts-expect-error a function
      new Permissions(() => 8),
      // @ts-expect-error a promise
      new Permissions(Promise.resolve(8)),
      // @ts-expect-error undefined is for the constructor only
      new Permissions().update(undefined),
      // @ts-expect-error and so is null
      new Permissions().add(null),
    ];
    expectTypeOf(wrong).toBeFunction();
  });
});

describe("Permissions", () => {
  test("returns itself, so that calls chain", () => {
    type Changing = "update" | "add" | "remove" | "all" | "none" | PresetName;
    expectTypeOf<ReturnType<Permissions[Changing]>>().toEqualTypeOf<Permissions>();
    expectTypeOf<Parameters<Permissions["all" | "none" | PresetName]>>().toEqualTypeOf<[]>();
    expectTypeOf(new Permissions().all().remove("connect").stageModerator().add(8))
      .toEqualTypeOf<Permissions>();
  });

  test("reads as a bigint, as names and as text", () => {
    expectTypeOf<Permissions["value"]>().toEqualTypeOf<bigint>();
    expectTypeOf<ReturnType<Permissions["has" | "equals"]>>().toEqualTypeOf<boolean>();
    expectTypeOf<ReturnType<Permissions["missing" | "toArray"]>>()
      .toEqualTypeOf<PermissionName[]>();
    expectTypeOf<ReturnType<Permissions["toJSON" | "toString"]>>().toExtend<string>();
    expectTypeOf<Permissions>().toExtend<Iterable<PermissionName>>();
  });

  test("can't be changed by assignment", () => {
    const change = (permissions: Permissions): void => {
      // @ts-expect-error the value is read-only
      permissions.value = 0n;
      // @ts-expect-error and so are the flags as a whole
      Permissions.flags = { ...Permissions.flags };
      // @ts-expect-error and the presets
      Permissions.presets = { ...Permissions.presets };
      // @ts-expect-error the flags are read-only
      Permissions.flags.connect = 0n;
      // @ts-expect-error the presets are read-only
      Permissions.presets.voice = 0n;
    };
    expectTypeOf(change).toBeFunction();
  });
});
