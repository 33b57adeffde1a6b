/**
 * NextAuth.js 5 with a provider that believes every name. Its sessions are too long for one cookie.
 *
 * @module
 */

import NextAuth from "next-auth";
import Credentials from "next-auth/providers/credentials";

export const { auth, handlers } = NextAuth({
  trustHost: true,
  providers: [
    Credentials({
      credentials: { name: {} },
      authorize: ({ name }) => ({ id: "1", name: String(name) }),
    }),
  ],
  callbacks: {
    jwt: ({ token, user }) =>
      user ? { ...token, discordId: `the id of ${user.name}`, roles: "staff ".repeat(800) } : token,
  },
});
