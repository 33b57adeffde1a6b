/**
 * Remarks on the permissions: warnings before sharing the link, and suggestions of missing permissions.
 *
 * @module
 */

import { permissionInfo } from "../../src/permissions/permission_info.ts";
import { type PermissionName, Permissions } from "../../src/permissions/permissions.ts";
import { count, icon, make } from "./elements.ts";

/** Makes the remarks to read before sharing a link for a server. */
export function remarksForServer(permissions: Permissions, onDropUnnamed: () => void): Node[] {
  const found: Node[] = [];
  const note = (...children: (Node | string)[]) =>
    found.push(make("p", { class: "remark" }, ...children));
  const more = (text: string) => make("span", { class: "more-text" }, text);
  const names = permissions.toArray();
  const elevated = names.filter((name) => permissionInfo[name].elevated);
  const bits = unnamedBits(permissions);

  if (permissions.has("administrator")) {
    const others = names.length - 1;
    note(
      icon("advanced"),
      make("strong", {}, "Administrator"),
      more(
        others > 0
          ? ` includes every permission, so the ${count(others, "other")} change nothing.`
          : " includes every permission. Ask for less where you can.",
      ),
    );
  }
  if (elevated.length > 0) {
    note(
      icon("lock"),
      make("strong", {}, `${elevated.length} elevated`),
      more(": a server can require two-factor authentication of you, the bot's owner."),
    );
  }
  if (bits.length > 0) {
    const drop = make("button", { type: "button", class: "button quiet small" }, "Remove");
    drop.addEventListener("click", onDropUnnamed);
    const which = bits.length > 6 ? `${bits.slice(0, 6).join(", ")} …` : bits.join(", ");
    note(
      make("strong", {}, `${count(bits.length, "bit")} without a name`),
      more(` (${which}), kept as received.`),
      " ",
      drop,
    );
  }
  return found;
}

/** Makes the remarks for a link with which a person installs an application. */
export function remarksForUser(permissions: Permissions): Node[] {
  if (permissions.equals(0n)) return [];
  return [
    make("p", { class: "remark" }, "Not in the link, because it installs the app for a person."),
  ];
}

/** Returns the bits of a value that have names. */
export function namedBits(permissions: Permissions): bigint {
  return new Permissions(permissions.toArray()).value;
}

/** A permission that is probably missing. */
export interface Suggestion {
  readonly name: PermissionName;
  readonly reason: string;
}

/** Suggests further permissions that the ticked ones need in private channels. */
export function suggestPermissions(permissions: Permissions): Suggestion[] {
  const names = permissions.toArray();
  if (names.includes("administrator")) return [];
  const needsChannels = names.some((name) =>
    ["text", "voice", "stage"].includes(permissionInfo[name].group)
  );
  return [
    ...(needsChannels && !names.includes("view_channel")
      ? [
        {
          name: "view_channel",
          reason: "Without it, the bot sees only channels that are open to everyone.",
        } as const,
      ]
      : []),
    ...(names.includes("speak") && !names.includes("connect")
      ? [
        {
          name: "connect",
          reason: "Without it, the bot joins only voice channels that are open to everyone.",
        } as const,
      ]
      : []),
  ];
}

function unnamedBits(permissions: Permissions): number[] {
  const digits = [...(permissions.value & ~namedBits(permissions)).toString(2)].reverse();
  return digits.flatMap((digit, bit) => digit === "1" ? [bit] : []);
}
