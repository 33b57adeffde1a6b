import NextAuth from "next-auth";
import DiscordProvider from "next-auth/providers/discord";

export const authOptions = {
  providers: [
    DiscordProvider({
      clientId: process.env.DISCORD_CLIENT_ID,
      clientSecret: process.env.DISCORD_CLIENT_SECRET,
      // Without it, every callback that names its issuer is refused.
      issuer: "https://discord.com",
    }),
  ],
};

export default NextAuth(authOptions);
