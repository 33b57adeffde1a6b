/**
 * What the platform may answer, checked with valibot, and how it becomes a model.
 *
 * @module
 */

import * as v from "npm:valibot@^1.5.0";
import { PayloadError } from "../../errors.ts";
import type { GuildObj, PartialGuildObj, TokenObj, UserObj } from "./models.ts";

const nothing = null;
const string = v.nullish(v.string(), nothing);
// JSON may have numbers, such as 1e999, that are Infinity.
const finite = v.pipe(v.number(), v.finite("expected a finite number"));
const number = v.nullish(finite, nothing);
const boolean = v.nullish(v.boolean(), nothing);
const id = v.pipe(v.string(), v.regex(/^\d{1,20}$/, "expected a snowflake"));
const optionalId = v.nullish(id, nothing);
const permissions = v.pipe(
  v.string(),
  v.regex(/^\d+$/, "expected a decimal string"),
  v.transform((value) => value as `${bigint}`),
);

const user = v.looseObject({
  id,
  username: v.string(),
  discriminator: string,
  global_name: string,
  avatar: string,
  bot: v.nullish(v.boolean(), false),
  system: v.nullish(v.boolean(), false),
  mfa_enabled: boolean,
  banner: string,
  accent_color: number,
  locale: string,
  verified: boolean,
  email: string,
  flags: number,
  premium_type: number,
  public_flags: number,
  avatar_decoration: string,
  avatar_decoration_data: v.nullish(v.looseObject({ asset: v.string() })),
});

const partialGuildFields = {
  id,
  name: v.string(),
  icon: string,
  banner: string,
  owner: boolean,
  permissions: v.nullish(permissions, nothing),
  features: v.nullish(v.array(v.string()), nothing),
  approximate_member_count: number,
  approximate_presence_count: number,
};

const partialGuilds = v.array(v.looseObject(partialGuildFields));

const guild = v.looseObject({
  ...partialGuildFields,
  splash: string,
  discovery_splash: string,
  owner_id: optionalId,
  region: string,
  afk_channel_id: optionalId,
  afk_timeout: number,
  widget_enabled: boolean,
  widget_channel_id: optionalId,
  verification_level: number,
  default_message_notifications: number,
  explicit_content_filter: number,
  roles: v.nullish(
    v.array(v.object({ id, name: v.string(), permissions, position: finite })),
    nothing,
  ),
  emojis: v.nullish(
    v.array(v.object({ id: v.nullable(id), name: v.nullable(v.string()) })),
    nothing,
  ),
  mfa_level: number,
  application_id: optionalId,
  system_channel_id: optionalId,
  system_channel_flags: number,
  rules_channel_id: optionalId,
  max_presences: number,
  max_members: number,
  vanity_url_code: string,
  description: string,
  premium_tier: number,
  premium_subscription_count: number,
  preferred_locale: string,
  public_updates_channel_id: optionalId,
  max_video_channel_users: number,
  max_stage_video_channel_users: number,
  welcome_screen: v.nullish(
    v.looseObject({
      description: v.nullable(v.string()),
      welcome_channels: v.array(
        v.looseObject({
          channel_id: id,
          description: v.string(),
          emoji_id: v.nullable(id),
          emoji_name: v.nullable(v.string()),
        }),
      ),
    }),
    nothing,
  ),
  nsfw_level: number,
  stickers: v.nullish(v.array(v.object({ id, name: v.string() })), nothing),
  premium_progress_bar_enabled: boolean,
  safety_alerts_channel_id: optionalId,
});

const token = v.looseObject({
  access_token: v.pipe(v.string(), v.regex(/^[!-~]+$/, "expected printable characters")),
  token_type: v.string(),
  expires_in: v.pipe(
    v.number(),
    v.check((seconds) => seconds >= 0 && seconds <= 1e12, "expected a number of seconds"),
  ),
  refresh_token: string,
  scope: string,
  guild: v.nullish(guild, nothing),
  webhook: v.nullish(v.looseObject({ id, token: string, url: string }), nothing),
  id_token: string,
});

/** The model of a `GET /users/@me` answer. */
export function toUser(payload: unknown): UserObj {
  const found = check("The user", user, payload);
  found.avatar_decoration ??= found.avatar_decoration_data?.asset ?? null;
  return freeze(found);
}

