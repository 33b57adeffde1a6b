/**
 * Buttons that copy a text, and say whether they could.
 *
 * @module
 */

import { find } from "./elements.ts";

/** What a button copies. */
export interface Copied {
  /** The text, or `undefined` while there is nothing to copy. */
  text(): string | undefined;
  /** What a screen reader hears when it is done. */
  readonly done: string;
  /** The element that shows the text, which is selected where copying is not allowed. */
  readonly shown?: Element;
  /** The element for what to do where copying is not allowed. */
  readonly help: HTMLElement;
}

/** Makes a button copy, and show "Copied" for a moment. */
export function copyButton(
  id: string,
  { text, done, shown, help }: Copied,
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
      // The other word is shorter, and what is beside the button should stay where it is.
      button.style.minWidth = `${button.offsetWidth}px`;
      show(true);
      announce(done);
      clearTimeout(changingBack);
      changingBack = setTimeout(() => show(false), 2500);
    } catch {
      if (shown) getSelection()?.selectAllChildren(shown);
      help.textContent = shown
        ? "Your browser doesn't let this page copy. The text is selected: copy it by Ctrl+C or the menu."
        : "Your browser doesn't let this page copy. Copy the address from the address bar.";
      help.hidden = false;
      announce(help.textContent);
    }
  });
}
