/**
 * Serves the Hono application of `hono.ts` on Node.
 *
 * @module
 */

import { env } from "node:process";
import { serve } from "@hono/node-server";
import app from "./hono.ts";

const port = Number(env.PORT ?? 3000);
serve(
  { fetch: app.fetch, port },
  () => console.log(`http://localhost:${port}`),
);
