/**
 * Describes the scopes of the platform: what they allow, and which grants can give them.
 *
 * @module
 */

/** The scopes that install an application without a login. */
export const installScopes: readonly string[] = ["applications.commands", "bot"];

/** The scopes available to the client credentials of a team's application. */
export const teamScopes: readonly string[] = [
  "applications.builds.read",
  "applications.builds.upload",
  "applications.commands.update",
  "applications.entitlements",
  "applications.store.update",
  "identify",
];

/** Returns true if the granted scopes contain the needed scope, or a scope that includes it. */
export function includesScope(granted: readonly string[], needed: string): boolean {
  return granted.some((scope) => scope === needed || umbrellaScopes.get(scope)?.includes(needed));
}

/** The scopes that include other scopes. An access token lists only the including scope. */
const umbrellaScopes: ReadonlyMap<string, readonly string[]> = new Map([
  ["sdk.social_layer", ["guilds", "identify"]],
  ["sdk.social_layer_presence", ["identify"]],
]);

/** A grant type. */
export type GrantName = "code" | "implicit" | "device" | "client_credentials";

/** Returns true if this grant can give a scope. */
export function grantAllows(grant: GrantName, scope: string): boolean {
  return grantsOfScope.get(scope)?.includes(grant) ?? true;
}

/** The grants of each scope that only some grants can give. */
const grantsOfScope: ReadonlyMap<string, readonly GrantName[]> = new Map<string, GrantName[]>([
  ["applications.commands.update", ["client_credentials"]],
  ["bot", ["code", "implicit"]],
  ["role_connections.write", ["code"]],
  ["webhook.incoming", ["code"]],
]);

/** The scopes that need the platform's approval, each with its text on the consent page. */
const approvalDescriptions: Readonly<Record<string, string>> = {
  "activities.invites.write": "Send activity invites",
  "activities.read": "See what you're playing and what you played recently",
  "activities.write": "Update your activity",
  "applications.builds.upload": "Upload builds of your applications",
  "dm_channels.read": "See your direct messages and group direct messages",
  "gdm.join": "Add you to group direct messages",
  "identify.premium": "Read which subscription you have",
  "messages.read": "Read messages from all channels in your Discord client",
  "relationships.read": "See your friends and relationships",
  "rpc": "Control your local client",
  "rpc.activities.write": "Update your activity through the local client",
  "rpc.notifications.read": "Receive your notifications from the local client",
  "rpc.screenshare.read": "Read your screen share status",
  "rpc.screenshare.write": "Update your screen share settings",
  "rpc.video.read": "Read your video settings and status",
  "rpc.video.write": "Update your video settings",
  "rpc.voice.read": "Read your voice settings and listen for voice events",
  "rpc.voice.write": "Update your voice settings",
  "voice": "Join voice channels for you and see who's there",
};

export const approvalScopes: readonly string[] = Object.keys(approvalDescriptions);

/** The documented scopes, each with its text on the consent page. */
export const scopeDescriptions: Readonly<Record<string, string>> = {
  "identify": "See your username, avatar and banner",
  "email": "Read your email address",
  "connections": "Read your connected accounts on other services",
  "guilds": "Know what servers you're in",
  "guilds.join": "Join servers for you",
  "guilds.members.read": "Read your nickname, avatar and roles in servers you're in",
  "bot": "Add a bot to a server",
  "applications.commands": "Create commands",
  "applications.commands.update": "Update the application's commands",
  "applications.commands.permissions.update": "Update permissions for the application's commands",
  "applications.entitlements": "Read your purchases from the application",
  "applications.builds.read": "Read build data of your applications",
  "applications.store.update": "Update store data of your applications",
  "webhook.incoming": "Post messages to a channel through a webhook",
  "role_connections.write": "Update your connection and metadata for this application",
  "openid": "Sign you in with a signed identity",
  "sdk.social_layer": "Use your friends and messages in a game",
  "sdk.social_layer_presence": "Use your friends and presence in a game",
  ...approvalDescriptions,
};
