// Client.generateInvite and PermissionsBitField; for servers only
export { Client, PermissionsBitField } from "discord.js";
