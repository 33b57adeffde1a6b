// token and user, unchecked; for apps built on Hono
export { discordAuth } from "@hono/oauth-providers/discord";
