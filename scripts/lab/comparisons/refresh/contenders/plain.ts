import { createClient } from "redis";
import { appOrigin, type Contender } from "../contender.ts";
import { credentials } from "../platform.ts";

const redirectUri = `${appOrigin}/callback`;
const key = "plain:ada";

interface Token {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly expires_at: number;
}

async function requestToken(form: Readonly<Record<string, string>>): Promise<Token> {
  const response = await fetch("https://discord.com/api/v10/oauth2/token", {
    method: "POST",
    headers: { "user-agent": "DiscordBot (https://app.example, 1.0)" },
    body: new URLSearchParams({
      client_id: credentials.id,
      client_secret: credentials.secret,
      ...form,
    }),
  });
  if (!response.ok) throw new Error(`The platform returned ${response.status}`);
  const token = await response.json();
  return { ...token, expires_at: Date.now() + token.expires_in * 1000 };
}

/** `if (expired) refresh()`, with the token in Redis. */
export const contender: Contender = {
  async logIn({ redisUrl }, consent) {
    const callback = await consent(
      `https://discord.com/oauth2/authorize?${new URLSearchParams({
        response_type: "code",
        client_id: credentials.id,
        scope: "identify",
        redirect_uri: redirectUri,
      })}`,
    );
    const code = new URL(callback).searchParams.get("code") ?? "";
    const form = { grant_type: "authorization_code", code, redirect_uri: redirectUri };
    const redis = await createClient({ url: redisUrl }).connect();
    await redis.set(key, JSON.stringify(await requestToken(form)));
    redis.destroy();
    return "";
  },
  async open({ redisUrl }) {
    const redis = await createClient({ url: redisUrl }).connect();
    async function accessToken(): Promise<string> {
      const saved: Token = JSON.parse(await redis.get(key) ?? "null");
      if (Date.now() < saved.expires_at) return saved.access_token;
      const { refresh_token } = saved;
      const token = await requestToken({ grant_type: "refresh_token", refresh_token });
      await redis.set(key, JSON.stringify(token));
      return token.access_token;
    }
    return {
      call: async (browser) => ({ accessToken: await accessToken().catch(() => null), browser }),
    };
  },
};
