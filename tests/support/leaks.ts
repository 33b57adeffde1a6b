/**
 * Searches for secrets in all loggable forms of a value.
 *
 * @module
 */

import { inspect } from "node:util";

/** Lists the places in a value with one of the secrets, or a long part of it, in clear or escaped. */
export function leaksOf(value: unknown, secrets: readonly string[]): string[] {
  const wanted = secrets.flatMap((secret) => [secret, btoa(secret)]);
  const skeletons = [...new Set(secrets.map(skeletonOf))];
  const pieces = [...new Set(skeletons.flatMap(piecesOf))];
  const shows = (text: string): boolean => {
    const skeleton = skeletonOf(text);
    const isIn = (part: string) => skeleton.includes(part);
    return wanted.some((secret) => text.includes(secret)) ||
      (pieces.some(isIn) && skeletons.flatMap(partsOf).some(isIn));
  };
  const places = placesOf(value);
  const leaks = new Set([...new Set(places.map(([, text]) => text))].filter(shows));
  return places.filter(([, text]) => leaks.has(text)).map(([place]) => place);
}

function placesOf(value: unknown): (readonly [place: string, text: string])[] {
  return [
    ["String()", String(value)],
    ["JSON.stringify()", JSON.stringify(value) ?? ""],
    ["JSON.stringify() of all", JSON.stringify(value, Object.getOwnPropertyNames(Object(value)))],
    ["inspect()", inspect(value)],
    ["inspect() of all", inspect(value, { showHidden: true, depth: Infinity, getters: true })],
    ...(globalThis.Deno ? denoPlacesOf(value) : []),
    ...propertiesOf(value, "", new Set()),
  ];
}

function denoPlacesOf(value: unknown): (readonly [string, string])[] {
  const all = { showHidden: true, depth: Infinity, getters: true };
  return [
    ["Deno.inspect()", Deno.inspect(value)],
    ["Deno.inspect() of all", Deno.inspect(value, all)],
  ];
}

/** Lists all keys and values at any depth: hidden ones, such as `message`, `stack` and `cause`, and the getters of prototypes. */
function propertiesOf(
  value: unknown,
  path: string,
  seen: Set<unknown>,
): (readonly [string, string])[] {
  if (typeof value !== "object" || value === null) return [[path, String(value)]];
  if (seen.has(value)) return [];
  seen.add(value);
  const prototype: unknown = Object.getPrototypeOf(value);
  const own = Reflect.ownKeys(value).flatMap((key) => {
    const place = `${path}.${String(key)}`;
    return [
      [`key ${place}`, String(key)] as const,
      ...propertiesOf(Reflect.get(value, key), place, seen),
    ];
  });
  const inherited = Reflect.ownKeys(Object(prototype))
    .filter((key) => Object.getOwnPropertyDescriptor(prototype, key)?.get)
    .map((key) => [`${path}.${String(key)}`, String(Reflect.get(value, key))] as const);
  return [...own, ...inherited];
}

/** Lists every substring of twelve characters, or the whole text if it is shorter. */
function partsOf(text: string): string[] {
  return Array.from({ length: Math.max(1, text.length - 11) }, (_, at) => text.slice(at, at + 12));
}

/** Lists the pieces of six characters, one after the other. A substring of twelve has one of them, so that most texts need few searches. */
function piecesOf(text: string): string[] {
  return text.match(/.{6}/g) ?? [text];
}

/** Undoes all escaping, and returns the letters and digits in lower case. */
function skeletonOf(text: string): string {
  let plain = text;
  let before;
  do {
    before = plain;
    plain = plain
      .replace(
        /(?:%|\\x|\\u00|\\u\{0*|&#x0*)([\da-f]{2})[;}]?/gi,
        (_, hex: string) => String.fromCharCode(parseInt(hex, 16)),
      )
      .replace(/&#(\d+);?/g, (_, decimal: string) => String.fromCharCode(Number(decimal)))
      .replace(/&amp;/gi, "&");
  } while (plain !== before);
  return plain.replace(/&(?:quot|apos|lt|gt);|[^a-z\d]/gi, "").toLowerCase();
}
