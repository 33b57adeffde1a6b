/**
 * Measures the operations that read large answers, through the entry points of the package, so that the built package can run it.
 *
 * @module
 */

import { User } from "../../../../mod.ts";
import type { Run } from "./compare.ts";
import { guild, guildList, token } from "./payloads.ts";

/** The contenders for each answer. Ratios are relative to the first one. */
export function reads(): Record<string, Record<string, Run>> {
  const readGuild = (client: User) => client.getGuild("1024000000000000000");
  return {
    "200 guilds": contest(guildList(200), (client) => client.getUserGuilds()),
    "a guild with 250 roles, 500 emojis and 60 stickers": contest(guild(1), readGuild),
    "a guild eight times as large": contest(guild(8), readGuild),
  };
}

/** Returns the contenders for an answer. */
export function contest(
  payload: unknown,
  operation: (client: User) => unknown,
): Record<string, Run> {
  const text = JSON.stringify(payload);
  const client = new User(token.access_token, {
    fetch: () => Promise.resolve(new Response(text)),
  });
  return {
    "Response.json()": () => new Response(text).json(),
    "JSON.parse": () => JSON.parse(text),
    "the operation": () => operation(client),
  };
}
