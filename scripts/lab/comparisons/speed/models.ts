/**
 * Measures an answer from its text to its frozen model, against `new Response(text).json()`: the functions that read it, and the whole
 * operation with a `fetch` that answers at once.
 *
 * @module
 */

import type { User } from "../../../../mod.ts";
import { parseJson } from "../../../../src/http/body_limit.ts";
import { guildSchema, partialGuildsSchema } from "../../../../src/resources/guild.ts";
import { readPayload } from "../../../../src/resources/reading.ts";
import { userSchema } from "../../../../src/resources/user.ts";
import type { Run } from "./compare.ts";
import { guild, guildList, user } from "./payloads.ts";
import { contest } from "./reads.ts";

const cdnUrl = "https://cdn.discordapp.com";
const ignore = () => {};

/** The contenders for each kind of answer. Ratios are relative to the first one. */
export const models: Record<string, Record<string, Run>> = {
  "one user": modelContest(
    user,
    (payload) => readPayload(userSchema, payload, ignore, cdnUrl),
    (client) => client.getCurrentUser(),
  ),
  "200 guilds": modelContest(
    guildList(200),
    (payload) => readPayload(partialGuildsSchema, payload, ignore, cdnUrl),
    (client) => client.getUserGuilds(),
  ),
  "a guild with 250 roles, 500 emojis and 60 stickers": wholeGuild(1),
  "a guild eight times as large": wholeGuild(8),
};

/** The sizes of the guild, to show how time grows with size. */
export const sizes = [1, 4, 16] as const;

/** The contenders for the guild at every size. */
export const growth: Record<string, Run> = Object.fromEntries(
  ["Response.json()", "parseJson and the model"].flatMap((name) =>
    sizes.map((size) => [`${name}, ${size}×`, wholeGuild(size)[name] as Run])
  ),
);

function wholeGuild(size: number): Record<string, Run> {
  return modelContest(
    guild(size),
    (payload) => readPayload(guildSchema, payload, ignore, cdnUrl),
    (client) => client.getGuild("1024000000000000000"),
  );
}

function modelContest(
  payload: unknown,
  toModel: (payload: unknown) => unknown,
  operation: (client: User) => unknown,
): Record<string, Run> {
  const text = JSON.stringify(payload);
  return {
    ...contest(payload, operation),
    "parseJson and the model": () => toModel(parseJson(text)),
  };
}
