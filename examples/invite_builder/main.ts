/**
 * The invite builder: turns fields and checkboxes into a link. Nothing leaves the page.
 *
 * @module
 */

import { Bot } from "../../src/links/mod.ts";
import { discord } from "../../src/links/platform.ts";
import { permissionInfo } from "../../src/permissions/permission_info.ts";
import { Permissions } from "../../src/permissions/permissions.ts";
import { setUpCopyButton } from "./copy_button.ts";
import {
  emptyInvite,
  findWrongFields,
  type Installation,
  type Invite,
  inviteLink,
  needsRedirect,
  readInvite,
  readPaste,
  scopeDescriptions,
  toFragment,
} from "./invite.ts";
import {
  namedBits,
  remarksForServer,
  remarksForUser,
  type Suggestion,
  suggestPermissions,
} from "./remarks.ts";
import { count, find, make, meta } from "./elements.ts";
import { type CodeForm, permissionCode } from "./permission_code.ts";
import { createPermissionList } from "./permission_list.ts";
import { createPresetButtons } from "./presets.ts";
import { fieldProblem } from "./problems.ts";
import { searchHint } from "./search.ts";

function start(): void {
  const platform = { ...discord, authorizeUrl: meta("authorize-url") || discord.authorizeUrl };
  // A wrong platform can't be corrected in a field, so the page does not start.
  new Bot("0", null, { platform });
  const untouched = { ...emptyInvite, clientId: meta("client-id") };
  let invite = untouched;
  let saving: ReturnType<typeof setTimeout> | undefined;
  let renders = 0;
  let shownSuggestions = "";

  const announce = createAnnouncer();
  const clientId = find("client-id", HTMLInputElement);
  const guildId = find("guild-id", HTMLInputElement);
  const lockGuild = find("lock-guild", HTMLInputElement);
  const otherScopes = find("other-scopes", HTMLInputElement);
  const redirectUri = find("redirect-uri", HTMLInputElement);
  const paste = find("paste", HTMLInputElement);
  const combine = find("combine", HTMLInputElement);
  const describe = find("describe", HTMLInputElement);
  const filter = find("filter", HTMLInputElement);
  const codeForm = find("code-form", HTMLSelectElement);
  const integer = find("integer", HTMLOutputElement);
  const link = find("link", HTMLAnchorElement);
  const result = find("result", HTMLElement);
  const copyHelp = find("copy-help", HTMLElement);
  const shareHelp = find("share-help", HTMLElement);
  const userNotice = find("user-notice", HTMLElement);
  const installations = [...document.querySelectorAll<HTMLInputElement>("[name=installation]")];

  const list = createPermissionList((names, on) => {
    const permissions = new Permissions(invite.permissions);
    change({ permissions: (on ? permissions.add(names) : permissions.remove(names)).value });
  });
  const scopes = createScopeCheckboxes(() => change({ scopes: chosenScopes() }));
  const presets = createPresetButtons((label, value) => {
    const permissions = combine.checked && value !== 0n ? invite.permissions | value : value;
    changeWithHistory({ ...invite, permissions }, value === 0n ? "Cleared" : `${label} preset`);
  });

  /** Applies a small edit, which replaces the current entry in the browser's history. */
  function change(edit: Partial<Invite>): void {
    invite = { ...invite, ...edit };
    void render();
    announce(summary(invite.permissions));
    clearTimeout(saving);
    // Browsers stop a page that changes its address too often.
    saving = setTimeout(save, 400);
  }

  /** Applies a large edit, which adds an entry to the browser's history, so that Back undoes it. */
  function changeWithHistory(next: Invite, what: string): void {
    save();
    const changed = toFragment(next) !== toFragment(invite);
    invite = next;
    fillFields();
    void render();
    announce(`${what}: ${summary(invite.permissions)}`);
    if (changed) writeAddress("pushState", invite);
  }

  function save(): void {
    clearTimeout(saving);
    writeAddress("replaceState", invite);
  }

  function load(): void {
    clearTimeout(saving);
    try {
      // A site that serves this page can link to it with a query.
      invite = readInvite(location.hash.length > 1 ? location.hash : location.search);
      if (invite.clientId === "") invite = { ...invite, clientId: untouched.clientId };
      showProblem("paste", undefined);
    } catch (error) {
      invite = untouched;
      showProblem("paste", `The page starts empty. ${messageOf(error)}`);
    }
    fillFields();
    void render();
  }

  function chosenScopes(): readonly string[] {
    const others = otherScopes.value.split(/[\s,]+/).filter((scope) => scope && scope !== "bot");
    return [...new Set([...scopes.chosen(), ...others])];
  }

  /** Puts the invitation into the text fields. Do not call it while somebody types: it would move the cursor. */
  function fillFields(): void {
    clientId.value = invite.clientId;
    guildId.value = invite.guildId;
    redirectUri.value = invite.redirectUri;
    otherScopes.value = invite.scopes.filter((scope) => !Object.hasOwn(scopeDescriptions, scope))
      .join(" ");
    if (needsRedirect(invite)) find("more-scopes", HTMLDetailsElement).open = true;
  }

  async function render(): Promise<void> {
    const rendered = ++renders;
    const permissions = new Permissions(invite.permissions);
    const forUser = invite.installation === "user";

    list.show(invite.permissions);
    scopes.show(invite);
    presets.show(permissions, combine.checked);
    for (const radio of installations) radio.checked = radio.value === invite.installation;
    lockGuild.checked = invite.lockGuild;
    lockGuild.disabled = invite.guildId === "";
    find("guild", HTMLFieldSetElement).disabled = forUser;
    find("choices", HTMLFieldSetElement).disabled = forUser;
    userNotice.hidden = !forUser;
    find("redirect-field", HTMLElement).hidden = !needsRedirect(invite);
    find("client-id-hint", HTMLElement).textContent = describeId(invite.clientId) ??
      "On the General Information page of your application.";
    find("guild-id-hint", HTMLElement).textContent = forUser
      ? "Installed for a person, an app joins no server."
      : "Selected when the link is opened.";
    find("bot-scope", HTMLElement).textContent = forUser
      ? "A link for a person always has this scope."
      : "A link for a server always has the scope bot, too.";
    find("total", HTMLElement).textContent = summaryCount(permissions);
    showCode(integer, permissionCode(permissions, codeForm.value as CodeForm));
    showSuggestions(forUser ? [] : suggestPermissions(permissions));
    find("notes", HTMLElement).replaceChildren(
      ...(forUser ? remarksForUser(permissions) : remarksForServer(permissions, () => {
        change({ permissions: namedBits(permissions) });
        // The button no longer exists.
        result.focus();
      })),
    );
    copyHelp.hidden = true;
    shareHelp.hidden = true;

    const edited = invite;
    const wrong = await findWrongFields(edited);
    const href = await inviteLink(edited, platform).catch(() => undefined);
    // A later edit has already rendered.
    if (rendered !== renders) return;
    showProblem("client-id", wrong.has("clientId") ? fieldProblem("clientId") : undefined);
    showProblem(
      "guild-id",
      wrong.has("guildId") && !forUser ? fieldProblem("guildId") : undefined,
    );
    showProblem("other-scopes", wrong.has("scopes") ? fieldProblem("scopes") : undefined);
    showProblem(
      "redirect-uri",
      wrong.has("redirectUri") ? fieldProblem("redirectUri") : undefined,
    );
    redirectUri.required = needsRedirect(edited);
    showLink(link, href, missingInput(edited));
  }

  for (
    const [field, edit] of [
      [clientId, () => change({ clientId: clientId.value.trim() })],
      [guildId, () => change({ guildId: guildId.value.trim() })],
      [redirectUri, () => change({ redirectUri: redirectUri.value.trim() })],
      [otherScopes, () => change({ scopes: chosenScopes() })],
      [lockGuild, () => change({ lockGuild: lockGuild.checked })],
      [combine, () => void render()],
      [codeForm, () => void render()],
      [describe, () => list.describe(describe.checked)],
    ] as const
  ) field.addEventListener("input", edit);
  for (const radio of installations) {
    radio.addEventListener("change", () => {
      change({ installation: radio.value as Installation });
      if (radio.value === "user") announce(userNotice.textContent);
    });
  }

  find("paste-form", HTMLFormElement).addEventListener("submit", (event) => {
    event.preventDefault();
    try {
      const next = readPaste(paste.value, invite);
      showProblem("paste", undefined);
      paste.value = "";
      changeWithHistory(next, "Loaded");
    } catch (error) {
      showProblem("paste", messageOf(error));
    }
  });
  paste.addEventListener("paste", () => {
    // The field gets the text after this event.
    setTimeout(() => find("paste-form", HTMLFormElement).requestSubmit());
  });

  filter.addEventListener("input", () => {
    const query = filter.value;
    const [permissions, found] = [list.filter(query), presets.filter(query)];
    find("filter-status", HTMLElement).textContent = query.trim() === ""
      ? ""
      : [foundText(permissions, found), searchHint(query)].filter(Boolean).join(" ");
  });

  setUpCopyButton("copy-link", {
    text() {
      if (!link.href) announce(link.textContent);
      return link.href || undefined;
    },
    done: "Link copied",
    shown: link,
    help: copyHelp,
  }, announce);
  setUpCopyButton(
    "copy-integer",
    { text: () => integer.value, done: "Permissions copied", shown: integer, help: copyHelp },
    announce,
  );
  setUpCopyButton("share", {
    text() {
      save();
      return location.href;
    },
    done: "Address of this setup copied",
    help: shareHelp,
  }, announce);
  find("skip", HTMLAnchorElement).addEventListener("click", (event) => {
    // The link would replace the setup in the address.
    event.preventDefault();
    result.focus();
  });

  function showSuggestions(suggested: readonly Suggestion[]): void {
    const names = suggested.map(({ name }) => name).join(" ");
    // A screen reader would read the same suggestions again.
    if (names === shownSuggestions) return;
    shownSuggestions = names;
    find("suggestions", HTMLElement).replaceChildren(...suggested.map(suggestionButton));
  }

  /** Makes a button that adds a suggested permission, with the reason beside it. */
  function suggestionButton({ name, reason }: Suggestion): HTMLElement {
    const { label } = permissionInfo[name];
    const button = make("button", { type: "button", class: "chip" }, `Add ${label}`);
    button.addEventListener("click", () => {
      change({ permissions: new Permissions(invite.permissions).add(name).value });
      // The button no longer exists, and the permission may be in a folded group.
      find("groups", HTMLElement).focus({ preventScroll: true });
    });
    return make("p", { class: "suggestion" }, button, make("span", { class: "hint" }, reason));
  }

  addEventListener("popstate", load);
  addEventListener("pagehide", save);
  list.filter("");
  load();
}

