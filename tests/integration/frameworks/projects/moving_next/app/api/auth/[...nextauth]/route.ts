/**
 * The route handlers of NextAuth.js, on all paths below `/api/auth`.
 *
 * @module
 */

import { handlers } from "@/auth";

export const { GET, POST } = handlers;
