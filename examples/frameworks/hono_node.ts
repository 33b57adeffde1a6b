/**
 * Serves the Hono application of `hono.ts` on Node.
 *
 * @module
 */

import { env } from "node:process";
import { serve } from "@hono/node-server";
import app from "./hono.ts";

serve({ fetch: app.fetch, port: Number(env.PORT ?? 3000) });
