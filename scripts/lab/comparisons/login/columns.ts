/**
 * The columns of the comparison: applications that log people in, each with one library.
 *
 * @module
 */

import {
  arctic,
  authCore,
  betterAuth,
  discordStrategy,
  guildpass,
  honoOauthProviders,
  type Library,
  nextAuth,
  nuxtAuthUtils,
  passportDiscordAuth,
} from "./libraries.ts";
import { nextAuth4, nextAuth5, nuxt } from "./projects.ts";

/** A column of the table. */
export interface Column {
  readonly library: Library;
  /** The major version, where there are columns for several. */
  readonly major?: number;
  /** The addition to the example in the library's own documentation. */
  readonly addition?: string;
  /** The module in `contenders/`. */
  readonly module: string;
  /** The folder in which the package is installed. */
  readonly folder: URL;
  /** The imports of the application, which are bundled to count their bytes. Empty if a framework bundles them. */
  readonly imports: string;
}

/** The folder with the packages of all comparisons. */
const lab = new URL("../../", import.meta.url);

const guildpassImports = `export { Login } from "../../src/login/mod.ts";`;

const nextAuthImports = `export { default as NextAuth } from "next-auth";
  export { default } from "next-auth/providers/discord";`;

function passportImports(strategy: string): string {
  return `export { default } from "passport";
    export { default as session } from "express-session";
    export { Strategy } from "${strategy}";`;
}

export const columns: readonly Column[] = [
  {
    library: guildpass,
    module: "guildpass",
    folder: lab,
    imports: guildpassImports,
  },
  {
    library: guildpass,
    addition: "+ `store`",
    module: "guildpass_with_store",
    folder: lab,
    imports: guildpassImports,
  },
  {
    library: betterAuth,
    module: "better_auth",
    folder: lab,
    imports: `export { betterAuth } from "better-auth";`,
  },
  {
    library: authCore,
    module: "auth_core",
    folder: lab,
    imports: `export { Auth } from "@auth/core";
      export { default } from "@auth/core/providers/discord";`,
  },
  {
    library: nextAuth,
    major: 4,
    module: "next_auth_4",
    folder: nextAuth4.folder,
    imports: nextAuthImports,
  },
  {
    library: nextAuth,
    major: 5,
    module: "next_auth_5",
    folder: nextAuth5.folder,
    imports: nextAuthImports,
  },
  {
    library: nuxtAuthUtils,
    module: "nuxt_auth_utils",
    folder: nuxt.folder,
    imports: "",
  },
  {
    library: honoOauthProviders,
    module: "hono_oauth_providers",
    folder: lab,
    imports: `export { discordAuth } from "@hono/oauth-providers/discord";`,
  },
  {
    library: discordStrategy,
    module: "discord_strategy",
    folder: lab,
    imports: passportImports("discord-strategy"),
  },
  {
    library: discordStrategy,
    addition: "+ `state: true`",
    module: "discord_strategy_safer",
    folder: lab,
    imports: passportImports("discord-strategy"),
  },
  {
    library: passportDiscordAuth,
    module: "passport_discord_auth",
    folder: lab,
    imports: passportImports("passport-discord-auth"),
  },
  {
    library: passportDiscordAuth,
    addition: "+ `state: true, pkce: true`",
    module: "passport_discord_auth_safer",
    folder: lab,
    imports: passportImports("passport-discord-auth"),
  },
  {
    library: arctic,
    module: "arctic",
    folder: lab,
    imports:
      `export { ArcticFetchError, Discord, generateState, OAuth2RequestError } from "arctic";`,
  },
];

/** The compared libraries, in the order of their columns. */
export const libraries: readonly Library[] = [...new Set(columns.map(({ library }) => library))];

/** Returns the heading of a column. */
export function headingOf({ library, major, addition }: Column): string {
  return [`\`${library.package}\``, major, addition].filter((word) => word !== undefined).join(" ");
}
