/**
 * The label of a session in a store, which the option `sessionLabel` makes. Labels are encrypted, because a label may describe the
 * person's device.
 *
 * @module
 */

import { cleanText } from "../../core/safe_text.ts";
import type { Sealer } from "../../stores/sealed.ts";

/** The maximum length of a label, in characters. */
const maxLabelLength = 200;

/**
 * Encrypts the text that `sessionLabel` has returned.
 *
 * @param sessionId The id of the session in the list for the person.
 * @returns `undefined` without a text.
 * @throws {TypeError} If the text is something else.
 */
export async function sealLabel(
  sealer: Sealer,
  sessionId: string,
  text: unknown,
): Promise<string | undefined> {
  const given = text ?? "";
  if (typeof given !== "string") {
    throw new TypeError(
      `sessionLabel must return text or null, and not a promise, received ${typeof given}`,
    );
  }
  const characters = [...cleanText(given).replace(/\p{Cs}/gu, "\ufffd").trim()];
  const label = characters.slice(0, maxLabelLength).join("");
  return label ? await sealer.seal(sessionId, label) : undefined;
}
