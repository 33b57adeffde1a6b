/**
 * A Worker with the stores of Cloudflare. It calls the method that a request names.
 *
 * @module
 */

import { sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { d1Store } from "../../../../src/stores/d1.ts";
import { durableObjectStore, StoredEntry } from "../../../../src/stores/durable_object.ts";
import type { StoreCall } from "./worker_client.ts";

export { StoredEntry };

interface Env {
  readonly DB: D1Database;
  readonly ENTRIES: DurableObjectNamespace;
}

export default {
  async fetch(request, env) {
    const call = await request.json<StoreCall>();
    if (call.kind === "d1 with drizzle") await drizzle(env.DB).run(sql`select 1`);
    const store = call.kind === "durable object"
      ? durableObjectStore(env.ENTRIES)
      : d1Store(env.DB);
    if (call.method === "load") return Response.json(await store.load(...call.args));
    if (call.method === "save") return Response.json(await store.save(...call.args));
    return Response.json(await store.delete(...call.args) ?? null);
  },
} satisfies ExportedHandler<Env>;
