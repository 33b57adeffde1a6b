import type { Contender } from "../contender.ts";
import { createContender } from "./passport_discord.ts";

/** With the option that passport-oauth2, which is below it, has against login CSRF. */
export const contender: Contender = createContender({ state: true });
