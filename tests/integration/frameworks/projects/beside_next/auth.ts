/**
 * NextAuth.js with a provider that believes every name.
 *
 * @module
 */

import type { NextAuthOptions } from "next-auth";
import Credentials from "next-auth/providers/credentials";

export const authOptions: NextAuthOptions = {
  session: { strategy: "jwt" },
  providers: [
    Credentials({
      credentials: { name: {} },
      authorize: (credentials) => ({ id: "1", name: credentials?.name ?? "" }),
    }),
  ],
};
