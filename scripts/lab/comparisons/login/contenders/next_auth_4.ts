import type { Contender } from "../contender.ts";
import { nextAuth4 } from "../projects.ts";
import { nextContender } from "./next_auth.ts";

export const contender: Contender = nextContender(nextAuth4);
