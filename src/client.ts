/**
 * The server half: exchanging codes for tokens, and reading what a token opens.
 *
 * @module
 */

export { type AccessTokenOptions, PlatformApi } from "./platform_api.ts";
export { User, type UserGuildsOptions, type UserOptions } from "./user.ts";
export type { CallOptions, ClientOptions, Fetch } from "./http.ts";
