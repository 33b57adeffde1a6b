// Bot and Permissions: all 52 permissions, the nine presets
export { Bot } from "../../../../../../src/links/bot.ts";
export { Permissions } from "../../../../../../src/permissions/permissions.ts";
