/**
 * The route handlers of NextAuth.js, on all paths below `/api/auth`.
 *
 * @module
 */

import NextAuth from "next-auth";
import { authOptions } from "@/auth";

const handler = NextAuth(authOptions);

export { handler as GET, handler as POST };
