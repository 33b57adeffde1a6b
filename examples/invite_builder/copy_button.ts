/**
 * Buttons that copy a text and report success or failure.
 *
 * @module
 */

import { find } from "./elements.ts";

/** Options of {@link setUpCopyButton}. */
export interface CopyButtonOptions {
  /** Returns the text, or `undefined` while there is nothing to copy. */
  text(): string | undefined;
  /** The announcement for screen readers after the text was copied. */
  readonly done: string;
  /** The element that shows the text. If the browser forbids copying, its text is selected. */
  readonly shown?: Element;
  /** The element for instructions if the browser forbids copying. */
  readonly help: HTMLElement;
}

/** Makes a button copy a text and show "Copied" for a moment. */
export function setUpCopyButton(
  id: string,
  { text, done, shown, help }: CopyButtonOptions,
  announce: (text: string) => void,
): void {
  const button = find(id, HTMLButtonElement);
  const label = button.querySelector(".label");
  const use = button.querySelector("use");
  if (!label || !use) throw TypeError(`The button "${id}" needs a label and an icon`);
  const [usualLabel, usualIcon] = [label.textContent, use.getAttribute("href") ?? ""];
  let changingBack: ReturnType<typeof setTimeout> | undefined;

  const show = (isDone: boolean): void => {
    button.classList.toggle("done", isDone);
    label.textContent = isDone ? "Copied" : usualLabel;
    use.setAttribute("href", isDone ? "#i-check" : usualIcon);
  };
  button.addEventListener("click", async () => {
    const wanted = text();
    if (wanted === undefined) return;
    try {
      await navigator.clipboard.writeText(wanted);
      help.hidden = true;
      // The width stays, so that a shorter label moves nothing beside the button.
      button.style.minWidth = `${button.offsetWidth}px`;
      show(true);
      announce(done);
      clearTimeout(changingBack);
      changingBack = setTimeout(() => show(false), 2500);
    } catch {
      if (shown) selectText(shown);
      help.textContent = shown
        ? "Your browser doesn't let this page copy. The text is selected, so copy it with Ctrl+C or the menu."
        : "Your browser doesn't let this page copy. Copy the address from the address bar.";
      help.hidden = false;
      announce(help.textContent);
    }
  });
}

/** Selects the text of an element. The selection ends in the text, since Chromium adds a line break to a whole block. */
function selectText({ firstChild, lastChild }: Element): void {
  if (firstChild === null || lastChild === null) return;
  getSelection()?.setBaseAndExtent(firstChild, 0, lastChild, lastChild.textContent?.length ?? 0);
}
