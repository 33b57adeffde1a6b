/**
 * The list of permissions in groups, from the library's table.
 *
 * @module
 */

import { type PermissionGroup, permissionInfo } from "../../src/permissions/permission_info.ts";
import { type PermissionName, Permissions } from "../../src/permissions/permissions.ts";
import { find, icon, make } from "./elements.ts";
import { matches, permissionSearchText } from "./search.ts";

/** The list of permissions. */
export interface PermissionList {
  /** Ticks the permissions of a value and counts them in each group. */
  show(value: bigint): void;
  /** Hides the permissions that do not match, and returns the number of the others. */
  filter(query: string): number;
  /** Shows the descriptions of all permissions, or of none. */
  describe(on: boolean): void;
}

/** Called when a person switches permissions on or off. */
export type OnToggle = (names: readonly PermissionName[], on: boolean) => void;

/** Makes the list and puts it into the page. */
export function createPermissionList(onToggle: OnToggle): PermissionList {
  // On a phone, all groups together would be long, so they start folded.
  const isOpen = matchMedia("(min-width: 620px)").matches;
  const columns = groupColumns.map((column) =>
    Object.entries(column).map(([group, label]) =>
      permissionGroup(group as PermissionGroup, label, isOpen, onToggle)
    )
  );
  const columnElements = columns.map((groups) =>
    make("div", {}, ...groups.map(({ element }) => element))
  );
  find("groups", HTMLElement).append(...columnElements);
  const groups = columns.flat();
  return {
    show(value) {
      for (const group of groups) group.show(new Permissions(value));
    },
    filter(query) {
      const hits = groups.reduce((sum, group) => sum + group.filter(query), 0);
      for (const [i, element] of columnElements.entries()) {
        element.hidden = columns[i]?.every((group) => group.element.hidden) ?? false;
      }
      return hits;
    },
    describe(on) {
      for (const group of groups) group.describe(on);
    },
  };
}

/** The groups with their labels, in columns of about the same length. */
const groupColumns = [
  { general: "General", membership: "Membership" },
  { text: "Text" },
  { voice: "Voice", stage: "Stage", advanced: "Advanced" },
] as const satisfies readonly Partial<Record<PermissionGroup, string>>[];

interface Group {
  readonly element: HTMLElement;
  show(permissions: Permissions): void;
  filter(query: string): number;
  describe(on: boolean): void;
}

function permissionGroup(
  group: PermissionGroup,
  label: string,
  isOpen: boolean,
  onToggle: OnToggle,
): Group {
  const names = (Object.keys(permissionInfo) as PermissionName[])
    .filter((name) => permissionInfo[name].group === group);
  const rows = names.map((name) => permissionRow(name, onToggle));
  const labelId = `group-${group}-label`;
  const count = make("span", { class: "count" });
  const toggle = make("button", { type: "button", class: "all" });
  const element = make(
    "details",
    { class: "group", id: `group-${group}` },
    make("summary", {}, icon(group), make("span", { id: labelId }, label), count),
    make(
      "div",
      { role: "group", "aria-labelledby": labelId },
      toggle,
      ...rows.map(({ row }) => row),
    ),
  );
  element.open = isOpen;
  /** True if the group was open before the search. `undefined` without a search. */
  let wasOpen: boolean | undefined;
  toggle.addEventListener("click", () => {
    onToggle(names, rows.some(({ input }) => !input.checked));
  });
  return {
    element,
    show(permissions) {
      for (const { name, input } of rows) input.checked = permissions.has(name);
      const ticked = rows.filter(({ input }) => input.checked).length;
      count.replaceChildren(
        make("span", { class: "visually-hidden" }, `, ${ticked} of ${rows.length} selected`),
        make("span", { "aria-hidden": "true" }, `${ticked} / ${rows.length}`),
      );
      count.classList.toggle("some", ticked > 0);
      toggle.replaceChildren(
        ticked === rows.length ? "None" : "All",
        make("span", { class: "visually-hidden" }, ` of ${label.toLowerCase()}`),
      );
    },
    filter(query) {
      for (const { row, searchText } of rows) row.hidden = !matches(searchText, query);
      const hits = rows.filter(({ row }) => !row.hidden).length;
      element.hidden = hits === 0;
      // The button would also tick hidden permissions.
      toggle.hidden = hits < rows.length || rows.length === 1;
      if (query.trim() === "") {
        element.open = wasOpen ?? element.open;
        wasOpen = undefined;
      } else {
        wasOpen ??= element.open;
        element.open = true;
      }
      return hits;
    },
    describe(on) {
      for (const row of rows) row.describe(on);
    },
  };
}

interface Row {
  readonly name: PermissionName;
  readonly row: HTMLElement;
  readonly input: HTMLInputElement;
  /** The text that the filter searches. */
  readonly searchText: string;
  /** Shows the description in place of its button, or the reverse. */
  describe(on: boolean): void;
}

function permissionRow(name: PermissionName, onToggle: OnToggle): Row {
  const { label, description, channels, elevated } = permissionInfo[name];
  const aboutId = `about-${name}`;
  const input = make("input", {
    type: "checkbox",
    id: `permission-${name}`,
    "aria-describedby": aboutId,
  });
  input.addEventListener("change", () => onToggle([name], input.checked));
  const where = channels.length === 0 ? "Whole server" : channels.map(capitalized).join(" · ");
  const about = make(
    "div",
    { class: "hint about", id: aboutId },
    make("p", {}, description),
    make("p", {}, elevated ? `${where} · Can require two-factor authentication` : where),
  );
  const more = make(
    "button",
    { type: "button", class: "more", "aria-controls": aboutId, "aria-label": `About ${label}` },
    "?",
  );
  let isShown = false;
  const showAbout = (on: boolean): void => {
    isShown = on;
    about.hidden = !on;
    more.setAttribute("aria-expanded", String(on));
  };
  showAbout(false);
  more.addEventListener("click", () => showAbout(!isShown));
  const labelElement = make("label", { for: input.id }, label);
  if (elevated) labelElement.append(" ", icon("lock", "elevated"));
  return {
    name,
    row: make("div", { class: "row" }, input, labelElement, more, about),
    input,
    searchText: permissionSearchText(name),
    describe(on) {
      showAbout(on);
      more.hidden = on;
    },
  };
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
