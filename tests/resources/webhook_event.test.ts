import { describe, expect, test } from "vitest";
import type { PayloadIssue } from "../../mod.ts";
import { toWebhookEvent } from "../../src/resources/webhook_event.ts";
import type { WebhookEvent } from "../../src/webhook_events/mod.ts";
import { thrownBy } from "../support/responders.ts";
import { exampleGuild, exampleUser } from "../support/documented.ts";
import { unfrozenPartsOf } from "../support/models.ts";

const cdnUrl = "https://cdn.discordapp.com";
const avatar_url = `${cdnUrl}/avatars/80351110224678912/8342729096ea3675442027381ff50dfe.png`;

function read(payload: unknown): { event: WebhookEvent; issues: readonly PayloadIssue[] } {
  const issues: PayloadIssue[] = [];
  // A copy, since the payload becomes the event.
  const event = toWebhookEvent(
    structuredClone(payload),
    cdnUrl,
    (found) => issues.push(...found),
  );
  return { event, issues };
}

const envelope = { version: 1, application_id: "1234560123453231555" };
const timestamp = "2024-10-18T14:42:53.064834";
const occurred_at = Date.UTC(2024, 9, 18, 14, 42, 53, 64);

/** An event as the platform sends it. */
function sent(type: string, data?: unknown): object {
  return {
    ...envelope,
    type: 1,
    event: { type, timestamp, ...(data === undefined ? {} : { data }) },
  };
}

const time = "2025-08-05T20:39:19.557970+00:00";
const entitlement = {
  application_id: "1234560123453231555",
  consumed: false,
  deleted: false,
  gift_code_flags: 0,
  id: "1234505980407808808",
  promotion_id: null,
  sku_id: "123489045643835123",
  type: 4,
  user_id: "111178765189277770",
};
const lobbyMessage = {
  id: "1397729799727878254",
  type: 0,
  content: "welcome to the party!",
  lobby_id: "1397729744753266719",
  channel_id: "1397729744753266720",
};
const directMessage = {
  id: "1405591838810706081",
  content: "almost ready to queue?",
  channel_id: "1404960877324533784",
};

describe("a documented event", () => {
  const user = exampleUser;
  const userRead = { ...exampleUser, avatar_url };
  test.each<[string, string, unknown, unknown]>([
    [
      "a user has authorized the application for an account",
      "APPLICATION_AUTHORIZED",
      { integration_type: 1, scopes: ["applications.commands"], user },
      {
        integration_type: 1,
        scopes: ["applications.commands"],
        user: userRead,
        guild: null,
      },
    ],
    [
      "a user has authorized the application for a guild",
      "APPLICATION_AUTHORIZED",
      { integration_type: 0, scopes: ["bot"], user, guild: exampleGuild },
      {
        integration_type: 0,
        user: userRead,
        guild: {
          ...exampleGuild,
          icon_url: `${cdnUrl}/icons/${exampleGuild.id}/${exampleGuild.icon}.png`,
        },
      },
    ],
    ["access was taken away", "APPLICATION_DEAUTHORIZED", { user }, { user: userRead }],
    ...["CREATE", "UPDATE", "DELETE"].map((change): [string, string, unknown, unknown] => [
      "an entitlement",
      `ENTITLEMENT_${change}`,
      entitlement,
      { ...entitlement, guild_id: null, starts_at: null, ends_at: null },
    ]),
    [
      "a message in a lobby was sent",
      "LOBBY_MESSAGE_CREATE",
      { ...lobbyMessage, author: user, flags: 65536, application_id: envelope.application_id },
      { ...lobbyMessage, author: userRead, flags: 65536, edited_timestamp: null, metadata: null },
    ],
    [
      "a message in a lobby was changed",
      "LOBBY_MESSAGE_UPDATE",
      { ...lobbyMessage, author: user, edited_timestamp: time, metadata: { map: "loom" } },
      { ...lobbyMessage, author: userRead, edited_timestamp: time, metadata: { map: "loom" } },
    ],
    [
      "a message in a lobby was deleted",
      "LOBBY_MESSAGE_DELETE",
      { id: lobbyMessage.id, lobby_id: lobbyMessage.lobby_id },
      { id: lobbyMessage.id, lobby_id: lobbyMessage.lobby_id, content: null, author: null },
    ],
    [
      "a direct message was sent",
      "GAME_DIRECT_MESSAGE_CREATE",
      { ...directMessage, type: 0, author: user, timestamp: time, attachments: [] },
      { ...directMessage, type: 0, author: userRead, timestamp: time, attachments: [] },
    ],
    [
      "a direct message was changed",
      "GAME_DIRECT_MESSAGE_UPDATE",
      { ...directMessage, author: user, recipient_id: "1404960877324533784" },
      { ...directMessage, type: null, author: userRead, recipient_id: "1404960877324533784" },
    ],
    [
      "a direct message was deleted",
      "GAME_DIRECT_MESSAGE_DELETE",
      { ...directMessage, author: user, channel: { id: "1", type: 1 } },
      { ...directMessage, author: userRead, channel: { id: "1", type: 1 }, lobby_id: null },
    ],
    ["a person takes part in a Quest", "QUEST_USER_ENROLLMENT", { any: 1 }, { any: 1 }],
    ["a person takes part in a Quest", "QUEST_USER_ENROLLMENT", undefined, null],
  ])("is read without a report: %s", (_what, type, data, expected) => {
    const { event, issues } = read(sent(type, data));
    expect(issues).toEqual([]);
    expect(event).toMatchObject({ ...envelope, type, timestamp, occurred_at, data: expected });
    expect(unfrozenPartsOf(event)).toEqual([]);
  });

  test("has null for fields that the platform left out", () => {
    const { event, issues } = read({
      type: 1,
      event: { type: "APPLICATION_AUTHORIZED", data: { user: { id: "1", username: "ada" } } },
    });
    expect(issues).toEqual([]);
    expect(event).toEqual({
      version: null,
      application_id: null,
      timestamp: null,
      occurred_at: null,
      type: "APPLICATION_AUTHORIZED",
      data: {
        integration_type: null,
        user: expect.objectContaining({ id: "1", username: "ada", avatar: null }),
        scopes: null,
        guild: null,
      },
    });
  });

  test("keeps undocumented fields at any depth", () => {
    const { event } = read({
      ...envelope,
      type: 1,
      more: 1,
      event: {
        type: "APPLICATION_DEAUTHORIZED",
        timestamp,
        other: 2,
        data: { user: { id: "1", username: "ada", fourth: 4 }, third: 3 },
      },
    });
    expect(event).toMatchObject({ more: 1, other: 2, data: { third: 3, user: { fourth: 4 } } });
  });
});

