// 49 permissions, no presets, nothing is checked
export { calculateBits, calculatePermissions, createOAuth2Link } from "@discordeno/utils";
