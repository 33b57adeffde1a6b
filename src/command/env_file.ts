/**
 * The env file of a new login.
 *
 * @module
 */

import { randomText } from "../core/base64url.ts";
import { createFakePlatform, sampleApplication } from "../testing/mod.ts";
import { defaultPort } from "./serve_fake.ts";

/**
 * Returns the text of an env file with a new secret.
 *
 * @param redirectUri The redirect URI to register.
 */
export function envFileText(redirectUri: string): string {
  const { platform } = createFakePlatform({ origin: `http://127.0.0.1:${defaultPort}` });
  const { id, secret } = sampleApplication;
  return `# Your application at https://discord.com/developers/applications
DISCORD_CLIENT_ID=
DISCORD_CLIENT_SECRET=
DISCORD_REDIRECT_URI=${redirectUri}

# Encrypts the cookies of your visitors. Use a different secret on each server.
LOGIN_SECRET=${randomText()}

# To use the fake platform, remove the # from these lines, and run:
# npx @guildpass/sdk fake
#DISCORD_CLIENT_ID=${id}
#DISCORD_CLIENT_SECRET=${secret}
#DISCORD_PLATFORM='${JSON.stringify(platform)}'
`;
}
