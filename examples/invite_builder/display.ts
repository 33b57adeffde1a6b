/**
 * Shows the texts and the result of the page: hints, errors below the fields, the permissions, and the link.
 *
 * @module
 */

import { Permissions } from "../../src/permissions/permissions.ts";
import { count, find, make } from "./elements.ts";
import { type Invite, needsRedirect } from "./invite.ts";
import { type CheckedField, fieldProblem } from "./problems.ts";

/** Shows the texts that depend on the kind of installation, and the age of the application. */
export function showHints({ clientId, installation }: Invite): void {
  const forUser = installation === "user";
  find("client-id-hint", HTMLElement).textContent = describeId(clientId) ??
    "It's on the General Information page of your application.";
  find("guild-id-hint", HTMLElement).textContent = forUser
    ? "An app that a person installs doesn't join a server."
    : "This server is selected when the link is opened.";
  find("bot-scope", HTMLElement).textContent = forUser
    ? "A link for a person always has this scope."
    : "A link for a server always has the scope bot too.";
}

/** Shows an error beside each field that the library refuses. */
export function showProblems({ installation }: Invite, wrong: ReadonlySet<CheckedField>): void {
  const problemOf = (field: CheckedField) => wrong.has(field) ? fieldProblem(field) : undefined;
  showProblem("client-id", problemOf("clientId"));
  showProblem("guild-id", installation === "user" ? undefined : problemOf("guildId"));
  showProblem("other-scopes", problemOf("scopes"));
  showProblem("redirect-uri", problemOf("redirectUri"));
}

/** Shows an error below a field, or removes it. */
export function showProblem(field: string, message: string | undefined): void {
  find(`${field}-error`, HTMLElement).textContent = message ?? "";
  find(field, HTMLInputElement).setAttribute("aria-invalid", String(message !== undefined));
}

/** Shows the link, or says what is missing. */
export function showLink(
  link: HTMLAnchorElement,
  href: string | undefined,
  invite: Invite,
): void {
  // Allows a line break before each parameter.
  const parts = (href ?? missingInput(invite)).split(/(?=[?&])/);
  link.replaceChildren(...parts.flatMap((part, i) => i === 0 ? [part] : [make("wbr"), part]));
  if (href === undefined) link.removeAttribute("href");
  else link.href = href;
  find("copy-link", HTMLButtonElement).setAttribute("aria-disabled", String(href === undefined));
}

/** Shows permissions as a number or as code. Code scrolls in a box, which the keyboard must reach. */
export function showCode(output: HTMLOutputElement, code: string): void {
  output.value = code;
  const isCode = code.includes("\n");
  output.classList.toggle("code", isCode);
  if (isCode) output.tabIndex = 0;
  else output.removeAttribute("tabindex");
}

/** Returns the number of permissions, and their value, for screen readers. */
export function summary(value: bigint): string {
  return `${summaryCount(new Permissions(value))}, integer ${value}`;
}

/** Returns the number of the permissions, and of all that there are. */
export function summaryCount(permissions: Permissions): string {
  const ticked = permissions.toArray().length;
  return `${ticked} of ${Object.keys(Permissions.flags).length} permissions`;
}

/** Returns the result of a search in words. */
export function foundText(permissions: number, presets: number): string {
  if (permissions + presets === 0) {
    return "Nothing found. Try another word, such as moderator, music or emoji.";
  }
  const found = [count(permissions, "permission"), ...(presets ? [count(presets, "preset")] : [])];
  return `${found.join(" and ")} found.`;
}

/** Says what the person has to do to get a link. The fields show their own errors. */
function missingInput(invite: Invite): string {
  if (invite.clientId === "") return "Enter the client ID to get the link";
  if (needsRedirect(invite) && invite.redirectUri === "") {
    return "Enter a redirect URI, because the scopes need one";
  }
  return "Correct the marked fields to get the link";
}

/** Says when an id was created, which its upper bits contain, so that a person notices a wrong id. */
function describeId(id: string): string | undefined {
  if (!/^\d{1,20}$/.test(id)) return undefined;
  const made = new Date(Number((BigInt(id) >> 22n) + 1420070400000n));
  if (id.length < 17 || made.getTime() > Date.now()) {
    return "IDs have 17 to 20 digits. Is this one complete?";
  }
  return `Created on ${made.toLocaleDateString("en-GB", { dateStyle: "long" })}.`;
}