/** Creates the checkboxes of the scopes. */
function createScopeCheckboxes(onChange: () => void): {
  chosen(): string[];
  show(invite: Invite): void;
} {
  const inputs = Object.entries(scopeDescriptions).map(([scope, about], i) => {
    const id = `scope-${scope.replaceAll(".", "-")}`;
    const input = make("input", { type: "checkbox", id, value: scope });
    input.setAttribute("aria-describedby", `${id}-hint`);
    input.addEventListener("change", onChange);
    find(i === 0 ? "main-scopes" : "code-scopes", HTMLElement).append(
      make(
        "div",
        { class: "tick" },
        input,
        make("label", { for: id }, make("code", {}, scope)),
        make("p", { class: "hint", id: `${id}-hint` }, about),
      ),
    );
    return input;
  });
  return {
    chosen: () => inputs.filter(({ checked }) => checked).map(({ value }) => value),
    show({ scopes, installation }) {
      for (const input of inputs) {
        // An installation for a person always has this scope.
        const implied = installation === "user" && input.value === "applications.commands";
        input.checked = implied || scopes.includes(input.value);
        input.disabled = implied;
      }
    },
  };
}

/** Says what the person has to do to get a link. The fields show their own errors. */
function missingInput(invite: Invite): string {
  if (invite.clientId === "") return "Enter the client ID to get the link";
  if (needsRedirect(invite) && invite.redirectUri === "") {
    return "Enter a redirect URI: the scopes need one";
  }
  return "Correct the marked fields to get the link";
}

