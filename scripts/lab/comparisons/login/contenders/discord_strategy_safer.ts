import type { Contender } from "../contender.ts";
import { createContender } from "./discord_strategy.ts";

// With pkce, version 2.5.0 of the strategy begins no login: it passes too few arguments to the store of passport-oauth2.
export const contender: Contender = createContender({ state: true });
