/**
 * Small helpers to find and make elements. They insert text as text: nothing here parses HTML.
 *
 * @module
 */

/**
 * The element with an id.
 *
 * @throws {TypeError} When there is none, which is a mistake in the page or in the script.
 */
export function find<T extends Element>(id: string, type: new () => T): T {
  const element = document.getElementById(id);
  if (!(element instanceof type)) throw TypeError(`The page has no ${type.name} "${id}"`);
  return element;
}

/**
 * What the site that serves the page has written into one of its `meta` elements; empty text where it has not.
 *
 * `authorize-url` is the authorize page that the links lead to, in place of Discord's, and `client-id` is the client ID that
 * the page starts with. `buildInviteBuilder` writes both. They are not read from the address, since then anybody could
 * share an address of this page that makes links to a page of their own.
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

/** One of the page's symbols, hidden from screen readers, with a class besides `icon` where one is given. */
export function icon(name: string, extraClass = ""): SVGSVGElement {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("class", `icon ${extraClass}`.trim());
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  use.setAttribute("href", `#i-${name}`);
  svg.append(use);
  return svg;
}

/** A number with its noun. */
export function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? "" : "s"}`;
}
