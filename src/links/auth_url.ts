/**
 * Authorization links and bot invitation links. Nothing here reaches network code, so a page can build its links.
 *
 * @example
 * ```ts
 * import { AuthUrl, Bot } from "@guildpass/sdk/auth-url";
 *
 * new Bot("1024000000000000000", ["view_channel", "send_messages"]).href;
 * // "https://discord.com/oauth2/authorize?client_id=1024000000000000000&scope=bot&permissions=3072"
 *
 * const login = new AuthUrl("1024000000000000000", ["identify"], "https://app.example/callback");
 * login.href.split("?")[1];
 * // "response_type=code&client_id=1024000000000000000&scope=identify&redirect_uri=https%3A%2F%2Fapp.example%2Fcallback"
 * ```
 *
 * @module
 */

import { checkBoolean, checkRedirectUri, checkSnowflake, refuse, scopeList } from "../arguments.ts";
import { type PermissionInput, permissionValue } from "../permissions/value.ts";
import { codeChallenge } from "./pkce.ts";
import { discordAuthorizeUrl, type Platform } from "./platform.ts";
import type { Scope } from "./scopes.ts";

/** Options of {@link AuthUrl}. */
export interface AuthUrlOptions {
  /** Where the authorize page is. @default {discord} */
  readonly platform?: Platform | undefined;
}

/** What belongs to one login; the constructor of {@link AuthUrl} takes what belongs to the application. */
export interface AuthUrlParams {
  /** Ties the redirect back to this login (RFC 6749 section 10.12): `generateState()` makes one. */
  readonly state?: string | undefined;
  /** The PKCE verifier; only its S256 challenge goes into the link (RFC 7636 section 4.3). */
  readonly codeVerifier?: string | undefined;
  /** `"none"` skips the consent page for somebody who has granted the same scopes before. */
  readonly prompt?: "consent" | "none" | undefined;
  /** The guild that is selected on the page, for links with the `bot` scope. */
  readonly guildId?: string | undefined;
  /** Whether the selected guild can't be changed. */
  readonly disableGuildSelect?: boolean | undefined;
  /** Where the application is installed: `0` in a guild, `1` for the user. */
  readonly integrationType?: 0 | 1 | undefined;
  /** `"token"` is the implicit grant: the answer is in the fragment, and there is no code. @default {"code"} */
  readonly responseType?: "code" | "token" | undefined;
  /** Comes back in the `id_token` (OpenID Connect Core section 3.1.2.1). */
  readonly nonce?: string | undefined;
}

/**
 * The link a person opens to grant your application access.
 *
 * @example
 * ```ts
 * import { AuthUrl, generateCodeVerifier, generateState } from "@guildpass/sdk";
 *
 * const login = new AuthUrl("1024000000000000000", ["identify", "guilds"], "https://app.example/callback");
 * const state = generateState();
 * const codeVerifier = generateCodeVerifier();
 * const url = await login.makeUrl({ state, codeVerifier });
 * new URL(url).searchParams.get("code_challenge_method"); // "S256"
 * ```
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc6749#section-4.1.1 | RFC 6749 section 4.1.1}
 */
export class AuthUrl {
  /** The link without anything that belongs to one login: no state, no PKCE. */
  readonly href: string;
  readonly #link: (params: AuthUrlParams, codeChallenge?: string) => string;

  /**
   * Takes what belongs to the application.
   *
   * @param clientId The application's client id.
   * @param scope What to ask for, at least one.
   * @param redirectUri Where the platform sends the person back to, exactly as it is registered there.
   * @param permissions The bot's permissions, for links with the `bot` scope; `0` is kept.
   * @throws {TypeError} When an argument is wrong, with its name and what was received.
   */
  constructor(
    clientId: string,
    scope: readonly Scope[],
    redirectUri: string | URL,
    permissions?: PermissionInput | null,
    options: AuthUrlOptions = {},
  ) {
    checkSnowflake("clientId", clientId);
    const uri = String(redirectUri);
    checkRedirectUri(uri);
    const page = authorizePage(options.platform);
    const application = `&client_id=${clientId}` + parameter("&scope=", scopeList(scope));
    const redirect = parameter("&redirect_uri=", uri);
    const wanted = permissions == null ? "" : `&permissions=${permissionValue(permissions)}`;
    this.#link = (params, codeChallenge) =>
      page + parameter("response_type=", params.responseType ?? "code") + application +
      parameter("&state=", params.state) +
      redirect +
      parameter("&prompt=", params.prompt) +
      installation(params, wanted) +
      parameter("&code_challenge=", codeChallenge) +
      parameter("&code_challenge_method=", codeChallenge && "S256") +
      parameter("&nonce=", params.nonce);
    this.href = this.#link({});
  }

