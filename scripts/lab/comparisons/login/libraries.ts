/**
 * The compared libraries, with facts about them that no program can measure.
 *
 * @module
 */

/** A library, and each fact as a cell of the table, with a link to its source where others than this project state it. */
export interface Library {
  /** The name on npm. */
  readonly package: string;
  readonly status: string;
  /** The newest release that is known, with its date where its source is certain. */
  readonly lastRelease: string;
  /** The year of the first release. */
  readonly since: number;
  readonly severalProviders: string;
  /** The cell that says if the library itself connects accounts of several providers to one user. */
  readonly accountLinking: string;
  /** The cell that says if the library itself limits how often a visitor can call its routes. */
  readonly rateLimiting: string;
}

const authJs = {
  status: "[security and urgent fixes only](https://better-auth.com/blog/authjs-joins-better-auth)",
  severalProviders: "✓ [guide](https://authjs.dev/getting-started/authentication/oauth)",
  accountLinking:
    "✓ [with a database](https://github.com/nextauthjs/next-auth/blob/main/packages/core/src/lib/actions/callback/handle-login.ts)",
  rateLimiting: "✗",
};

const passport = {
  severalProviders: "✓ [strategies](https://www.passportjs.org/packages/)",
  accountLinking:
    "[in your own code](https://www.passportjs.org/concepts/delegated-authorization/)",
  rateLimiting: "✗",
};

export const guildpass: Library = {
  package: "@guildpass/sdk",
  status: "new",
  lastRelease: "0.1.0 (not released yet)",
  since: 2026,
  severalProviders: "✗",
  accountLinking: "✗",
  rateLimiting: "✗",
};

export const betterAuth: Library = {
  package: "better-auth",
  status: "[maintained](https://github.com/better-auth/better-auth)",
  lastRelease: "1.7.25",
  since: 2024,
  severalProviders: "✓ [guide](https://www.better-auth.com/docs/concepts/oauth)",
  accountLinking:
    "✓ [guide](https://www.better-auth.com/docs/concepts/users-accounts#account-linking)",
  rateLimiting: "✓ [guide](https://www.better-auth.com/docs/concepts/rate-limit)",
};

export const authCore: Library = {
  ...authJs,
  package: "@auth/core",
  lastRelease:
    "[0.41.3 (2026-07-20)](https://github.com/nextauthjs/next-auth/releases/tag/%40auth%2Fcore%400.41.3)",
  since: 2022,
};

export const nextAuth: Library = {
  ...authJs,
  package: "next-auth",
  lastRelease:
    "[4.24.15](https://github.com/nextauthjs/next-auth/releases/tag/next-auth%404.24.15) and [5.0.0-beta.32](https://github.com/nextauthjs/next-auth/releases/tag/next-auth%405.0.0-beta.32) (2026-07-20)",
  since: 2018,
};

export const nuxtAuthUtils: Library = {
  package: "nuxt-auth-utils",
  status: "[maintained](https://github.com/atinux/nuxt-auth-utils)",
  lastRelease:
    "[0.5.30 (2026-08-04)](https://github.com/atinux/nuxt-auth-utils/releases/tag/v0.5.30)",
  since: 2023,
  severalProviders:
    "✓ [guide](https://github.com/atinux/nuxt-auth-utils#supported-oauth-providers)",
  accountLinking: "✗",
  rateLimiting: "✗",
};

export const honoOauthProviders: Library = {
  package: "@hono/oauth-providers",
  status: "[maintained](https://github.com/honojs/middleware/tree/main/packages/oauth-providers)",
  lastRelease:
    "[0.9.0 (2026-08-22)](https://github.com/honojs/middleware/releases/tag/%40hono%2Foauth-providers%400.9.0)",
  since: 2023,
  severalProviders:
    "✓ [guide](https://github.com/honojs/middleware/tree/main/packages/oauth-providers)",
  accountLinking: "✗",
  rateLimiting: "✗",
};

export const discordStrategy: Library = {
  ...passport,
  package: "discord-strategy",
  status: "[maintained](https://github.com/bjn7/discord-strategy)",
  lastRelease: "2.5.0",
  since: 2024,
};

export const passportDiscordAuth: Library = {
  ...passport,
  package: "passport-discord-auth",
  status: "[no release since 2024](https://github.com/slekup/passport-discord-auth)",
  lastRelease:
    "[1.2.0 (2024-10-03)](https://github.com/slekup/passport-discord-auth/releases/tag/1.2.0)",
  since: 2023,
};

export const arctic: Library = {
  package: "arctic",
  status: "[**deprecated** in July 2026](https://pilcrowonpaper.com/blog/18)",
  lastRelease: "[3.7.0 (2025-05-21)](https://github.com/pilcrowonpaper/arctic/tree/v3.7.0)",
  since: 2023,
  severalProviders: "✓ [guide](https://github.com/pilcrowonpaper/arctic/tree/v3.7.0/docs/pages)",
  accountLinking: "✗",
  rateLimiting: "✗",
};
