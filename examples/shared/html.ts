/**
 * HTML for the examples: whatever is put into a template is escaped, unless it came from a template itself.
 *
 * It imports nothing, so that it works in a script that is run by its address and in a folder that is copied elsewhere.
 *
 * @module
 */

/** HTML that goes into other HTML unchanged. */
export class Html {
  readonly #text: string;

  /** Trusts the text: only for HTML that is part of the program. Everything else goes through {@link html}. */
  constructor(text: string) {
    this.#text = text;
  }

  /** The HTML as text. */
  toString(): string {
    return this.#text;
  }
}

/** What a template takes; a list is joined without anything in between. */
export type HtmlValue = string | number | Html | readonly HtmlValue[];

/**
 * Makes HTML from a template. The values may stand between tags and in attributes with quotes; whether the address of a
 * link is a good one is not checked.
 */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return new Html(String.raw({ raw: strings }, ...values.map(toText)));
}

function toText(value: HtmlValue): string {
  if (value instanceof Html) return value.toString();
  if (Array.isArray(value)) return value.map(toText).join("");
  return escapeHtml(String(value));
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
