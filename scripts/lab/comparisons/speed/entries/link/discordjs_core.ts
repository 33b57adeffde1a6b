// OAuth2API.generateAuthorizationURL, with the permission bits
export { OAuth2API, PermissionFlagsBits } from "@discordjs/core/http-only";
