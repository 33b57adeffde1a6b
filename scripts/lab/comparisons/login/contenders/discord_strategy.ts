import { DiscordScope, Strategy } from "discord-strategy";
import type { Contender } from "../contender.ts";
import { clientId, clientSecret } from "../platform.ts";
import { passportContender, type SaferOptions } from "./passport.ts";

/** The options of the strategy. Its types also require two addresses, which it knows itself. */
type Options = ConstructorParameters<typeof Strategy>[0];

/** Creates the application with options that the README does not mention. */
export function createContender(more: SaferOptions): Contender {
  return passportContender(({ callbackURL, verify }) => {
    const scope = [DiscordScope.Identify];
    const options = { clientID: clientId, clientSecret, callbackURL, scope, ...more };
    return new Strategy(options as Options, verify);
  });
}

export const contender: Contender = createContender({});
