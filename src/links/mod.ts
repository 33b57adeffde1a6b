/**
 * Authorization links, invitation links for bots, and the response of the implicit grant. This module never uses the network, so
 * pages can use it too.
 *
 * @example
 * ```ts
 * import { AuthUrl, Bot } from "@guildpass/sdk/auth-url";
 *
 * new Bot("1024000000000000000", ["view_channel", "send_messages"]).href;
 * // "https://discord.com/oauth2/authorize?client_id=1024000000000000000&scope=bot&permissions=3072"
 *
 * const login = new AuthUrl(
 *   "1024000000000000000",
 *   ["identify"],
 *   "https://app.example/callback",
 * );
 * login.href.split("?")[1];
 * // "response_type=code&client_id=1024000000000000000&scope=identify&redirect_uri=https%3A%2F%2Fapp.example%2Fcallback"
 * ```
 *
 * @module
 */

export { GuildpassError, OAuthError, StateMismatchError } from "../core/errors.ts";
export { AuthUrl } from "./auth_url.ts";
export { Bot } from "./bot.ts";
export { installUrl } from "./install_url.ts";
export { parseFragment } from "./parse_fragment.ts";
export { codeChallenge, generateCodeVerifier, generateState } from "./pkce.ts";
export { approvalScopes, knownScopes } from "./scopes.ts";

export type { ErrorCode, GuildpassErrorOptions, StateMismatchReason } from "../core/errors.ts";
export type { TokenObj } from "../resources/token.ts";
export type { AuthUrlOptions, AuthUrlParams } from "./auth_url.ts";
export type { BotOptions, BotUrlParams } from "./bot.ts";
export type { InstallUrlOptions } from "./install_url.ts";
export type { ParseFragmentOptions } from "./parse_fragment.ts";
export type { Platform } from "./platform.ts";
export type { KnownScope, Scope } from "./scopes.ts";
