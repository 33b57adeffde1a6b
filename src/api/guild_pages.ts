/**
 * Reads all guilds of a user or a bot, page by page.
 *
 * @module
 */

import { PayloadError } from "../core/response_errors.ts";
import type { GuildPage, PartialGuildObj } from "../resources/guild.ts";

/** The number of guilds in a full page. */
export const guildsPerPage = 200;

/**
 * Yields all guilds in the order of their ids, each once.
 *
 * Each page begins after the highest id of the previous page, so that guilds are not repeated or left out when the list changes
 * meanwhile. The order and the beginning of a page may differ from Discord's documentation.
 *
 * @param readPage Reads the guilds after an id, or from the beginning when the id is `null`.
 * @throws {PayloadError} If Discord sends the same page again.
 */
export async function* eachGuild(
  readPage: (after: string | null) => Promise<GuildPage>,
  signal: AbortSignal | null | undefined,
): AsyncGenerator<PartialGuildObj, void, undefined> {
  let last = -1n;
  for (;;) {
    const { guilds, ids } = await readPage(last < 0n ? null : String(last));
    let previous = last;
    for (const guild of [...guilds].sort((a, b) => Number(BigInt(a.id) - BigInt(b.id)))) {
      const id = BigInt(guild.id);
      if (id <= previous) continue;
      signal?.throwIfAborted();
      previous = id;
      yield guild;
    }
    // A list that is longer than a page has all guilds.
    if (ids.length !== guildsPerPage) return;
    let highest = last;
    for (const id of ids) if (id !== null && BigInt(id) > highest) highest = BigInt(id);
    if (highest === last) {
      const message = "expected guilds after those of the previous page, received none";
      const issues = [{ path: "", message }];
      throw new PayloadError("The list of guilds can't be read completely", { issues });
    }
    last = highest;
  }
}
