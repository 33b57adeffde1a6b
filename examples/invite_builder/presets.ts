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
import { botPresets, botPresetSearchText, botPresetValue } from "./bot_presets.ts";
import { find, make } from "./elements.ts";
import { matches, presetWords } from "./search.ts";

/** The preset buttons. */
export interface PresetButtons {
  /** Marks the preset with a value, or, with `combine`, all presets within the value. */
  show(permissions: Permissions, combine: boolean): void;
  /** Hides the presets that do not match, and returns the number of the others. */
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
  advanced: ["Advanced", "Only Administrator"],
};

/** The difference between a preset and what its label promises. */
interface Difference {
  /** Permissions beyond those that its label promises. */
  readonly grants: readonly PermissionName[];
  /** Permissions that it lacks, although most people expect them. */
  readonly lacks: readonly PermissionName[];
}

/** The presets that grant more or less than their labels say. The specification of the library defines their content. */
export const presetDifferences: Readonly<Partial<Record<PresetName, Difference>>> = {
  general: { grants: [], lacks: ["manage_events"] },
  allChannel: { grants: ["manage_roles", "moderate_members"], lacks: ["send_messages_in_threads"] },
  text: { grants: ["mention_everyone", "moderate_members"], lacks: ["view_channel"] },
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

/** Makes a button for each kind of bot, each preset, all permissions and none, and puts them into the page. */
export function createPresetButtons(
  onChoose: (label: string, value: bigint) => void,
): PresetButtons {
  const everything = new Permissions().all();
  const ofBots = botPresets.map((preset) => {
    const [value, searchText] = [botPresetValue(preset), botPresetSearchText(preset)];
    return presetButton({ ...preset, value, searchText }, "hint");
  });
  const ofTopics = [
    ...(Object.keys(presetTexts) as PresetName[]).map((name) => {
      const [label, about] = presetTexts[name];
      const value = Permissions.presets[name];
      const difference = differenceText(name);
      const searchText = presetSearchText(name);
      return presetButton({ label, about, difference, value, searchText }, hiddenHint);
    }),
    presetButton({
      label: "Everything",
      about: `All ${everything.toArray().length} permissions`,
      value: everything.value,
      searchText: "everything all full",
    }, hiddenHint),
    presetButton(
      { label: "Clear", about: "No permissions", value: 0n, searchText: "clear none" },
      hiddenHint,
    ),
  ];
  const presets = [...ofBots, ...ofTopics];
  for (const { button, label, value } of presets) {
    button.addEventListener("click", () => onChoose(label, value));
  }
  const groups = [["bot-presets", ofBots], ["topic-presets", ofTopics]] as const;
  for (const [id, members] of groups) {
    find(id, HTMLElement).append(...members.map(({ button }) => button));
  }
  return {
    show(permissions, combine) {
      // The button for no permissions clears, so it is never marked as chosen.
      for (const { button, value } of presets.filter(({ value }) => value !== 0n)) {
        const isChosen = combine ? permissions.has(value) : permissions.equals(value);
        button.setAttribute("aria-pressed", String(isChosen));
      }
      const chosen = ofTopics.filter(({ button }) => button.ariaPressed === "true");
      find("topic-presets-about", HTMLElement).textContent = chosen.length === 1
        ? chosen.map(({ button }) => button.textContent).join()
        : "";
    },
    filter(query) {
      for (const { button, searchText } of presets) button.hidden = !matches(searchText, query);
      for (const [id, members] of groups) {
        find(`${id}-group`, HTMLElement).hidden = members.every(({ button }) => button.hidden);
      }
      return presets.filter(({ button }) => !button.hidden).length;
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

/** The class of a description that is only read aloud, since the page would become too long. It is visible once the preset is chosen. */
const hiddenHint = "visually-hidden";

function presetButton(
  preset: Preset,
  hintClass: "hint" | typeof hiddenHint,
): Preset & { readonly button: HTMLButtonElement } {
  const { label, about, difference } = preset;
  const id = `preset-${label.toLowerCase().replaceAll(" ", "-")}`;
  const description = difference ? `${about}. ${difference}` : about;
  const button = make(
    "button",
    {
      type: "button",
      class: "preset",
      id,
      ...(hintClass === hiddenHint && { title: description }),
    },
    make("span", { class: "label" }, label),
    make("span", { class: "visually-hidden" }, ": "),
    make("span", { class: hintClass }, description),
  );
  return { ...preset, button };
}
