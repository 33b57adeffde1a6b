/**
 * The texts for wrong input. The library decides what is wrong, but its messages are for developers.
 *
 * @module
 */

/** The fields that the library checks. */
export type CheckedField = "clientId" | "guildId" | "scopes" | "redirectUri";

/** A problem with a pasted text, or with the address of the page. */
export type Unreadable =
  | "nothing"
  | "tooLong"
  | "noInvite"
  | "unknownPermission"
  | "linkPermissions"
  | "tooManyBits";

/** The longest text that the page reads, in characters. It is longer than any working link. */
export const maxLength = 4000;

/** A sentence for each problem. It is short, because a field has room for two lines below it. */
const sentences: Readonly<Record<CheckedField | Unreadable, string>> = {
  clientId: "A client ID has 17 to 20 digits. Copy it from the General Information page.",
  guildId: "A server ID has 17 to 20 digits. Turn on Developer Mode to copy it.",
  scopes: "Scopes are words such as guilds.join, with spaces between them.",
  redirectUri: "Enter a whole address, such as https://app.example/cb, without #.",
  nothing: "Paste a link, a client ID, an integer, or names of permissions first.",
  tooLong: `This is too long: an invite link has at most ${
    maxLength.toLocaleString("en")
  } characters.`,
  noInvite: "This isn't an invite link. It has no client ID and no permissions.",
  unknownPermission: "There is no such permission",
  linkPermissions: "The permissions in this link can't be read: they should be an integer.",
  tooManyBits: "This integer is too large for permissions.",
};

/** Returns the sentence for a field with a wrong value. */
export function fieldProblem(field: CheckedField): string {
  return sentences[field];
}

/** The error for a text that can't be read as an invitation. Its message is for the person who pasted it. */
export class UnreadableError extends Error {
  /** Creates the error. `word` is the word that caused it, if there is one. */
  constructor(problem: Unreadable, word?: string) {
    const cause = word === undefined ? "" : `: “${word.slice(0, 40)}”`;
    super(sentences[problem] + cause);
  }
}
