/**
 * What happens between the authorize URL and the redirect back: reading the request, the person's decision,
 * and the answer to the application.
 *
 * @module
 */

import type { Application } from "../world/application.ts";
import { addBot, type Guild } from "../world/guild.ts";
import { isPermissions, manageGuild, manageWebhooks, permits } from "../world/permissions.ts";
import { installScopes } from "../world/scopes.ts";
import { isSnowflake } from "../world/snowflake.ts";
import { issueAccessToken, randomToken } from "../world/tokens.ts";
import type { User } from "../world/user.ts";
import type { Grant, World } from "../world/world.ts";
import { consentKey } from "../world/world.ts";

/** A valid authorize request. */
export interface AuthorizeRequest {
  readonly application: Application;
  readonly scopes: readonly string[];
  /** Whether the token itself is asked for, in the fragment, instead of a code for it. */
  readonly implicit: boolean;
  /** `null` for an install link, which does not return to the application. */
  readonly redirectUri: string | null;
  readonly redirectUriGiven: boolean;
  readonly state: string | null;
  readonly prompt: string | null;
  readonly challenge: string | null;
  readonly nonce: string | null;
  readonly permissions: string;
  readonly guildId: string | null;
  readonly guildFixed: boolean;
  readonly needsGuild: boolean;
}

/** What an authorize URL means: a request to decide about, or an outcome already. */
export type Reading = { readonly kind: "request"; readonly request: AuthorizeRequest } | Outcome;

/** Where an authorize request ends. */
export type Outcome =
  /** At the application, with a code, a token or an error. */
  | { readonly kind: "redirect"; readonly location: string }
  /** On a page of the platform: without a valid redirect URI there is nowhere to redirect to (RFC 6749 section 4.1.2.1). */
  | { readonly kind: "page"; readonly message: string };

/** What a person decided on the consent page. */
export interface Decision {
  readonly user: User;
  readonly guildId: string | null;
  readonly permissions: string | null;
}

/** Reads the query of an authorize URL. */
export function readRequest(world: World, query: URLSearchParams): Reading {
  const clientId = query.get("client_id");
  const application = world.applications.get(clientId ?? "");
  if (application === undefined) {
    return page(
      isSnowflake(clientId)
        ? `Unknown application: no application has the client_id ${clientId}.`
        : "Invalid client_id: it must be a snowflake, a decimal number.",
    );
  }
  const isInstallLink = loginParameters.every((name) => !query.has(name));
  const scopes = isInstallLink
    ? application.installParams.scopes
    : [...new Set((query.get("scope") ?? "").split(" ").filter((scope) => scope !== ""))];
  const responseType = query.get("response_type");
  const given = query.get("redirect_uri");
  const installOnly = responseType === null && given === null && scopes.length > 0 &&
    scopes.every((scope) => installScopes.includes(scope));
  const redirectUri = installOnly ? null : given ?? application.redirectUris[0] ?? null;
  if (!installOnly) {
    if (redirectUri === null) {
      return page("Missing redirect_uri: the application has none registered to fall back to.");
    }
    if (!application.redirectUris.includes(redirectUri)) {
      const registered = application.redirectUris.join(", ") || "none";
      return page(
        `Invalid redirect_uri: ${redirectUri} is not registered for the application. Registered are: ${registered}. ` +
          "For another one, give the fake platform applications of your own, or --config",
      );
    }
  }
  const state = query.get("state");
  const permissions = query.get("permissions") ??
    (isInstallLink ? application.installParams.permissions : "0");
  const guildId = query.get("guild_id");
  const fault = findFault(world, application, scopes, query, installOnly) ??
    (isPermissions(permissions) ? null : invalid("permissions must be a decimal number")) ??
    (guildId === null || isSnowflake(guildId) ? null : invalid("guild_id must be a snowflake"));
  if (fault !== null) {
    if (redirectUri === null) return page(`${fault.error}: ${fault.description}.`);
    const location = answer(world, redirectUri, state, responseType === "token", {
      error: fault.error,
      error_description: fault.description,
    });
    return redirect(location);
  }
  return {
    kind: "request",
    request: {
      application,
      scopes,
      implicit: responseType === "token",
      redirectUri,
      redirectUriGiven: given !== null,
      state,
      prompt: query.get("prompt"),
      challenge: query.get("code_challenge"),
      nonce: query.get("nonce"),
      permissions,
      guildId,
      guildFixed: query.get("disable_guild_select") === "true" && guildId !== null,
      needsGuild: needsGuild(scopes, query.get("integration_type")),
    },
  };
}

/** The guilds that a user may choose for a request. */
export function choosableGuilds(world: World, request: AuthorizeRequest, user: User): Guild[] {
  const needed = [
    ...request.scopes.includes("webhook.incoming") ? [manageWebhooks] : [],
    ...request.scopes.some((scope) => installScopes.includes(scope)) ? [manageGuild] : [],
  ];
  return [...world.guilds.values()].filter((guild) => {
    const member = guild.members.get(user.payload.id);
    if (member === undefined) return false;
    if (request.guildFixed && guild.payload.id !== request.guildId) return false;
    return member.owner || needed.every((permission) => permits(member.permissions, permission));
  });
}

/** Whether the user granted the application all of this before. */
export function hasConsented(world: World, request: AuthorizeRequest, user: User): boolean {
  const granted = world.consents.get(consentKey(request.application, user));
  return granted !== undefined && !request.needsGuild &&
    request.scopes.every((scope) => granted.has(scope));
}

