/**
 * What the page says to a person about a wrong entry. The library decides what is wrong; its messages are for developers.
 *
 * @module
 */

/** The fields whose value the library checks. */
export type CheckedField = "clientId" | "guildId" | "scopes" | "redirectUri";

/** What can't be done with a text that somebody pasted, or with the address of the page. */
export type Unreadable =
  | "nothing"
  | "tooLong"
  | "noInvite"
  | "unknownPermission"
  | "linkPermissions"
  | "tooManyBits";

/** A sentence for each problem. Short, since there is room for two lines below a field. */
const sentences: Readonly<Record<CheckedField | Unreadable, string>> = {
  clientId: "A client ID has 17 to 20 digits. Copy it from the General Information page.",
  guildId: "A server ID has 17 to 20 digits. Turn on Developer Mode to copy it.",
  scopes: "Scopes are words such as guilds.join, with spaces between them.",
  redirectUri: "Enter a whole address, such as https://app.example/cb, without #.",
  nothing: "Paste an invite link, an integer, or names of permissions first.",
  tooLong: "This is too long: an invite link has at most 4,000 characters.",
  noInvite: "This link invites nothing: it has no client ID and no permissions.",
  unknownPermission: "There is no such permission",
  linkPermissions: "The permissions in this link can't be read: they should be an integer.",
  tooManyBits: "This integer is too large for permissions.",
};

/** The sentence for a field with a wrong value. */
export function fieldProblem(field: CheckedField): string {
  return sentences[field];
}

/** A text that can't be read as an invitation. Its message is for the person who pasted it. */
export class UnreadableError extends Error {
  /** Takes the problem, and the word that caused it if there is one. */
  constructor(problem: Unreadable, word?: string) {
    const cause = word === undefined ? "" : `: “${word.slice(0, 40)}”`;
    super(sentences[problem] + cause);
  }
}
