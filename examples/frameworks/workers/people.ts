/**
 * The people whose tokens the nightly job refreshes.
 *
 * @module
 */

import { env } from "cloudflare:workers";

export async function addPerson(id: string): Promise<void> {
  await env.DB.prepare("insert or ignore into people (id) values (?)")
    .bind(id).run();
}

/** Returns the ids of the ten people whose turn it is. */
export async function nextPeople(): Promise<string[]> {
  const { results } = await env.DB.prepare(
    `update people set checked_at = ? where id in (
       select id from people order by checked_at limit 10
     ) returning id`,
  ).bind(Date.now()).run<{ id: string }>();
  return results.map(({ id }) => id);
}
