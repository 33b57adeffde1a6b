/**
 * Finds and makes elements. Text is inserted as text: nothing here parses HTML.
 *
 * @module
 */

/**
 * Finds the element with an id.
 *
 * @throws {TypeError} If there is none, which is a bug in the page or in the script.
 */
export function find<T extends Element>(id: string, type: new () => T): T {
  const element = document.getElementById(id);
  if (!(element instanceof type)) throw TypeError(`The page has no ${type.name} "${id}"`);
  return element;
}

/**
 * Reads a setting of the site that serves the page from a `meta` element. Returns empty text without one.
 *
 * `authorize-url` is the authorize page of the links, in place of Discord's, and `client-id` the client ID at the start.
 * `fillTemplate` writes both. They do not come from the address: a shared address of this page could then make links to a foreign
 * page.
 */
export function meta(name: "authorize-url" | "client-id"): string {
  return document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? "";
}

/** Makes an element with attributes and children. */
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, string>> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** Makes one of the page's symbols, hidden from screen readers. */
export function icon(name: string, extraClass = ""): SVGSVGElement {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("class", `icon ${extraClass}`.trim());
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  use.setAttribute("href", `#i-${name}`);
  svg.append(use);
  return svg;
}

/** Returns a number with its noun, such as "2 bits". */
export function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? "" : "s"}`;
}
