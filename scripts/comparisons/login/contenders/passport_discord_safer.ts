import type { Contender } from "../contender.ts";
import { createContender } from "./passport_discord.ts";

/** With what passport-oauth2, which is below it, has against login CSRF and against stolen codes. */
export const contender: Contender = createContender({ state: true, pkce: true });
