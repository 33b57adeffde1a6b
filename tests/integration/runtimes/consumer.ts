/**
 * An application that uses every entry point, with types of each. It is compiled with the packed package, and run.
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
import { type GuildPermissions, missingPermissions } from "@guildpass/sdk/guilds";
import { avatarUrl, type ImageOptions } from "@guildpass/sdk/images";
import { Login, type PublicSessionOf, type Session, type SessionUser } from "@guildpass/sdk/login";
import {
  type IncomingRequest,
  type OutgoingResponse,
  sendResponse,
  toRequest,
} from "@guildpass/sdk/node";
import { type IdTokenClaims, IdTokenError, verifyIdToken } from "@guildpass/sdk/openid";
import { permissionInfo } from "@guildpass/sdk/permission-info";
import { type PermissionName, Permissions as SamePermissions } from "@guildpass/sdk/permissions";
import { createFakePlatform, type FakePlatform, sampleApplication } from "@guildpass/sdk/testing";
import {
  parseWebhookEvent,
  type WebhookEvent,
  WebhookSignatureError,
} from "@guildpass/sdk/webhook-events";

export const unknownScope: Scope = "a.scope.of.tomorrow";
const scope: Scope[] = ["identify", "guilds"];
const { id, secret, botToken, redirectUris: [redirectUri = ""] } = sampleApplication;

export async function logIn(params: AuthUrlParams): Promise<UserObj> {
  const fake: FakePlatform = createFakePlatform();
  const options: ClientOptions = { fetch: fake.fetch, platform: fake.platform, timeout: 1000 };
  const link: string = await new AuthUrl(id, scope, redirectUri, null, options).makeUrl(params);
  const code = new URL(await fake.authorize(link)).searchParams.get("code") ?? "";
  try {
    const token = await new PlatformApi(id, secret, scope, redirectUri, options).accessToken(code);
    const user = new User(token, options);
    const guilds: PartialGuildObj[] = await user.getUserGuilds({ limit: 1 });
    const bot = new User(botToken, { ...options, tokenType: "Bot" });
    const guild: GuildObj = await bot.getGuild(guilds[0]?.id ?? "", true);
    const members: number | null = guild.approximate_member_count;
    return { ...await user.getCurrentUser(), flags: members };
  } catch (error) {
    if (error instanceof OAuthError) throw new Error(error.hint ?? error.error);
    throw error;
  }
}

/** The declarations of the package keep the scopes of a token. */
export async function readGuilds(code: string): Promise<PartialGuildObj[]> {
  const api = new PlatformApi(id, secret, ["identify"], redirectUri);
  // @ts-expect-error the token lacks the scope guilds
  return await new User(await api.accessToken(code)).getUserGuilds();
}

export function inviteLink(): string {
  const names: PermissionName[] = [...new Permissions().voice().add({ connect: false })];
  const bot: SameBot = new Bot(id, names);
  return bot.href;
}

export function describeMissing(guild: GuildPermissions): string[] {
  return missingPermissions(guild, new SamePermissions().voice())
    .map((name) => permissionInfo[name].label);
}

export function smallAvatar(user: UserObj): string {
  const options: ImageOptions = { size: 64 };
  return avatarUrl(user, options);
}

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
  return session && (await session.api.getCurrentUser()).username;
}

/** The declarations of the package infer the public user data of a session. */
export async function themeOf(request: Request, key: string): Promise<string | null> {
  const login = new Login({
    clientId: id,
    clientSecret: secret,
    scope: ["identify"],
    secret: key,
    sessionPath: "/session",
    sessionUser: async (user) => ({ id: user.id, theme: await Promise.resolve("dark") }),
    publicUser: ({ theme }) => ({ theme }),
  });
  const found: PublicSessionOf<typeof login> | null = await login.publicSession(
    await login.session(request),
  );
  // @ts-expect-error the public user data has no id
  const userId: string | undefined = found?.user.id;
  return found?.user.theme ?? userId ?? null;
}

/** The declarations of the package narrow a session by its scopes. */
export async function guildsOf(
  session: Session<SessionUser, TokenSource<"identify">>,
): Promise<PartialGuildObj[] | string> {
  // @ts-expect-error the session may lack the scope guilds
  await session.api.getUserGuilds();
  return session.has("guilds") ? await session.api.getUserGuilds() : session.user.id;
}

export async function userIdOf(idToken: string | null, nonce: string): Promise<string> {
  const claims: IdTokenClaims = await verifyIdToken(idToken, { clientId: id, nonce });
  return claims.sub;
}

export async function whoLeft(request: Request, publicKey: string): Promise<string | null> {
  const event: WebhookEvent = await parseWebhookEvent(request, publicKey, { tolerance: 60 });
  return event.type === "APPLICATION_DEAUTHORIZED" ? event.data.user.id : null;
}

export async function respondWithPath(req: IncomingRequest, res: OutgoingResponse): Promise<void> {
  const { pathname } = new URL(toRequest(req, res).url);
  await sendResponse(res, new Response(pathname));
}

export async function useEverything(): Promise<void> {
  const user = await logIn({ state: "s7ate" });
  expect(user.username === "ada", "the user");
  expect(smallAvatar(user).includes("size=64"), "the avatar");
  expect(inviteLink().startsWith("https://discord.com/"), "the link");
  expect(
    describeMissing({ permissions: "0", owner: false }).includes("Connect"),
    "the permissions",
  );
  expect(
    await nameOf(new Request("https://app.example/"), "q2Vx7Zr1TnM9bLwE4sKuY8dPfGh3JcA6") === null,
    "the session",
  );
  expect(
    await themeOf(new Request("https://app.example/"), "q2Vx7Zr1TnM9bLwE4sKuY8dPfGh3JcA6") === null,
    "the public session",
  );
  const event = new Request("https://app.example/", { method: "POST", body: "{}" });
  const errors = await Promise.all([
    userIdOf(null, "n0nce").catch((error: unknown) => error),
    whoLeft(event, "0".repeat(64)).catch((error: unknown) => error),
  ]);
  expect(errors[0] instanceof IdTokenError, "the ID token");
  expect(errors[1] instanceof WebhookSignatureError, "the event");
  const res = new ResponseOfNode();
  await respondWithPath(
    { url: "/page", headers: {}, socket: {}, async *[Symbol.asyncIterator]() {} },
    res,
  );
  expect(res.sent === "/page", "the response of Node");
}

class ResponseOfNode implements OutgoingResponse {
  statusCode = 0;
  sent = "";
  readonly destroyed = false;
  readonly writableEnded = false;
  readonly req = {};
  getHeader(): undefined {}
  setHeader(): void {}
  write(chunk: Uint8Array): boolean {
    this.sent += new TextDecoder().decode(chunk);
    return true;
  }
  end(): void {}
  destroy(): void {}
  on(): void {}
}

function expect(holds: boolean, subject: string): void {
  if (!holds) throw new Error(`${subject} is wrong`);
}

useEverything().then(() => console.log("every entry point works"));
