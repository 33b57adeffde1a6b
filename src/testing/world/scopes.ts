/**
 * The scopes of the platform.
 *
 * @module
 */

/** The scopes that install an application without logging anybody in. */
export const installScopes: readonly string[] = ["applications.commands", "bot"];
/** The documented scopes, each with its text on the consent page. */
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
