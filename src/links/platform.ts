/**
 * Where the platform lives: the three base URLs everything else is built from.
 *
 * @module
 */

/**
 * The base URLs of a platform. Pass your own to talk to a server that speaks the same API: a proxy, a
 * self-hosted instance, or the fake platform of `@guildpass/sdk/testing`.
 */
export interface Platform {
  /** The page a person opens to grant access, for example `https://discord.com/oauth2/authorize`. */
  readonly authorizeUrl: string;
  /** The base of the HTTP API, without a trailing slash, for example `https://discord.com/api/v10`. */
  readonly apiUrl: string;
  /** The base of the image CDN, without a trailing slash, for example `https://cdn.discordapp.com`. */
  readonly cdnUrl: string;
}

/** On its own, so that a page which builds links does not ship the other two. */
export const discordAuthorizeUrl = "https://discord.com/oauth2/authorize";

/**
 * Discord itself, API version 10: the platform used when no other is given.
 *
 * @see {@link https://docs.discord.com/developers/topics/oauth2 | OAuth2 in the platform's documentation}
 */
export const discord: Platform = /* @__PURE__ */ Object.freeze({
  authorizeUrl: discordAuthorizeUrl,
  apiUrl: "https://discord.com/api/v10",
  cdnUrl: "https://cdn.discordapp.com",
});