/** The models of a `GET /users/@me/guilds` answer; `null` is an empty list. */
export function toPartialGuilds(payload: unknown, cdnUrl: string): PartialGuildObj[] {
  const found = check("The list of guilds", v.nullable(partialGuilds), payload) ?? [];
  return found.map((entry) => freeze(withAliases(entry, cdnUrl)));
}

/** The model of a `GET /guilds/{id}` answer. */
export function toGuild(payload: unknown, cdnUrl: string): GuildObj {
  const found = withLists(check("The guild", guild, payload), payload);
  return freeze(withAliases(found, cdnUrl));
}

/** The model of a token answer. */
export function toToken(payload: unknown, requested: string, cdnUrl: string): TokenObj {
  const found = check("The token answer", token, payload);
  const scope = found.scope ?? requested;
  return freeze({
    ...found,
    scope,
    guild: found.guild && withAliases(withLists(found.guild, (payload as TokenObj).guild), cdnUrl),
    expires_at: Date.now() + Math.floor(found.expires_in * 1000),
    scopes: scope.split(" ").filter(Boolean),
  });
}

/**
 * Takes the lists of a guild as they came. They are most of it, and with valibot's copies, which lack the fields that are
 * not known, a guild took a quarter more time.
 */
function withLists<Guild extends GuildLists>(found: Guild, payload: unknown): Guild {
  const { roles = nothing, emojis = nothing, stickers = nothing } = payload as Partial<GuildLists>;
  return Object.assign(found, { roles, emojis, stickers });
}

type GuildLists = Pick<GuildObj, "roles" | "emojis" | "stickers">;

/** Adds the URL of the icon and the short name of the permissions, in place: valibot has made a copy already. */
function withAliases<Guild extends Pick<PartialGuildObj, "id" | "icon" | "permissions">>(
  found: Guild,
  cdnUrl: string,
): Guild & Pick<PartialGuildObj, "icon_url" | "perms"> {
  const { id, icon, permissions } = found;
  const format = icon?.startsWith("a_") ? "gif" : "png";
  // Of half a character, which JSON may have, encodeURIComponent would make an error.
  const hash = encodeURIComponent((icon ?? "").replace(/\p{Cs}/gu, "\ufffd"));
  const icon_url = hash ? `${`${cdnUrl}`.replace(/\/+$/, "")}/icons/${id}/${hash}.${format}` : null;
  return Object.assign(found, { icon_url, perms: permissions });
}

function check<Model>(
  what: string,
  schema: v.GenericSchema<unknown, Model>,
  payload: unknown,
): Model {
  let result = v.safeParse(schema, payload, { abortEarly: true });
  if (!result.success && !isLarge(payload)) result = v.safeParse(schema, payload);
  if (result.success) return result.output;
  const issues = result.issues.slice(0, 100).map((issue) => ({
    path: v.getDotPath(issue) ?? "",
    // valibot's own message repeats what was received, which may be a token.
    message: issue.kind === "schema"
      ? `expected ${issue.expected}, received ${kindOf(issue.input)}`
      : issue.message,
  }));
  throw new PayloadError(`${what} is not what the platform documents`, freeze(issues));
}

/** Whether so much is in it that valibot, which keeps what it found wrong about every part, would fill the memory. */
function isLarge(payload: unknown): boolean {
  const parts = [payload];
  for (const part of parts) {
    if (typeof part !== "object" || part === null) continue;
    for (const inner of Object.values(part)) if (parts.push(inner) > 10_000) return true;
  }
  return false;
}

function kindOf(value: unknown): string {
  return value === null ? "null" : Array.isArray(value) ? "an array" : typeof value;
}

/** Freezes a value and all it holds, without recursion: a payload may be nested deeper than the stack. */
function freeze<Value extends object>(value: Value): Value {
  const pending: object[] = [value];
  for (let next = pending.pop(); next; next = pending.pop()) {
    // Before it is frozen, and a list as it is: that is twice as fast.
    for (const inner of Array.isArray(next) ? next : Object.values(next)) {
      if (typeof inner === "object" && inner) pending.push(inner);
    }
    Object.freeze(next);
  }
  return value;
}
