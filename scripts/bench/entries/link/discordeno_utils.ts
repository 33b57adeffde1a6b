// 49 permissions, no presets, nothing is checked
export { calculateBits, createOAuth2Link } from "@discordeno/utils";
