import type { Contender } from "../contender.ts";
import { createContender } from "./passport_discord.ts";

/** Uses the options of passport-oauth2, its base, against login CSRF and stolen codes. */
export const contender: Contender = createContender({ state: true, pkce: true });
