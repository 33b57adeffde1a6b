/**
 * The server route of a login in TanStack Start: `src/routes/api/auth/$.ts`.
 *
 * @module
 */

import { createFileRoute } from "@tanstack/react-router";
import { getLogin } from "../../../login.server";

export const Route = createFileRoute("/api/auth/$")({
  server: {
    handlers: {
      ANY: async ({ request }) =>
        await getLogin().handle(request) ??
          new Response("Not found", { status: 404 }),
    },
  },
});