describe("the time of an event", () => {
  const readTime = (timestamp: unknown) => {
    const { event, issues } = read({ ...envelope, type: 1, event: { type: "ANY", timestamp } });
    return { ...event, issues };
  };

  test.each<[string, number]>([
    ["2024-10-18T14:42:53.064834", occurred_at],
    ["2024-10-18T14:42:53.0649999", occurred_at],
    ["2024-10-18T14:42:53.1", occurred_at + 36],
    // Python prints no fraction if it is zero.
    ["2024-10-18T14:42:53", occurred_at - 64],
    ["2024-10-18T14:42:53Z", occurred_at - 64],
    ["2024-10-18T14:42:53.064834+00:00", occurred_at],
    ["2024-10-18T16:42:53.064-01:30", occurred_at + 3.5 * 3_600_000],
  ])("is parsed as UTC unless it has a zone: %s", (timestamp, expected) => {
    expect(readTime(timestamp)).toMatchObject({ timestamp, occurred_at: expected, issues: [] });
  });

  test.each(["", "5", "yesterday", "2024-10-18", "2024-13-40T14:42:53", "1729262573064"])(
    "is null and reported if it is not a time, and its text stays: %j",
    (timestamp) => {
      expect(readTime(timestamp)).toMatchObject({
        timestamp,
        occurred_at: null,
        issues: [{ path: "event.timestamp", message: "expected an ISO 8601 time" }],
      });
    },
  );

  test.each([undefined, null])("is null without a report if there is none: %j", (timestamp) => {
    expect(readTime(timestamp)).toMatchObject({ timestamp: null, occurred_at: null, issues: [] });
  });
});

describe("another event", () => {
  test("is a PING, even with an event in it", () => {
    const ping = { ...envelope, type: "PING", timestamp: null, occurred_at: null };
    expect(read({ ...envelope, type: 0 }).event).toEqual(ping);
    expect(read({ ...envelope, type: 0, event: { type: "APPLICATION_DEAUTHORIZED" } }).event)
      .toEqual(ping);
  });

  test.each([
    "LOBBY_CREATE",
    "NEW_EVENT",
    "UNKNOWN",
    "PING",
    "constructor",
    "",
  ])("passes through unread: %j", (type) => {
    const data = { any: { thing: [null, 1] } };
    const { event, issues } = read(sent(type, data));
    const expected = {
      ...envelope,
      type: "UNKNOWN",
      event_type: type,
      timestamp,
      occurred_at,
      data,
    };
    expect(event).toEqual(expected);
    expect(issues).toEqual([]);
    expect(unfrozenPartsOf(event)).toEqual([]);
    expect(read({ ...sent(type), type: 2 }).event).toEqual({ ...expected, data: null });
  });

  test("is repaired in fields that only describe, and reported with whole paths", () => {
    const { event, issues } = read({
      ...envelope,
      version: "1",
      type: 1,
      event: {
        type: "APPLICATION_AUTHORIZED",
        timestamp: 5,
        data: { user: exampleUser, scopes: ["bot", 5], integration_type: "0", guild: { id: "1" } },
      },
    });
    expect(event).toMatchObject({
      version: null,
      timestamp: null,
      occurred_at: null,
      data: { user: { avatar_url }, scopes: ["bot"], integration_type: null, guild: null },
    });
    expect(issues.map(({ path }) => path)).toEqual([
      "version",
      "event.timestamp",
      "event.data.integration_type",
      "event.data.scopes.1",
      "event.data.guild.name",
    ]);
  });

  test.each<[unknown, string]>([
    [
      null,
      "The webhook event is not as documented: expected an object, received null",
    ],
    [
      {},
      "The webhook event is not as documented: type: expected a finite number, received undefined",
    ],
    [
      { type: "1" },
      "The webhook event is not as documented: type: expected a finite number, received string",
    ],
    [
      { type: 1 },
      "The event in the webhook event is not as documented: expected an object, received undefined",
    ],
    [
      { type: 1, event: { type: 5 } },
      "The event in the webhook event is not as documented: type: expected a string, received number",
    ],
    [
      sent("APPLICATION_DEAUTHORIZED"),
      "The data of APPLICATION_DEAUTHORIZED is not as documented: expected an object, received null",
    ],
    [
      sent("APPLICATION_DEAUTHORIZED", { user: null }),
      "The data of APPLICATION_DEAUTHORIZED is not as documented: user: expected an object, received null",
    ],
  ])("is refused without a required field: %j", async (payload, message) => {
    expect(await thrownBy(() => read(payload))).toMatchObject({ name: "PayloadError", message });
  });
});