function showLink(link: HTMLAnchorElement, href: string | undefined, instead: string): void {
  // Allows a line break before each parameter.
  const parts = (href ?? instead).split(/(?=[?&])/);
  link.replaceChildren(...parts.flatMap((part, i) => i === 0 ? [part] : [make("wbr"), part]));
  if (href === undefined) link.removeAttribute("href");
  else link.href = href;
  find("copy-link", HTMLButtonElement).setAttribute("aria-disabled", String(href === undefined));
}

/** Shows permissions as a number or as code. Code scrolls in a box, which the keyboard must reach. */
function showCode(output: HTMLOutputElement, code: string): void {
  output.value = code;
  const isCode = code.includes("\n");
  output.classList.toggle("code", isCode);
  if (isCode) output.tabIndex = 0;
  else output.removeAttribute("tabindex");
}

function showProblem(field: string, message: string | undefined): void {
  find(`${field}-error`, HTMLElement).textContent = message ?? "";
  find(field, HTMLInputElement).setAttribute("aria-invalid", String(message !== undefined));
}

/** Says when an id was created, which its upper bits contain, so that a person notices a wrong id. */
function describeId(id: string): string | undefined {
  if (!/^\d{1,20}$/.test(id)) return undefined;
  const made = new Date(Number((BigInt(id) >> 22n) + 1420070400000n));
  if (id.length < 17 || made.getTime() > Date.now()) {
    return "Ids have 17 to 20 digits: is this one complete?";
  }
  return `Created on ${made.toLocaleDateString("en-GB", { dateStyle: "long" })}.`;
}

function summary(value: bigint): string {
  return `${summaryCount(new Permissions(value))}, integer ${value}`;
}

function summaryCount(permissions: Permissions): string {
  const ticked = permissions.toArray().length;
  return `${ticked} of ${Object.keys(Permissions.flags).length} permissions`;
}

function foundText(permissions: number, presets: number): string {
  if (permissions + presets === 0) {
    return "Nothing found. Try another word, such as moderator, music or emoji.";
  }
  const found = [count(permissions, "permission"), ...(presets ? [count(presets, "preset")] : [])];
  return `${found.join(" and ")} found.`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function writeAddress(how: "pushState" | "replaceState", invite: Invite): void {
  const fragment = toFragment(invite);
  const address = location.pathname + location.search + (fragment && `#${fragment}`);
  if (how === "replaceState" && location.hash.slice(1) === fragment) return;
  try {
    history[how](null, "", address);
  } catch {
    // A page in a sandboxed frame can't change its address. Everything else works.
  }
}

/** Creates a function that announces changes to screen readers as soon as the person pauses. */
function createAnnouncer(): (text: string) => void {
  const status = find("status", HTMLElement);
  let announcing: ReturnType<typeof setTimeout> | undefined;
  return (text) => {
    clearTimeout(announcing);
    announcing = setTimeout(() => status.textContent = text, 300);
  };
}

start();
