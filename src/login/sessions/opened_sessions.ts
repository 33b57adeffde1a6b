/**
 * Opens sealed sessions, and keeps the contents of the most recent ones, so that the requests of a visit decrypt only once.
 *
 * @module
 */

import { RecentMap } from "../../core/recent_map.ts";
import { freeze } from "../../core/freeze.ts";
import { ofThisFormat } from "../../stores/names.ts";
import type { Sealer } from "../../stores/sealed.ts";
import { maxCookieBytes } from "../site/cookies.ts";

/** The maximum number of kept contents. */
const maxKept = 1000;

/** The contents of sessions. They are frozen, since several requests share them. */
export class OpenedSessions<Content extends object> {
  /** The contents by name and sealed text, or `null` before they are opened. */
  readonly #contents = new RecentMap<Content | null>(maxKept, () => null);

  /** Returns the content of a sealed session, or `null` if the name does not match, or no secret fits. */
  async open(sealer: Sealer, name: string, sealedText: unknown): Promise<Content | null> {
    // A store may return any value, and its text may be that of a session.
    if (typeof sealedText !== "string") return null;
    const key = `${name} ${sealedText}`;
    // A session in a store may be much longer.
    const isShort = key.length <= maxCookieBytes;
    const known = isShort && this.#contents.get(key);
    if (known) return known;
    const content = ofThisFormat<Content>(await sealer.open(name, sealedText));
    if (content) freeze(content);
    if (content && isShort) this.#contents.set(key, content);
    return content;
  }
}
