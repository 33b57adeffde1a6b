/**
 * Lists the permissions of the platform, independent of the library's own list, so that tests with the fake platform find
 * mistakes in that list.
 *
 * @module
 */
const administrator: bigint = 1n << 3n;
export const createInstantInvite: bigint = 1n << 0n;
export const manageGuild: bigint = 1n << 5n;
export const muteMembers: bigint = 1n << 22n;
export const deafenMembers: bigint = 1n << 23n;
export const manageNicknames: bigint = 1n << 27n;
export const manageRoles: bigint = 1n << 28n;
export const manageWebhooks: bigint = 1n << 29n;

/** Every documented permission: bits 0–46 and 48–52. */
export const allPermissions = "8866461766385663";

/** The permissions of `@everyone` in a new guild. */
export const everyonePermissions = "1799872721571393";

/** Returns true for a decimal number of any length. */
export function isPermissions(value: unknown): value is string {
  return typeof value === "string" && /^\d{1,100}$/.test(value);
}

/** Returns true if the value includes the permission. An administrator has all permissions. */
export function hasPermission(permissions: string, permission: bigint): boolean {
  return (BigInt(permissions) & (permission | administrator)) !== 0n;
}

/** Returns the displayed labels of the permissions in a value. */
export function permissionLabels(permissions: string): string[] {
  const value = BigInt(permissions);
  return permissionBits.flatMap(([bit, label]) => ((value >> bit) & 1n) === 1n ? [label] : []);
}

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
