import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { describeApis } from "../../scripts/api_descriptions.ts";
import {
  compareWithFolder,
  driftReport,
  findDifferences,
  findFieldDifferences,
  findOperationDifferences,
} from "../../scripts/drift.ts";
import known from "../../scripts/known_drift.json" with { type: "json" };

const installed = fileURLToPath(new URL("../../node_modules/discord-api-types", import.meta.url))
  .replaceAll("\\", "/");

/** Declarations of a made-up version: the installed version with a few changes. */
const declarations = `
export * from "${installed}/v10";
import type * as Installed from "${installed}/v10";

export declare const PermissionFlagsBits: { readonly Connect: bigint };

export declare enum OAuth2Scopes { Identify = "identify", LoomsRead = "looms.read" }

export declare enum ApplicationWebhookEventType {
  ApplicationAuthorized = "APPLICATION_AUTHORIZED",
  LoomCreate = "LOOM_CREATE\`\\n@everyone",
}

export interface APIUser extends Omit<Installed.APIUser, "banner" | "locale" | "primary_guild"> {
  language: string;
  looms?: { id: string }[] | null;
  primary_guild: Omit<Installed.APIUserPrimaryGuild, "tag"> & { shuttle: string } | null;
}

export interface APIGuild extends Omit<Installed.APIGuild, "roles" | "incidents_data"> {
  roles: (Installed.APIRole & { thread: string })[];
}

export declare const Routes: {
  /** Route for:
   * - GET \`/users/@me\`
   * - GET    \`/users/@me/looms/{loom.id}\`
   * - POST \`/looms\`
   * - POST \`/oauth2/token\`
   */
  all(): string;
};

export declare const OAuth2Routes: {
  readonly tokenURL: "https://discord.com/api/v11/oauth2/token";
  readonly loomURL: "https://discord.com/api/v11/oauth2/loom";
};
`;

describe("The installed discord-api-types", () => {
  test("differ from the library only by the entries of scripts/known_drift.json", () => {
    const { isAsKnown, text } = compareWithFolder(installed);
    expect(text).toMatch(
      /^@guildpass\/sdk \d\S+ compared with discord-api-types (\d\S+); the tests use \1\n\nNothing to do: /,
    );
    expect(isAsKnown).toBe(true);
  });
});

describe("A version of discord-api-spec with changes", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "guildpass-drift-test-"));
    await mkdir(join(folder, "build"));
  });
  afterAll(() => rm(folder, { recursive: true }));

  const findIn = async (text: string) => {
    await writeFile(join(folder, "build/discord-api-spec.ts"), text);
    return findOperationDifferences(folder);
  };

  test("shows new, removed and changed operations for OAuth2", async () => {
    const lines = await findIn(`export interface Paths {
      "/users/@me": {
        get: { responses: { "200": User }; security: [{ BotToken: [] }, { OAuth2: ["identify"] }] };
        patch: { responses: {}; security: [{ BotToken: [] }] };
      };
      "/users/@me/guilds": { get: { security: [{ OAuth2: ["guilds", "identify"] }] } };
      "/lobbies": { put: { security: [{ OAuth2: [] }] }; post: { security: [] } };
      "/looms/{loom_id}": { post: { security: [{ OAuth2: ["looms.write"] }] }; get: {} };
    }`);
    expect(lines).toEqual(expect.arrayContaining([
      "+ operation GET /users/@me/guilds (any scope)",
      "- operation GET /users/@me/guilds (guilds scope)",
      "+ operation POST /looms/{loom_id} (looms.write scope)",
      "- operation GET /users/@me/connections (connections scope)",
    ]));
    expect(lines.filter((line) => /lobbies \(|@me \(id|\+.*patch/i.test(line))).toEqual([]);
    expect(lines).toHaveLength(2 + 37);
  });

  test("shows the fields that a model lacks, and missing types", async () => {
    await writeFile(
      join(folder, "build/discord-api-spec.ts"),
      `export type EntitlementResponse = { id: string; sku_id: string; thread: string | null };
      export type GuildWithCountsResponse = {
        id: string;
        roles: { id: string; loom: number }[];
        shuttles?: { id: string }[];
      };`,
    );
    const lines = findFieldDifferences(folder);
    expect(lines.filter((line) => line.startsWith("+"))).toEqual([
      "+ described field shuttles of the guild",
      "+ described field thread of the entitlement",
    ]);
    expect(lines).toContain("- type UserPIIResponse, which is compared with the library");
    expect(lines.join()).not.toContain("ends_at");
  });

  test("can't be compared without its operations", async () => {
    await expect(findIn("export type Paths = never;")).rejects.toThrow("has no paths");
  });
});

