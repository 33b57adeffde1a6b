/**
 * The bar at the bottom of a narrow window, which shows the link. A person can fold it.
 *
 * @module
 */

import { find } from "./elements.ts";

/** Lets the person fold the bar. The state lasts for the visit, also after a reload: the entry in the browser's history has it. */
export function setUpBar(): void {
  const bar = find("result", HTMLElement);
  const button = find("fold", HTMLButtonElement);
  const show = (isFolded: boolean): void => {
    bar.classList.toggle("folded", isFolded);
    button.setAttribute("aria-expanded", String(!isFolded));
  };
  show(history.state?.isFolded === true);
  button.addEventListener("click", () => {
    const isFolded = !bar.classList.contains("folded");
    show(isFolded);
    saveState({ isFolded });
  });
  document.addEventListener("focusin", ({ target }) => {
    // The browser scrolls first. Some ignore the bar.
    requestAnimationFrame(() => {
      if (target instanceof Element && button.checkVisibility()) showAbove(bar, target);
    });
  });
}

/** Scrolls an element that has the focus of the keyboard out from behind the bar. A click moves nothing under the pointer. */
function showAbove(bar: Element, element: Element): void {
  if (bar.contains(element) || !element.matches(":focus-visible")) return;
  const hidden = element.getBoundingClientRect().bottom - bar.getBoundingClientRect().top;
  if (hidden > 0) scrollBy(0, hidden + 8);
}

function saveState(state: unknown): void {
  try {
    history.replaceState(state, "");
  } catch {
    // A page in a sandboxed frame can't change its history.
  }
}
