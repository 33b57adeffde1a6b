// Bot and Permissions: all 52 permissions, the nine presets
export { Bot } from "../../../../src/links/auth_url.ts";
export { Permissions } from "../../../../src/permissions/permissions.ts";
