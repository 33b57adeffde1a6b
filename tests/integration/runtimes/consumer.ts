/**
 * Code as a user writes it, with a type from every entry point. It is compiled with the packed package, and not run.
 *
 * @module
 */

import {
  AuthUrl,
  Bot,
  type ClientOptions,
  type GuildObj,
  MemoryStore,
  OAuthError,
  type PartialGuildObj,
  Permissions,
  PlatformApi,
  type Scope,
  type TokenSource,
  User,
  type UserObj,
} from "@guildpass/sdk";
import { type AuthUrlParams, Bot as SameBot } from "@guildpass/sdk/auth-url";
import { Login, type Session, type SessionUser } from "@guildpass/sdk/login";
import { type IdTokenClaims, verifyIdToken } from "@guildpass/sdk/openid";
import { permissionInfo } from "@guildpass/sdk/permission-info";
import type { PermissionName } from "@guildpass/sdk/permissions";
import { createFakePlatform, type FakePlatform, sampleApplication } from "@guildpass/sdk/testing";
import { parseWebhookEvent, type WebhookEvent } from "@guildpass/sdk/webhook-events";

const scope: Scope[] = ["identify", "guilds.join", "a.scope.of.tomorrow"];
const { id, secret, redirectUris: [redirectUri = ""] } = sampleApplication;

export async function logIn(params: AuthUrlParams): Promise<UserObj> {
  const fake: FakePlatform = createFakePlatform();
  const options: ClientOptions = { fetch: fake.fetch, platform: fake.platform, timeout: 1000 };
  const link: string = await new AuthUrl(id, scope, redirectUri, 8n, options).makeUrl(params);
  const code = new URL(await fake.authorize(link)).searchParams.get("code") ?? "";
  try {
    const token = await new PlatformApi(id, secret, scope, redirectUri, options).accessToken(code);
    const user = new User(token, options);
    const guilds: PartialGuildObj[] = await user.getUserGuilds({ limit: 1 });
    const guild: GuildObj = await user.getGuild(guilds[0]?.id ?? "", true);
    const members: number | null = guild.approximate_member_count;
    return { ...await user.getCurrentUser(), flags: members };
  } catch (error) {
    if (error instanceof OAuthError) throw new Error(error.hint ?? error.error);
    throw error;
  }
}

export const names: PermissionName[] = [...new Permissions().voice().add({ connect: false })];
export const label: string = permissionInfo.manage_guild.label;
export const bot: SameBot = new Bot(id, names);

export async function nameOf(request: Request, key: string): Promise<string | null> {
  const store = new MemoryStore();
  const login = new Login({
    clientId: id,
    clientSecret: secret,
    scope: ["identify"],
    secret: key,
    store,
  });
  const session: Session<SessionUser, TokenSource<"identify">> | null = await login.session(
    request,
  );
  return session && (await new User(session.token).getCurrentUser()).username;
}

export async function userIdOf(idToken: string | null, nonce: string): Promise<string> {
  const claims: IdTokenClaims = await verifyIdToken(idToken, { clientId: id, nonce });
  return claims.sub;
}

export async function whoLeft(request: Request, publicKey: string): Promise<string | null> {
  const event: WebhookEvent = await parseWebhookEvent(request, publicKey, { tolerance: 60 });
  return event.type === "APPLICATION_DEAUTHORIZED" ? event.data.user.id : null;
}
