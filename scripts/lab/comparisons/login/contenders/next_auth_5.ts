import type { Contender } from "../contender.ts";
import { nextAuth5 } from "../projects.ts";
import { nextContender } from "./next_auth.ts";

export const contender: Contender = nextContender(nextAuth5);
