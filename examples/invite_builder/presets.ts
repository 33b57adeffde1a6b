/**
 * The buttons that set many permissions at once.
 *
 * @module
 */

import { permissionInfo } from "../../src/permissions/permission_info.ts";
import {
  type PermissionName,
  Permissions,
  type PresetName,
} from "../../src/permissions/permissions.ts";
import { find, make } from "./elements.ts";
import { matches, presetWords } from "./search.ts";

/** The preset buttons. */
export interface PresetButtons {
  /** Marks the preset that equals a value, or, with `combine`, the presets that it contains. */
  show(permissions: Permissions, combine: boolean): void;
  /** Hides the presets that do not match, and returns the number that do. */
  filter(query: string): number;
}

/** The label of each preset, and its content in a few words. */
export const presetTexts: Readonly<Record<PresetName, readonly [label: string, about: string]>> = {
  general: ["General", "Server, channels, roles"],
  allChannel: ["All channel", "Text, voice and threads"],
  membership: ["Membership", "Invite, kick, ban, rename"],
  text: ["Text", "Write, embed, react"],
  voice: ["Voice", "Join, speak, video, mute"],
  stage: ["Stage", "Ask to speak"],
  stageModerator: ["Stage moderator", "Channels, mute, move"],
  elevated: ["Elevated", "Manage, kick, ban, admin"],
  advanced: ["Advanced", "Administrator alone"],
};

/** The difference between a preset and what its label promises. */
interface Difference {
  /** Permissions that it grants, which nobody expects by its label. */
  readonly grants: readonly PermissionName[];
  /** Permissions that it lacks, although most people expect them. */
  readonly lacks: readonly PermissionName[];
}

/** The presets that grant more or less than their labels say. The specification of the library defines their content. */
export const presetDifferences: Readonly<Partial<Record<PresetName, Difference>>> = {
  general: { grants: [], lacks: ["manage_events"] },
  allChannel: { grants: ["manage_roles"], lacks: ["send_messages_in_threads"] },
  text: { grants: ["mention_everyone"], lacks: ["view_channel"] },
  voice: { grants: ["mute_members"], lacks: ["view_channel"] },
  stage: { grants: [], lacks: ["view_channel", "connect"] },
  elevated: { grants: [], lacks: ["manage_webhooks"] },
};

/** Says in what a preset differs from its label; empty if it does not. */
export function differenceText(name: PresetName): string {
  const { grants = [], lacks = [] } = presetDifferences[name] ?? {};
  const labels = (names: readonly PermissionName[]) =>
    names.map((permission) => permissionInfo[permission].label).join(" and ");
  return [
    ...(grants.length > 0 ? [`With ${labels(grants)}`] : []),
    ...(lacks.length > 0 ? [`${grants.length > 0 ? "without" : "Without"} ${labels(lacks)}`] : []),
  ].join(", ");
}

/** Returns the text that a search for presets looks through. */
export function presetSearchText(name: PresetName): string {
  return [name, ...presetTexts[name], presetWords[name] ?? ""].join(" ");
}

/** Makes a button for each preset, for all permissions and for none, and puts them into the page. */
export function createPresetButtons(
  onChoose: (label: string, value: bigint) => void,
): PresetButtons {
  const everything = new Permissions().all();
  const presets = [
    ...(Object.keys(presetTexts) as PresetName[]).map((name) => {
      const [label, about] = presetTexts[name];
      const value = Permissions.presets[name];
      const difference = differenceText(name);
      return presetButton({ label, about, difference, value, searchText: presetSearchText(name) });
    }),
    presetButton({
      label: "Everything",
      about: `All ${everything.toArray().length} permissions`,
      value: everything.value,
      searchText: "everything all full",
    }),
    presetButton({ label: "Clear", about: "Nothing ticked", value: 0n, searchText: "clear none" }),
  ];
  for (const { button, label, value } of presets) {
    button.addEventListener("click", () => onChoose(label, value));
  }
  const section = find("presets", HTMLElement);
  section.append(...presets.map(({ button }) => button));
  return {
    show(permissions, combine) {
      // The button for no permissions clears, so it is never marked as chosen.
      for (const { button, value } of presets.filter(({ value }) => value !== 0n)) {
        const isChosen = combine ? permissions.has(value) : permissions.equals(value);
        button.setAttribute("aria-pressed", String(isChosen));
        // It is read aloud in any case. The page would become too long if it were visible everywhere.
        button.querySelector(".difference")?.classList.toggle("visually-hidden", !isChosen);
      }
    },
    filter(query) {
      for (const { button, searchText } of presets) button.hidden = !matches(searchText, query);
      const hits = presets.filter(({ button }) => !button.hidden).length;
      section.hidden = hits === 0;
      return hits;
    },
  };
}

interface Preset {
  readonly label: string;
  readonly about: string;
  /** The difference from what the label says. */
  readonly difference?: string;
  readonly value: bigint;
  /** The text that the filter searches. */
  readonly searchText: string;
}

function presetButton(preset: Preset): Preset & { readonly button: HTMLButtonElement } {
  const id = `preset-${preset.label.toLowerCase().replaceAll(" ", "-")}`;
  const button = make(
    "button",
    { type: "button", class: "preset", id, ...(preset.difference && { title: preset.difference }) },
    make("span", { class: "label" }, preset.label),
    make("span", { class: "visually-hidden" }, ": "),
    make("span", { class: "hint" }, preset.about),
    ...(preset.difference
      ? [
        make("span", { class: "visually-hidden" }, ". "),
        make("span", { class: "hint difference" }, preset.difference),
      ]
      : []),
  );
  return { ...preset, button };
}
