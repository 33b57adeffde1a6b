// the address and the permission bits only: it has no link builder
export { OAuth2Routes, PermissionFlagsBits } from "discord-api-types/v10";
