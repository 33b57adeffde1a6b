/**
 * Renders names, which can be long, written from right to left, or empty.
 *
 * @module
 */

import type { User } from "../world/user.ts";
import { escapeHtml } from "./page.ts";

/** Returns the HTML of a name. A right-to-left name does not change the order of the text around it. */
export function nameHtml(name: string): string {
  return `<bdi>${escapeHtml(visibleName(name))}</bdi>`;
}

/** Returns a name, or a replacement for a name without a visible character. */
export function visibleName(name: string): string {
  return isVisible(name) ? name : "(no name)";
}

/** Returns the HTML of a user's display name and username. */
export function userName(user: User): string {
  const username = `<bdi>@${escapeHtml(visibleName(user.payload.username))}</bdi>`;
  return `<span class="name">${nameHtml(displayName(user))} <small>${username}</small></span>`;
}

/** Returns the HTML of a user's avatar. */
export function avatar(user: User): string {
  const { id, avatar } = user.payload;
  return image("avatars", id, avatar, displayName(user));
}

/** Returns the HTML of an image, or of the first visible character of the name. Screen readers skip both. */
export function image(kind: string, id: string, hash: string | null, name: string): string {
  const initial = Array.from(name).find(isVisible) ?? "";
  return hash === null
    ? `<span class="tile" aria-hidden="true">${escapeHtml(initial)}</span>`
    : `<img class="tile" alt="" src="/cdn/${kind}/${id}/${
      encodeURIComponent(hash.toWellFormed())
    }.png?size=64">`;
}

function displayName({ payload }: User): string {
  return payload.global_name ?? payload.username;
}

/** Returns true if a text has a letter, a number, a punctuation mark or a symbol, except fillers and the blank of Braille. */
function isVisible(text: string): boolean {
  return /(?![\p{Default_Ignorable_Code_Point}\u2800])[\p{L}\p{N}\p{P}\p{S}]/u.test(text);
}
