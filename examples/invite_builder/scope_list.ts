/**
 * The checkboxes of the scopes.
 *
 * @module
 */

import { find, make } from "./elements.ts";
import { type Invite, scopeDescriptions } from "./invite.ts";

/** The checkboxes. */
export interface ScopeCheckboxes {
  /** Returns the ticked scopes. */
  chosen(): string[];
  /** Ticks the scopes of an invitation. */
  show(invite: Invite): void;
}

/** Creates the checkboxes of the scopes. */
export function createScopeCheckboxes(onChange: () => void): ScopeCheckboxes {
  const inputs = Object.entries(scopeDescriptions).map(([scope, about], i) => {
    const id = `scope-${scope.replaceAll(".", "-")}`;
    const input = make("input", { type: "checkbox", id, value: scope });
    input.setAttribute("aria-describedby", `${id}-hint`);
    input.addEventListener("change", onChange);
    find(i === 0 ? "main-scopes" : "code-scopes", HTMLElement).append(
      make(
        "div",
        { class: "tick" },
        input,
        make("label", { for: id }, make("code", {}, scope)),
        make("p", { class: "hint", id: `${id}-hint` }, about),
      ),
    );
    return input;
  });
  return {
    chosen: () => inputs.filter(({ checked }) => checked).map(({ value }) => value),
    show({ scopes, installation }) {
      for (const input of inputs) {
        // An installation for a person always has this scope.
        const implied = installation === "user" && input.value === "applications.commands";
        input.checked = implied || scopes.includes(input.value);
        input.disabled = implied;
      }
    },
  };
}
