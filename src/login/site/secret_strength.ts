/**
 * Refuses login secrets that others can guess.
 *
 * @module
 */

import { throwBadValue } from "../../core/arguments.ts";
import type { Platform } from "../../links/platform.ts";
import type { AnyLoginOptions } from "../base/options.ts";
import { isThisMachine } from "./site_address.ts";

/** The minimum number of different characters of a secret. A random secret of 32 bytes has more, even in hexadecimal. */
const minDifferentCharacters = 8;

/** The minimum share of different parts in a text. A repeated text has 0.57 at most, and random digits have 0.98. */
const minDifferentPartShare = 0.6;

/** The length of the parts that are compared. */
const partLength = 4;

/** The maximum share of characters that follow from the one before. Fewer than one random secret in a hundred million exceeds it. */
const maxStepShare = 2 / 3;

/** The rows of a keyboard. */
const keyboardRows = "qwertyuiop asdfghjkl zxcvbnm";

/** Texts that templates have in the place of a secret. */
const placeholder = /change.?me|your.?secret/;

/** The options that decide whether a secret is accepted. */
interface SecretOptions extends Pick<AnyLoginOptions, "secret" | "clientSecret"> {
  readonly platform?: Platform | null;
}

/**
 * Throws if a stranger could guess the newest secret, and so forge a session. Older secrets are not checked, so that they can be replaced.
 * A platform on localhost has no real people, so every secret is accepted there.
 *
 * @throws {TypeError} If the secret can be guessed. The message never shows it.
 */
export function checkSecretStrength({ secret, clientSecret, platform }: SecretOptions): void {
  if (platform && isThisMachine(new URL(platform.apiUrl).hostname)) return;
  const isList = typeof secret !== "string";
  const newest = isList ? secret[0] : secret;
  const weakness = newest === clientSecret ? "the client secret" : weaknessOf(newest.toLowerCase());
  if (weakness === null) return;
  const name = isList ? "secret[0]" : "secret";
  throwBadValue(name, "random text (npx @guildpass/sdk secret prints it)", weakness);
}

/** Returns the reason why a text in lowercase can be guessed, or `null`. */
function weaknessOf(text: string): string | null {
  if (new Set(text).size < minDifferentCharacters) {
    return `text with fewer than ${minDifferentCharacters} different characters`;
  }
  const parts = new Set<string>();
  const partCount = text.length - partLength + 1;
  for (let at = 0; at < partCount; at++) parts.add(text.slice(at, at + partLength));
  if (parts.size < partCount * minDifferentPartShare) return "a repeated text";
  if (isSequence(text)) return "a sequence of characters";
  return placeholder.test(text) ? "a placeholder" : null;
}

/** Returns true if most characters of a text, or every other one, follow from the one before, as in `0123`, `ddccbb`, `a1b2c3` and `qwer`. */
function isSequence(text: string): boolean {
  for (const distance of [1, 2, -1, -2]) {
    let steps = 0;
    for (let at = 0; at < text.length; at++) {
      const next = at + distance;
      const difference = text.charCodeAt(next) - text.charCodeAt(at);
      const isKeyboardStep = keyboardRows.includes(`${text[at]}${text[next]}`);
      if (difference === 0 || difference === 1 || isKeyboardStep) steps++;
    }
    if (steps > (text.length - Math.abs(distance)) * maxStepShare) return true;
  }
  return false;
}
