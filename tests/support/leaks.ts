/**
 * Looks for secrets in whatever a program might log of a value.
 *
 * @module
 */

import { inspect } from "node:util";

/** The places of a value where one of the secrets shows, in clear or escaped. */
export function leaksOf(value: unknown, secrets: readonly string[]): string[] {
  const wanted = secrets.flatMap((secret) => [secret, btoa(secret)]);
  const skeletons = secrets.map(skeletonOf);
  const shows = (text: string): boolean => {
    const skeleton = skeletonOf(text);
    return wanted.some((secret) => text.includes(secret)) ||
      skeletons.some((secret) => skeleton.includes(secret));
  };
  return placesOf(value).filter(([, text]) => shows(text)).map(([place]) => place);
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

/** All keys and values at any depth: hidden ones, such as `message`, `stack` and `cause`, and those of the prototypes. */
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

/** The letters and digits of a text, once all that escapes them is undone. */
function skeletonOf(text: string): string {
  let plain = text;
  let before;
  do {
    before = plain;
    plain = plain
      .replace(
        /(?:%|\\x|\\u00|&#x)([\da-f]{2});?/gi,
        (_, hex: string) => String.fromCharCode(parseInt(hex, 16)),
      )
      .replace(/&(?:quot|apos|amp|lt|gt|#\d+);/g, "")
      .replace(/\\(?!u00|x)/g, "");
  } while (plain !== before);
  return plain.replace(/[^a-z\d]/gi, "");
}
