/**
 * HTML for the examples. A template escapes every value, except HTML that another template made.
 *
 * This module imports nothing, so that it works in a script that is run by its address and in a copied folder.
 *
 * @module
 */

/** HTML that a template inserts unchanged. */
export class Html {
  readonly #text: string;

  /** Trusts the text, so use it only for HTML that is part of the program, and {@link html} for everything else. */
  constructor(text: string) {
    this.#text = text;
  }

  /** The HTML as text. */
  toString(): string {
    return this.#text;
  }
}

/** A value in a template. The items of a list are joined. */
export type HtmlValue = string | number | Html | readonly HtmlValue[];

/**
 * Makes HTML from a template. Values may stand between tags and in quoted attributes. The address of a link is not
 * checked.
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
