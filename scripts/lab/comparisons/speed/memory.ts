/**
 * Measures the memory that logins leave behind: in a process with `Login` and no store, and in the fake platform. It runs in Node with
 * the flag `--expose-gc`.
 *
 * @module
 */

import process from "node:process";
import { AuthUrl, PlatformApi, User } from "../../../../mod.ts";
import { Login } from "../../../../src/login/mod.ts";
import { createFakePlatform, sampleApplication } from "../../../../src/testing/mod.ts";
import { application, cookieSecret } from "./workers/platform.ts";

/** The memory that logins leave behind. */
export interface LoginMemory {
  readonly logins: number;
  /** The bytes that are still in use after a garbage collection, beyond those of a process that is warm. */
  readonly bytes: number;
}

/** The first logins compile code and fill caches, and do not count. */
const warmUps = 500;

/**
 * Logs people in with `Login` and no store. Nobody leaves, and no attempt ends meanwhile.
 *
 * @param platformUrl The address of the platform, which runs in another process.
 */
export async function memoryOfLogin(platformUrl: string): Promise<LoginMemory> {
  const login = new Login({
    ...application,
    secret: cookieSecret,
    platform: {
      authorizeUrl: "https://discord.com/oauth2/authorize",
      apiUrl: `${platformUrl}/api/v10`,
      cdnUrl: "https://cdn.discordapp.com",
    },
  });
  const open = async (url: string, cookie = "") => {
    const response = await login.handle(new Request(url, { headers: { cookie } }));
    if (response?.status !== 302) throw new Error(`${url} was answered with ${response?.status}`);
    return response.headers;
  };
  return await measure(20_000, async (number) => {
    const headers = await open("https://app.example/login");
    const [cookie = ""] = headers.getSetCookie().at(-1)?.split(";") ?? [];
    const state = new URL(headers.get("location") ?? "").searchParams.get("state");
    await open(`https://app.example/callback?code=code-${number}&state=${state}`, cookie);
  });
}

/** Logs people in at the fake platform: the consent, the exchange of the code, and the read of the user. */
export async function memoryOfFakePlatform(): Promise<LoginMemory> {
  const { id, secret } = sampleApplication;
  const redirectUri = "https://app.example/callback";
  const fake = createFakePlatform({ rateLimits: { limit: 1_000_000 } });
  const authUrl = new AuthUrl(id, ["identify"], redirectUri, null, fake);
  const api = new PlatformApi(id, secret, ["identify"], redirectUri, fake);
  return await measure(20_000, async (number) => {
    const link = await authUrl.makeUrl({ state: `state-${number}` });
    const { searchParams } = new URL(await fake.authorize(link));
    const token = await api.accessToken(searchParams.get("code") ?? "");
    await new User(token, fake).getCurrentUser();
  });
}

async function measure(
  logins: number,
  logIn: (number: number) => Promise<void>,
): Promise<LoginMemory> {
  for (let number = 0; number < warmUps; number++) await logIn(number);
  const before = await usedBytes();
  for (let number = 0; number < logins; number++) await logIn(warmUps + number);
  return { logins, bytes: await usedBytes() - before };
}

async function usedBytes(): Promise<number> {
  const { gc } = globalThis as { readonly gc?: () => void };
  if (!gc) throw new Error("Start Node with --expose-gc");
  for (let times = 0; times < 3; times++) {
    // Timers and finalizers run in between.
    await new Promise((resolve) => setTimeout(resolve, 50));
    gc();
  }
  return process.memoryUsage().heapUsed;
}
