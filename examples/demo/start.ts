/**
 * Creates the demo for the address at which `guildpass demo` serves it: a whole login, without an account.
 *
 * It runs on the fake platform of this library, which has a consent page of its own. With `DISCORD_CLIENT_ID` and
 * `DISCORD_CLIENT_SECRET` in the environment it runs on the real platform, and with `DISCORD_BOT_TOKEN` it shows the
 * details of guilds there.
 *
 * @module
 */

import { discord } from "../../mod.ts";
import { createFakePlatform, sampleApplication } from "../../src/testing/mod.ts";
import { createDemo, type DemoSettings } from "./app.ts";
import { wrongAddressPage } from "./pages.ts";

/** The environment variables of a process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A demo, ready to be served. */
export interface StartedDemo {
  readonly handler: (request: Request) => Promise<Response>;
  /** Returns the page for a request for another host. */
  readonly wrongAddress: () => Response;
  /** Says what to open, and what the demo runs on. */
  readonly instructions: string;
}

/**
 * Creates the demo for an origin.
 *
 * @param log Receives the errors that no visitor has caused.
 * @throws {TypeError} If the environment has a client id without a client secret, or the reverse.
 */
export function startDemo(
  origin: string,
  environment: Environment,
  log: (error: unknown) => void,
): StartedDemo {
  const redirectUri = `${origin}/callback`;
  const real = realSettings(redirectUri, environment);
  return {
    handler: createDemo({ ...real ?? fakeSettings(origin, redirectUri), log }),
    wrongAddress: () => wrongAddressPage(origin),
    instructions: real === null
      ? `Open ${origin} and log in (on a fake platform, so you don't need an account)`
      : `Open ${origin} and log in (on the real platform)\n` +
        `The application must have the redirect URI ${redirectUri}`,
  };
}

/** Returns `null` if the environment names no application. */
function realSettings(redirectUri: string, environment: Environment): DemoSettings | null {
  const { DISCORD_CLIENT_ID: clientId, DISCORD_CLIENT_SECRET: clientSecret } = environment;
  if (!clientId && !clientSecret) return null;
  if (!clientId || !clientSecret) {
    throw new TypeError(
      "Set both DISCORD_CLIENT_ID and DISCORD_CLIENT_SECRET, or neither for the fake platform",
    );
  }
  const botToken = environment["DISCORD_BOT_TOKEN"] ?? null;
  return { clientId, clientSecret, botToken, redirectUri, platform: discord };
}

function fakeSettings(origin: string, redirectUri: string): DemoSettings {
  const fake = createFakePlatform({
    origin,
    applications: [{ ...sampleApplication, redirectUris: [redirectUri] }],
  });
  return {
    clientId: sampleApplication.id,
    clientSecret: sampleApplication.secret,
    botToken: sampleApplication.botToken,
    redirectUri,
    platform: fake.platform,
    fake,
  };
}
