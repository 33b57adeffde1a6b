/**
 * The budgets of `deno task size`: the most bytes of a bundle, minified and gzipped.
 *
 * @module
 */

/** The folder with the imports of each row of a comparison. */
export const entries = "./scripts/lab/comparisons/speed/entries/";

/** Code of a page, and the most bytes that its bundle may have. Pages have less room than servers, since people download them. */
export const pages = [
  { imports: "Bot, Permissions", path: `${entries}link/guildpass_invite.ts`, budget: 2300 },
  { imports: "AuthUrl", path: `${entries}link/guildpass_authorize.ts`, budget: 2900 },
] as const;

/**
 * Imports of a server, and the most bytes of the library's own code, and of what is loaded at the start. A budget leaves about 3 %
 * for fixes, which is too little for a package or server code that is imported by accident.
 */
export const servers = [
  {
    imports: "Login",
    from: "./login",
    budget: 61_600,
    startBudget: 23_300,
    // A Worker is one file, whose packages count too.
    fileBudget: 74_900,
    goals: { file: 55_000, start: 36_000 },
  },
  { imports: "TokenSource, sealed", from: ".", budget: 8_980, startBudget: 3_050 },
  { imports: "PlatformApi, User", from: ".", budget: 27_900, startBudget: 25_800 },
  { imports: "verifyIdToken", from: "./openid", budget: 11_900, startBudget: 12_350 },
  { imports: "parseWebhookEvent", from: "./webhook-events", budget: 6_370, startBudget: 6_980 },
  { imports: "toRequest, sendResponse", from: "./node", budget: 1_140, startBudget: 1_140 },
] as const;

/** The most bytes of one function of `./images`, with what it imports. */
export const imageFunctionBudget = 1_170;

/** The most bytes of the client of a session, which is for pages too, but has network code. */
export const sessionClientBudget = 1_500;

/** The fields of some rows of the servers. */
export interface ServerGoals {
  /** The most bytes of everything in one file, with the packages. */
  readonly fileBudget?: number;
  /** The bytes to which the bundle is to shrink. */
  readonly goals?: { readonly file: number; readonly start: number };
}
