/**
 * Filters the list of guilds while a person types. Without this script, the button beside the field does it.
 *
 * @module
 */

import { find } from "../../invite_builder/elements.ts";
import { describeMatches, matches } from "./matching.ts";

const form = find("filter-form", HTMLFormElement);
const field = find("filter", HTMLInputElement);
const status = find("filter-status", HTMLElement);
const entries = [...document.querySelectorAll<HTMLElement>("[data-guild]")];
const sections = [...document.querySelectorAll<HTMLElement>("[data-guilds]")];

function showMatches(): void {
  for (const entry of entries) entry.hidden = !matches(entry.dataset["guild"] ?? "", field.value);
  const shown = entries.filter(({ hidden }) => !hidden);
  for (const section of sections) {
    section.hidden = !shown.some((entry) => section.contains(entry));
  }
  status.textContent = describeMatches(shown.length, entries.length);
}

/** Keeps the filter in the address, so that a reload and Back show the same guilds. */
function saveInAddress(): void {
  const query = field.value && `?${new URLSearchParams({ filter: field.value })}`;
  history.replaceState(null, "", location.pathname + query);
}

find("filter-button", HTMLButtonElement).hidden = true;
field.addEventListener("input", showMatches);
field.addEventListener("change", saveInAddress);
form.addEventListener("submit", (event) => {
  event.preventDefault();
  saveInAddress();
});
// Browsers may fill the field after Back.
showMatches();
