/**
 * The TanStack Start page to which a logout leads. It begins no login.
 *
 * @module
 */

import { createFileRoute } from "@tanstack/react-router";

export const Route = createFileRoute("/bye")({ component: () => <p>You are logged out</p> });
