// A page that lists guilds, in a Cloudflare Worker. Each view has a User of its own.
import { type Platform, User } from "@guildpass/sdk";

interface Bindings {
  readonly platform: Platform;
  readonly token: string;
}

export default {
  async fetch({ url }: Request, { platform, token }: Bindings): Promise<Response> {
    const user = new User(token, { platform, freshFor: 3600 });
    const reading = Promise.all([user.getUserGuilds(), user.getCurrentUser()]);
    if (new URL(url).pathname === "/left") {
      // workerd stops the work of a request after its response.
      await new Promise((resolve) => setTimeout(resolve, 100));
      return new Response("left");
    }
    const [guilds, { username }] = await reading;
    return new Response(`${username} ${guilds.length}`);
  },
};
