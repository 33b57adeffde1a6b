/**
 * The settings of the extension. None of them is secret, since its users can read them.
 *
 * @module
 */

import type { TextPlatform } from "@guildpass/sdk";

/** The application's client id. The application must be a public client. */
export const clientId = "1024000000000000000";

/** Another server with the platform's API, such as the fake platform. `null` is Discord. */
export const platform: TextPlatform | null = null;