describe("A version of discord-api-types with changes", () => {
  let folder: string;
  let lines: readonly string[];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "guildpass-drift-test-"));
    const permissions = await readFile(join(installed, "payloads/common.js"), "utf8");
    await writeFile(join(folder, "v10.d.ts"), declarations);
    await writeFile(
      join(folder, "v10.js"),
      permissions
        .replace("SendPolls: 1n << 49n", "SendQuizzes: 1n << 49n")
        .replace("PinMessages: 1n << 51n", "MoveTTSLooms: 1n << 60n"),
    );
    const isKnown = (line: string) => known.some(({ differences }) => differences.includes(line));
    lines = findDifferences(describeApis(folder)).filter((line) => !isKnown(line));
  });
  afterAll(() => rm(folder, { recursive: true }));

  const about = (word: string) => lines.filter((line) => line.split(" ")[1] === word);

  test("shows new, removed and renamed permissions", () => {
    expect(about("permission")).toEqual([
      "+ permission send_quizzes (bit 49)",
      "+ permission move_tts_looms (bit 60)",
      "- permission send_polls (bit 49)",
      "- permission pin_messages (bit 51)",
    ]);
  });

  test("shows new and removed scopes", () => {
    expect(about("scope")).toContain("+ scope looms.read");
    expect(about("scope")).toContain("- scope guilds.join");
    expect(about("scope")).not.toContain("- scope identify");
  });

  test("shows new, removed and renamed fields, also in the objects of a field", () => {
    expect(about("field").filter((line) => line.endsWith(" of the user"))).toEqual([
      "+ field language of the user",
      "+ field looms of the user",
      "+ field primary_guild.shuttle of the user",
      "- field banner of the user",
      "- field locale of the user",
      "- field primary_guild.tag of the user",
    ]);
  });

  test("shows a model without a field in the package", () => {
    expect(about("field").filter((line) => line.includes("incidents_data"))).toEqual([
      "- field incidents_data of the guild",
    ]);
    expect(about("model")).toEqual(["- model IncidentsDataObj"]);
  });

  test("is compared with its own model in one place, not in each object that contains it", () => {
    expect(about("field").filter((line) => line.includes("thread"))).toEqual([]);
  });

  test("shows new and removed webhook events, without characters that format a text", () => {
    expect(about("event")).toEqual([
      "+ event LOOM_CREATE??@everyone",
      "- event APPLICATION_DEAUTHORIZED",
      "- event ENTITLEMENT_CREATE",
      "- event ENTITLEMENT_UPDATE",
      "- event ENTITLEMENT_DELETE",
      "- event QUEST_USER_ENROLLMENT",
    ]);
  });

  test("shows removed endpoints, and new ones for logins", () => {
    expect(about("endpoint").filter((line) => line.startsWith("+"))).toEqual([
      "+ endpoint GET /users/@me/looms/{id}",
      "+ endpoint /oauth2/loom",
    ]);
    expect(about("endpoint")).toContain("- endpoint GET /users/@me/guilds");
    expect(about("endpoint")).toContain("- endpoint /oauth2/token/revoke");
    expect(about("endpoint")).not.toContain("- endpoint GET /users/@me");
    expect(about("endpoint")).not.toContain("- endpoint /oauth2/token");
  });
});

describe("A folder", () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "guildpass-drift-test-"));
  });
  afterAll(() => rm(folder, { recursive: true }));

  test("without declarations can't be compared", () => {
    expect(() => describeApis(folder)).toThrow("v10.d.ts is missing, or exports nothing");
  });

  test("without the compared types shows their names, and none of their contents", async () => {
    await writeFile(join(folder, "v10.d.ts"), "export interface APIUser { id: string }");
    const lines = findDifferences(describeApis(folder));
    expect(lines).toContain("- type OAuth2Scopes, which is compared with the library");
    expect(lines).toContain("- type APIRole, which is compared with the library");
    expect(lines).not.toContain("- type APIUser, which is compared with the library");
    expect(lines.filter((line) => line.startsWith("- scope"))).toEqual([]);
  });

  test("without the bits of the permissions can't be compared", async () => {
    await writeFile(join(folder, "v10.d.ts"), "export declare const PermissionFlagsBits: {};");
    await writeFile(join(folder, "v10.js"), "exports.PermissionFlagsBits = { Connect: 1048576n };");
    expect(() => describeApis(folder)).toThrow("v10.js has no permission");
  });
});

describe("The report", () => {
  const looms = [
    { reason: "The loom is not for users", differences: ["+ scope looms.read"] },
    { reason: "The library builds it", differences: ["- field href of the loom"] },
  ];

  test("has no line for a known difference", () => {
    const lines = ["+ scope looms.read", "- field href of the loom"];
    expect(driftReport("1 and 2", lines, looms)).toEqual({
      isAsKnown: true,
      text: "1 and 2\n\nNothing to do: all 2 differences are known, see scripts/known_drift.json",
    });
  });

  test("groups the other differences, and ends with the things to do", () => {
    const lines = [
      ...["+ endpoint GET /looms", "+ scope looms.read", "+ permission weave (bit 60)"],
      ...["- permission connect (bit 20)", "- field href of the loom"],
    ];
    const { isAsKnown, text } = driftReport("1 and 2", lines, looms);
    expect(isAsKnown).toBe(false);
    expect(text).toBe(`1 and 2

Permissions
+ permission weave (bit 60)
- permission connect (bit 20)

Endpoints
+ endpoint GET /looms

The package has what begins with +, and the library has what begins with -. Change the library as CONTRIBUTING.md says, or add the line to scripts/known_drift.json with a reason`);
  });

  test("has the known differences that no longer exist", () => {
    expect(driftReport("1 and 2", ["+ scope looms.read"], looms)).toEqual({
      isAsKnown: false,
      text: `1 and 2

Known differences that are none any more
- field href of the loom

Delete these lines from scripts/known_drift.json`,
    });
  });

  test("requests both changes for both kinds of differences", () => {
    const { text } = driftReport("1 and 2", ["+ scope looms.write"], looms);
    expect(text).toContain("+ scope looms.write");
    expect(text).toMatch(/with a reason\. Delete the known differences above from that file$/);
  });
});
