/**
 * The permissions in their groups, made from the library's table.
 *
 * @module
 */

import { type PermissionGroup, permissionInfo } from "../../src/permissions/info.ts";
import { type PermissionName, Permissions } from "../../src/permissions/permissions.ts";
import { find, icon, make } from "./page.ts";

/** The list, as the rest of the page uses it. */
export interface PermissionList {
  /** Ticks the permissions of a value, and counts them in each group. */
  show(value: bigint): void;
  /** Hides the permissions that do not match, and returns how many do. */
  filter(query: string): number;
}

/** Called when a person switches permissions on or off. */
export type OnToggle = (names: readonly PermissionName[], on: boolean) => void;

/** Makes the list, and puts it into the page. */
export function permissionList(onToggle: OnToggle): PermissionList {
  const groups = (Object.keys(groupLabels) as PermissionGroup[]).map((group) =>
    permissionGroup(group, onToggle)
  );
  find("groups", HTMLElement).append(...groups.map(({ element }) => element));
  return {
    show(value) {
      for (const group of groups) group.show(new Permissions(value));
    },
    filter(query) {
      const words = query.toLowerCase().split(/[\s_]+/).filter(Boolean);
      return groups.reduce((hits, group) => hits + group.filter(words), 0);
    },
  };
}

const groupLabels: Readonly<Record<PermissionGroup, string>> = {
  general: "General",
  membership: "Membership",
  text: "Text",
  voice: "Voice",
  stage: "Stage",
  advanced: "Advanced",
};

interface Group {
  readonly element: HTMLElement;
  show(permissions: Permissions): void;
  filter(words: readonly string[]): number;
}

function permissionGroup(group: PermissionGroup, onToggle: OnToggle): Group {
  const names = (Object.keys(permissionInfo) as PermissionName[])
    .filter((name) => permissionInfo[name].group === group);
  const rows = names.map((name) => permissionRow(name, onToggle));
  const label = groupLabels[group];
  const count = make("span", { class: "count" });
  const toggle = make("button", { type: "button", class: "quiet" });
  const element = make(
    "div",
    { class: "group", id: `group-${group}` },
    make(
      "fieldset",
      {},
      make("legend", {}, icon(group), make("span", {}, label), count),
      toggle,
      make("div", { class: "rows" }, ...rows.map(({ row }) => row)),
    ),
  );
  toggle.addEventListener("click", () => {
    onToggle(names, rows.some(({ input }) => !input.checked));
  });
  return {
    element,
    show(permissions) {
      for (const { name, input } of rows) input.checked = permissions.has(name);
      const ticked = rows.filter(({ input }) => input.checked).length;
      count.replaceChildren(
        make("span", { class: "visually-hidden" }, `, ${ticked} of ${rows.length} ticked`),
        make("span", { "aria-hidden": "true" }, `${ticked} / ${rows.length}`),
      );
      count.classList.toggle("some", ticked > 0);
      const word = ticked === rows.length ? "None" : "All";
      toggle.replaceChildren(
        word,
        make("span", { class: "visually-hidden" }, ` of ${label.toLowerCase()}`),
      );
    },
    filter(words) {
      for (const { row, text } of rows) row.hidden = !words.every((word) => text.includes(word));
      const hits = rows.filter(({ row }) => !row.hidden).length;
      element.hidden = hits === 0;
      // The button would also tick permissions that are hidden.
      toggle.hidden = hits < rows.length || rows.length === 1;
      return hits;
    },
  };
}

interface Row {
  readonly name: PermissionName;
  readonly row: HTMLElement;
  readonly input: HTMLInputElement;
  /** What the filter searches. */
  readonly text: string;
}

function permissionRow(name: PermissionName, onToggle: OnToggle): Row {
  const { label, description, channels, elevated } = permissionInfo[name];
  const input = make("input", {
    type: "checkbox",
    id: `permission-${name}`,
    "aria-describedby": `about-${name}`,
  });
  input.addEventListener("change", () => onToggle([name], input.checked));
  const badge = make(
    "span",
    { class: "badge" },
    icon("lock"),
    make("span", { "aria-hidden": "true" }, "2FA"),
    make("span", { class: "visually-hidden" }, "Elevated: can require two-factor authentication."),
  );
  const where = channels.length === 0 ? "Whole server" : channels.map(capitalized).join(" · ");
  const row = make(
    "div",
    { class: "row" },
    input,
    make("label", { for: input.id }, label),
    make(
      "div",
      { class: "about", id: `about-${name}` },
      make("p", {}, description),
      make("p", { class: "where" }, ...(elevated ? [badge] : []), where),
    ),
  );
  const text = [
    label,
    description,
    name.replaceAll("_", " "),
    where,
    elevated ? "elevated 2fa" : "",
  ]
    .join(" ").toLowerCase();
  return { name, row, input, text };
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
