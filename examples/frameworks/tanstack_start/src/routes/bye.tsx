/**
 * The TanStack Start page after a logout. It does not begin a login.
 *
 * @module
 */

import { createFileRoute } from "@tanstack/react-router";

export const Route = createFileRoute("/bye")({
  component: () => <p>You are logged out</p>,
});