  /**
   * Builds the link for one login. Asynchronous, because Web Crypto derives the PKCE challenge.
   *
   * @throws {TypeError} When a parameter is wrong, with its name. The verifier is never shown.
   */
  async makeUrl(params: AuthUrlParams = {}): Promise<string> {
    // A copy, since what is checked here is read again after the challenge is there.
    const { codeVerifier, ...rest } = params;
    const { state, nonce, prompt, responseType } = rest;
    checkText("state", state);
    checkText("nonce", nonce);
    if (prompt != null && !/^(consent|none)$/.test(prompt)) {
      refuse("prompt", '"consent" or "none"', prompt);
    }
    if (responseType != null && !/^(code|token)$/.test(responseType)) {
      refuse("responseType", '"code" or "token"', responseType);
    }
    return this.#link(rest, codeVerifier == null ? undefined : await codeChallenge(codeVerifier));
  }

  /** The same as {@link AuthUrl.href}. */
  toString(): string {
    return this.href;
  }
}

/** Options of {@link Bot}. */
export interface BotOptions {
  /** Where the authorize page is. @default {discord} */
  readonly platform?: Platform | undefined;
  /**
   * Scopes besides `bot`, for example `applications.commands`. One that grants something of the person's, such as
   * `identify`, needs a redirect: use {@link AuthUrl} with `bot` among its scopes.
   *
   * @default {[]}
   */
  readonly scope?: readonly Scope[] | undefined;
}

/** What belongs to one invitation; the constructor of {@link Bot} takes what belongs to the bot. */
export type BotUrlParams = Pick<
  AuthUrlParams,
  "guildId" | "disableGuildSelect" | "integrationType"
>;

/**
 * The link that adds a bot to a guild.
 *
 * @example
 * ```ts
 * import { Bot, Permissions } from "@guildpass/sdk";
 *
 * const bot = new Bot("1024000000000000000", new Permissions().stage());
 * await bot.url({ guildId: "41771983423143937", disableGuildSelect: true });
 * // "https://discord.com/oauth2/authorize?client_id=1024000000000000000&scope=bot&permissions=4294967296&guild_id=41771983423143937&disable_guild_select=true"
 * ```
 *
 * @see {@link https://docs.discord.com/developers/topics/oauth2#bot-authorization-flow | Bot authorization in the platform's documentation}
 */
export class Bot {
  /** The link without anything that belongs to one invitation. */
  readonly href: string;
  readonly #link: (params: BotUrlParams) => string;

  /**
   * Takes what belongs to the bot.
   *
   * @param clientId The bot's client id.
   * @param permissions The permissions it asks for; `0` is kept, and without any the link has none.
   * @throws {TypeError} When an argument is wrong, with its name and what was received.
   */
  constructor(
    clientId: string,
    permissions?: PermissionInput | null,
    options: BotOptions = {},
  ) {
    checkSnowflake("clientId", clientId);
    const application = `${authorizePage(options.platform)}client_id=${clientId}` +
      parameter("&scope=", scopeList(["bot"].concat(options.scope ?? [])));
    const wanted = permissions == null ? "" : `&permissions=${permissionValue(permissions)}`;
    this.#link = (params) => application + installation(params, wanted);
    this.href = this.#link({});
  }

  /**
   * Builds the link for one invitation.
   *
   * @throws {TypeError} When a parameter is wrong, with its name and what was received.
   */
  // deno-lint-ignore require-await -- asynchronous by contract, as `AuthUrl.makeUrl` is
  async url(params: BotUrlParams = {}): Promise<string> {
    return this.#link(params);
  }

  /** The same as {@link Bot.href}. */
  toString(): string {
    return this.href;
  }
}

/** The authorize page and what joins the first parameter to it: RFC 6749 section 3.1 keeps a query that is there. */
function authorizePage(platform: Platform | undefined): string {
  const url = platform ? platform.authorizeUrl : discordAuthorizeUrl;
  if (typeof url !== "string") refuse("platform.authorizeUrl", "a URL", url);
  return url + (url.includes("?") ? "&" : "?");
}

/** Empty text is an unset variable: a login without a state, or with one for all, is open to forgery. */
function checkText(argument: string, text: unknown): void {
  if (text != null && (typeof text !== "string" || !/^[ -~]+$/.test(text))) {
    throw TypeError(`${argument} must be printable ASCII and not empty (RFC 6749 appendix A.5)`);
  }
}

/** The parameters of an installation, with that of the permissions where the platform has it. */
function installation(
  { guildId, disableGuildSelect, integrationType }: BotUrlParams,
  permissions: string,
): string {
  if (guildId != null) checkSnowflake("guildId", guildId);
  if (disableGuildSelect != null) checkBoolean("disableGuildSelect", disableGuildSelect);
  if (integrationType != null && integrationType !== 0 && integrationType !== 1) {
    refuse("integrationType", "0 or 1", integrationType);
  }
  return parameter("&integration_type=", integrationType) +
    permissions +
    parameter("&guild_id=", guildId) +
    parameter("&disable_guild_select=", disableGuildSelect);
}

/** Nothing for what was not given; `0` and `false` were. Spaces become `%20`, never `+`. */
function parameter(prefix: string, value: string | number | boolean | undefined): string {
  return value == null ? "" : prefix + encodeURIComponent(value);
}
