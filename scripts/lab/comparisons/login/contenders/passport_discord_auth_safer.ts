import type { Contender } from "../contender.ts";
import { createContender } from "./passport_discord_auth.ts";

export const contender: Contender = createContender({ state: true, pkce: true });
