/**
 * The buttons that set many permissions at once.
 *
 * @module
 */

import { Permissions, type PresetName } from "../../src/permissions/permissions.ts";
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
      return presetButton({ label, about, value, searchText: presetSearchText(name) });
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
  readonly value: bigint;
  /** The text that the filter searches. */
  readonly searchText: string;
}

function presetButton(preset: Preset): Preset & { readonly button: HTMLButtonElement } {
  const id = `preset-${preset.label.toLowerCase().replaceAll(" ", "-")}`;
  const button = make(
    "button",
    { type: "button", class: "preset", id },
    make("span", { class: "label" }, preset.label),
    make("span", { class: "visually-hidden" }, ": "),
    make("span", { class: "hint" }, preset.about),
  );
  return { ...preset, button };
}
