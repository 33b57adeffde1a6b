/**
 * Opens sealed sessions, and keeps the contents of recent ones, so that the requests of a visit decrypt only once.
 *
 * @module
 */

import { freeze } from "../../core/freeze.ts";
import { ofThisFormat } from "../../stores/names.ts";
import type { Sealer } from "../../stores/sealed.ts";

/** The maximum length of all kept texts. An opened session takes about three times as much memory. */
const maxLength = 4_000_000;

/** The maximum length of one kept text, so that a session with much data does not take the place of all others. */
const maxTextLength = maxLength / 16;

/** The contents of sessions. They are frozen, since several requests share them. */
export class OpenedSessions<Content extends object> {
  /** The contents by name and sealed text. */
  readonly #contents = new Map<string, Content>();
  /** The length of the texts. */
  #length = 0;

  /** Returns the content of a sealed session, or `null` if the name does not match, or no secret fits. */
  async open(sealer: Sealer, name: string, sealedText: unknown): Promise<Content | null> {
    // A store may return any value, and its text may be that of a session.
    if (typeof sealedText !== "string") return null;
    const key = `${name} ${sealedText}`;
    const known = this.#contents.get(key);
    if (known) return known;
    const content = ofThisFormat<Content>(await sealer.open(name, sealedText));
    if (content) this.#keep(key, freeze(content));
    return content;
  }

  /** Keeps a content. Begins anew when there are too many, since opening one takes little time. */
  #keep(key: string, content: Content): void {
    if (key.length > maxTextLength) return;
    if (this.#length + key.length > maxLength) {
      this.#contents.clear();
      this.#length = 0;
    }
    this.#contents.set(key, content);
    this.#length += key.length;
  }
}
