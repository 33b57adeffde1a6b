/**
 * What the fake platform knows of permissions, scopes and ids. The library has these facts too; they are repeated
 * here, so that a test with the fake platform finds a mistake in the library.
 *
 * @module
 */

export const administrator: bigint = 1n << 3n;
export const createInstantInvite: bigint = 1n << 0n;
export const manageGuild: bigint = 1n << 5n;
export const muteMembers: bigint = 1n << 22n;
export const deafenMembers: bigint = 1n << 23n;
export const manageNicknames: bigint = 1n << 27n;
export const manageRoles: bigint = 1n << 28n;
export const manageWebhooks: bigint = 1n << 29n;

/** Every documented permission: bits 0–46 and 48–52. */
export const allPermissions = "8866461766385663";

/** What a new guild gives to `@everyone`. */
export const everyonePermissions = "1799872721571393";

/** The host of the platform's image CDN. */
export const cdnHost = "cdn.discordapp.com";

/** The scopes that install an application without logging anybody in. */
export const installScopes: readonly string[] = ["applications.commands", "bot"];

/** A decimal number of up to 64 bits, as ids are written. */
export function isSnowflake(text: unknown): text is string {
  return typeof text === "string" && /^\d{1,20}$/.test(text) && BigInt(text) < 1n << 64n;
}

/** A decimal number of any length, as permissions are written. */
export function isPermissions(text: unknown): text is string {
  return typeof text === "string" && /^\d{1,100}$/.test(text);
}

/** Whether a permission value includes a permission; administrator includes all. */
export function permits(permissions: string, permission: bigint): boolean {
  return (BigInt(permissions) & (permission | administrator)) !== 0n;
}

/** The names, for people, of the permissions in a value. */
export function permissionLabels(permissions: string): string[] {
  const value = BigInt(permissions);
  return permissionBits.flatMap(([bit, label]) => ((value >> bit) & 1n) === 1n ? [label] : []);
}

/** The documented scopes with what they allow, in words for the consent page. */
export const scopeDescriptions: Readonly<Record<string, string>> = {
  "identify": "Know who you are: username, avatar and banner",
  "email": "Read your email address",
  "connections": "Read your connected accounts on other services",
  "guilds": "Know what servers you're in",
  "guilds.join": "Join servers for you",
  "guilds.members.read": "Read your nickname, avatar and roles in servers you're in",
  "gdm.join": "Add you to group direct messages",
  "bot": "Add a bot to a server",
  "applications.commands": "Create commands",
  "applications.commands.update": "Update its commands",
  "applications.commands.permissions.update": "Update the permissions of its commands",
  "applications.entitlements": "Read what you are entitled to in its store",
  "applications.builds.read": "Read build data of your applications",
  "applications.builds.upload": "Upload builds of your applications",
  "applications.store.update": "Update store data of your applications",
  "webhook.incoming": "Post messages to a channel through a webhook",
  "role_connections.write": "Update your connection and metadata for this application",
  "openid": "Sign you in with a signed identity",
  "identify.premium": "Read the kind of your subscription",
  "messages.read": "Read messages from all channels of the client",
  "dm_channels.read": "See your direct messages and group direct messages",
  "relationships.read": "Know your friends and relationships",
  "activities.read": "Read what you play now and played recently",
  "activities.write": "Update your activity",
  "activities.invites.write": "Send activity invites",
  "rpc": "Control your local client",
  "rpc.activities.write": "Update your activity through the local client",
  "rpc.notifications.read": "Receive your notifications from the local client",
  "rpc.voice.read": "Read your voice settings and listen for voice events",
  "rpc.voice.write": "Update your voice settings",
  "rpc.video.read": "Read your video settings and status",
  "rpc.video.write": "Update your video settings",
  "rpc.screenshare.read": "Read your screen share status",
  "rpc.screenshare.write": "Update your screen share settings",
  "voice": "Connect to voice for you and see the members there",
  "sdk.social_layer": "Use your friends and messages in a game",
  "sdk.social_layer_presence": "Use your friends and presence in a game",
};

const permissionBits: readonly (readonly [bit: bigint, label: string])[] = [
  [0n, "Create invite"],
  [1n, "Kick members"],
  [2n, "Ban members"],
  [3n, "Administrator"],
  [4n, "Manage channels"],
  [5n, "Manage server"],
  [6n, "Add reactions"],
  [7n, "View audit log"],
  [8n, "Priority speaker"],
  [9n, "Video"],
  [10n, "View channels"],
  [11n, "Send messages"],
  [12n, "Send text-to-speech messages"],
  [13n, "Manage messages"],
  [14n, "Embed links"],
  [15n, "Attach files"],
  [16n, "Read message history"],
  [17n, "Mention everyone"],
  [18n, "Use external emojis"],
  [19n, "View server insights"],
  [20n, "Connect"],
  [21n, "Speak"],
  [22n, "Mute members"],
  [23n, "Deafen members"],
  [24n, "Move members"],
  [25n, "Use voice activity"],
  [26n, "Change nickname"],
  [27n, "Manage nicknames"],
  [28n, "Manage roles"],
  [29n, "Manage webhooks"],
  [30n, "Manage expressions"],
  [31n, "Use application commands"],
  [32n, "Request to speak"],
  [33n, "Manage events"],
  [34n, "Manage threads"],
  [35n, "Create public threads"],
  [36n, "Create private threads"],
  [37n, "Use external stickers"],
  [38n, "Send messages in threads"],
  [39n, "Use activities"],
  [40n, "Time out members"],
  [41n, "View monetization analytics"],
  [42n, "Use soundboard"],
  [43n, "Create expressions"],
  [44n, "Create events"],
  [45n, "Use external sounds"],
  [46n, "Send voice messages"],
  [48n, "Set voice channel status"],
  [49n, "Create polls"],
  [50n, "Use external apps"],
  [51n, "Pin messages"],
  [52n, "Bypass slowmode"],
];
