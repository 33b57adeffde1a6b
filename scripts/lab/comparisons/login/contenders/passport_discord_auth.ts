import { Scope, Strategy } from "passport-discord-auth";
import type { Contender } from "../contender.ts";
import { clientId, clientSecret } from "../platform.ts";
import { passportContender, type SaferOptions } from "./passport.ts";

/** Creates the application with options that the README does not mention. */
export function createContender(more: SaferOptions): Contender {
  return passportContender(({ callbackURL: callbackUrl, verify }) => {
    const scope = [Scope.Identify];
    return new Strategy({ clientId, clientSecret, callbackUrl, scope, ...more }, verify);
  });
}

export const contender: Contender = createContender({});