/** Carries out a person's consent. */
export function grantRequest(world: World, request: AuthorizeRequest, decision: Decision): Outcome {
  const { application, scopes, redirectUri } = request;
  const wanted = decision.guildId ?? request.guildId;
  const guild = request.needsGuild ? chooseGuild(world, request, decision.user, wanted) : null;
  if (request.needsGuild && guild === null) {
    const what = wanted === null ? "any guild" : `the guild ${wanted}`;
    return page(`${decision.user.payload.username} may not add ${application.name} to ${what}.`);
  }
  const permissions = decision.permissions ?? request.permissions;
  if (guild !== null && scopes.includes("bot")) addBot(guild, application, permissions);
  remember(world, application, decision.user, scopes);
  if (redirectUri === null) return redirect(`${world.origin}/oauth2/authorized`);
  const grant: Grant = {
    application,
    user: decision.user,
    scopes,
    consented: true,
    revoked: false,
  };
  if (request.implicit) {
    const token = issueAccessToken(world, grant, scopes);
    return redirect(answer(world, redirectUri, request.state, true, {
      token_type: "Bearer",
      access_token: token,
      expires_in: String(world.tokenLifetime),
      scope: scopes.join(" "),
    }));
  }
  const code = randomToken("code");
  world.codes.set(code, {
    grant,
    redirectUri,
    redirectUriGiven: request.redirectUriGiven,
    challenge: request.challenge,
    nonce: request.nonce,
    guild,
    issuedAt: world.now(),
    expiresAt: world.now() + world.codeLifetime * 1000,
    used: false,
  });
  return redirect(answer(world, redirectUri, request.state, false, {
    code,
    ...(guild === null || !scopes.includes("bot")
      ? {}
      : { guild_id: guild.payload.id, permissions }),
  }));
}

/** Carries out a person's refusal. */
export function denyRequest(world: World, request: AuthorizeRequest): Outcome {
  const { redirectUri, state, implicit } = request;
  if (redirectUri === null) return page("Nothing was added.");
  return redirect(answer(world, redirectUri, state, implicit, {
    error: "access_denied",
    error_description: "The resource owner or authorization server denied the request",
  }));
}

/** Without any of these a link asks for the application's default install settings. */
const loginParameters = ["response_type", "scope", "redirect_uri", "integration_type"] as const;

interface Fault {
  readonly error: string;
  readonly description: string;
}

function findFault(
  world: World,
  application: Application,
  scopes: readonly string[],
  query: URLSearchParams,
  installOnly: boolean,
): Fault | null {
  const responseType = query.get("response_type");
  const method = query.get("code_challenge_method");
  const challenge = query.get("code_challenge");
  const prompt = query.get("prompt");
  const integrationType = query.get("integration_type");
  if (!installOnly && responseType !== "code" && responseType !== "token") {
    return {
      error: "unsupported_response_type",
      description: "The authorization server does not support this response type",
    };
  }
  if (scopes.length === 0 || !scopes.every((scope) => world.knownScopes.has(scope))) {
    return {
      error: "invalid_scope",
      description: "The requested scope is invalid, unknown, or malformed.",
    };
  }
  if (prompt !== null && prompt !== "consent" && prompt !== "none") {
    return invalid("prompt must be consent or none");
  }
  if (integrationType !== null && integrationType !== "0" && integrationType !== "1") {
    return invalid("integration_type must be 0 or 1");
  }
  if (integrationType === "1" && scopes.includes("bot")) {
    return invalid("the bot scope needs a guild, so integration_type must be 0");
  }
  if (challenge === null) {
    if (method !== null) return invalid("code_challenge required");
    if (application.secret === null && responseType === "code") {
      return invalid("code_challenge required, since the application is a public client");
    }
  } else if (method !== "S256") {
    // An absent method means plain (RFC 7636 section 4.3).
    return invalid("code_challenge_method must be S256");
  } else if (!/^[A-Za-z0-9_-]{43}$/.test(challenge)) {
    return invalid("code_challenge must be 43 base64url characters");
  }
  return null;
}

/** Whether these scopes can be granted without choosing a guild. */
export function allowsNoGuild(scopes: readonly string[]): boolean {
  return !needsGuild(scopes, null);
}

function needsGuild(scopes: readonly string[], integrationType: string | null): boolean {
  return scopes.includes("bot") || scopes.includes("webhook.incoming") ||
    (scopes.includes("applications.commands") && integrationType === "0");
}

function chooseGuild(
  world: World,
  request: AuthorizeRequest,
  user: User,
  wanted: string | null,
): Guild | null {
  const guilds = choosableGuilds(world, request, user);
  return guilds.find(({ payload }) => wanted === null || payload.id === wanted) ?? null;
}

/** Remembers what a person granted an application. */
export function remember(
  world: World,
  application: Application,
  user: User,
  scopes: readonly string[],
): void {
  const key = consentKey(application, user);
  world.consents.set(key, new Set([...world.consents.get(key) ?? [], ...scopes]));
}

/** The redirect URI with the answer, and the issuer (RFC 9207), in its query or its fragment. */
function answer(
  world: World,
  redirectUri: string,
  state: string | null,
  inFragment: boolean,
  fields: Record<string, string>,
): string {
  const params = new URLSearchParams({
    ...fields,
    ...(state === null ? {} : { state }),
    iss: world.origin,
  });
  const url = new URL(redirectUri);
  if (inFragment) url.hash = params.toString();
  else for (const [name, value] of params) url.searchParams.append(name, value);
  return url.href;
}

function invalid(description: string): Fault {
  return { error: "invalid_request", description };
}

function redirect(location: string): Outcome {
  return { kind: "redirect", location };
}

function page(message: string): Outcome {
  return { kind: "page", message };
}
