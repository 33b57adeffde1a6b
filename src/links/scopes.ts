/**
 * The OAuth2 scopes the platform documents.
 *
 * @module
 */

/** A scope that the platform documents. */
export type KnownScope =
  | "activities.invites.write"
  | "activities.read"
  | "activities.write"
  | "applications.builds.read"
  | "applications.builds.upload"
  | "applications.commands"
  | "applications.commands.permissions.update"
  | "applications.commands.update"
  | "applications.entitlements"
  | "applications.store.update"
  | "bot"
  | "connections"
  | "dm_channels.read"
  | "email"
  | "gdm.join"
  | "guilds"
  | "guilds.join"
  | "guilds.members.read"
  | "identify"
  | "identify.premium"
  | "messages.read"
  | "openid"
  | "relationships.read"
  | "role_connections.write"
  | "rpc"
  | "rpc.activities.write"
  | "rpc.notifications.read"
  | "rpc.screenshare.read"
  | "rpc.screenshare.write"
  | "rpc.video.read"
  | "rpc.video.write"
  | "rpc.voice.read"
  | "rpc.voice.write"
  | "sdk.social_layer"
  | "sdk.social_layer_presence"
  | "voice"
  | "webhook.incoming";

/**
 * A scope: a {@link KnownScope}, or any other string without white space, since the platform keeps adding new ones.
 *
 * @see {@link https://docs.discord.com/developers/topics/oauth2#shared-resources-oauth2-scopes | Scopes in the platform's documentation}
 */
export type Scope = KnownScope | (string & Record<never, never>);
