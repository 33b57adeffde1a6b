/**
 * The budgets of `deno task size`: the most bytes of a bundle, minified and gzipped.
 *
 * @module
 */

import configuration from "../deno.json" with { type: "json" };

/** The folder with the imports of each row of a comparison. */
export const entries = "./scripts/lab/comparisons/speed/entries/";

/** Code of a page, and the most bytes that its bundle may have. Pages have less room than servers, since people download them. */
export const pages = [
  { imports: "Bot, Permissions", path: `${entries}link/guildpass_invite.ts`, budget: 3025 },
  { imports: "AuthUrl", path: `${entries}link/guildpass_authorize.ts`, budget: 3530 },
] as const;

/** Imports of a server, and the most bytes of their bundle. */
interface Server {
  readonly imports: string;
  readonly from: keyof typeof configuration.exports;
  /** The most bytes of the library's own code. */
  readonly budget: number;
  /** The most bytes of one file with the packages, as a Worker has it. */
  readonly fileBudget?: number;
  /** The most modules that Node loads without a bundler, with those of the packages. */
  readonly moduleBudget?: number;
}

/** A budget leaves about 3 % for fixes, which is too little for a package or server code that is imported by accident. */
export const servers: readonly Server[] = [
  { imports: "Login", from: "./login", budget: 67_600, fileBudget: 82_260, moduleBudget: 170 },
  { imports: "TokenSource, sealed", from: ".", budget: 9_000 },
  { imports: "PlatformApi, User", from: ".", budget: 27_880 },
  { imports: "verifyIdToken", from: "./openid", budget: 13_095 },
  { imports: "parseWebhookEvent", from: "./webhook-events", budget: 6_790 },
  { imports: "toRequest, sendResponse", from: "./node", budget: 1_450 },
];

/** The most bytes of one function of `./images`, with what it imports. */
export const imageFunctionBudget = 1_395;

/** The most bytes of the client of a session, which is for pages too, but has network code. */
export const sessionClientBudget = 2_170;
