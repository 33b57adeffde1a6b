import { createClient } from "redis";
import { redisStore } from "../../../../../src/stores/redis.ts";
import { AuthUrl, parseCallback, PlatformApi, TokenSource } from "../../../../../mod.ts";
import { appOrigin, type Contender } from "../contender.ts";
import { credentials } from "../platform.ts";

const redirectUri = `${appOrigin}/callback`;
const key = "discord:ada";

function api(): PlatformApi<"identify"> {
  return new PlatformApi(credentials.id, credentials.secret, ["identify"], redirectUri);
}

/** `TokenSource` of this library, over Redis. */
export const contender: Contender = {
  async logIn({ redisUrl }, consent) {
    const link = await new AuthUrl(credentials.id, ["identify"], redirectUri).makeUrl({
      state: "s7ate",
    });
    const { code } = parseCallback(await consent(link), { state: "s7ate" });
    const redis = await createClient({ url: redisUrl }).connect();
    await new TokenSource(api(), redisStore(redis), key).save(await api().accessToken(code));
    redis.destroy();
    return "";
  },
  async open({ redisUrl }) {
    const redis = await createClient({ url: redisUrl }).connect();
    const source = new TokenSource(api(), redisStore(redis), key);
    return {
      async call(browser) {
        const token = await source.token().catch(() => null);
        return { accessToken: token?.access_token ?? null, browser };
      },
    };
  },
};
