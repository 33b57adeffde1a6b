/**
 * The invite builder: turns fields and checkboxes into a link. Nothing leaves the page.
 *
 * @module
 */

import { Bot } from "../../src/links/mod.ts";
import { discord, type Platform } from "../../src/links/platform.ts";
import { permissionInfo } from "../../src/permissions/permission_info.ts";
import { Permissions } from "../../src/permissions/permissions.ts";
import { setUpBar } from "./bar.ts";
import { setUpCopyButton } from "./copy_button.ts";
import {
  foundText,
  showCode,
  showHints,
  showLink,
  showProblem,
  showProblems,
  summary,
  summaryCount,
} from "./display.ts";
import { find, make, meta } from "./elements.ts";
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
import { type CodeForm, permissionCode } from "./permission_code.ts";
import { createPermissionList } from "./permission_list.ts";
import { createPresetButtons } from "./presets.ts";
import {
  namedBits,
  remarksForServer,
  remarksForUser,
  type Suggestion,
  suggestPermissions,
} from "./remarks.ts";
import { createScopeCheckboxes } from "./scope_list.ts";
import { searchHint } from "./search.ts";

/** The page. It shows one invitation in its fields, and its link. */
class InviteBuilder {
  readonly #platform: Platform;
  /** The invitation of a page before the first edit. */
  readonly #untouched: Invite;
  readonly #announce = createAnnouncer();
  readonly #fields = findFields();
  readonly #list = createPermissionList((names, on) => {
    const permissions = new Permissions(this.#invite.permissions);
    this.#change({ permissions: (on ? permissions.add(names) : permissions.remove(names)).value });
  });
  readonly #scopes = createScopeCheckboxes(() => this.#change({ scopes: this.#chosenScopes() }));
  readonly #presets = createPresetButtons((label, value) => this.#choosePreset(label, value));
  #invite: Invite;
  #saving: ReturnType<typeof setTimeout> | undefined;
  #renders = 0;
  #shownSuggestions = "";

  constructor(platform: Platform, clientId: string) {
    this.#platform = platform;
    this.#untouched = { ...emptyInvite, clientId };
    this.#invite = this.#untouched;
  }

  /** Shows the invitation in the address, and follows what the person does from then on. */
  start(): void {
    this.#listenToFields();
    this.#listenToPaste();
    this.#listenToFilter();
    this.#setUpCopyButtons();
    setUpBar();
    find("skip", HTMLAnchorElement).addEventListener("click", (event) => {
      // The link would replace the setup in the address.
      event.preventDefault();
      find("result", HTMLElement).focus();
    });
    addEventListener("popstate", () => this.#load());
    addEventListener("pagehide", () => this.#save());
    this.#list.filter("");
    this.#load();
  }

  #listenToFields(): void {
    const { clientId, guildId, redirectUri, otherScopes, lockGuild, ...others } = this.#fields;
    for (
      const [field, edit] of [
        [clientId, () => this.#change({ clientId: clientId.value.trim() })],
        [guildId, () => this.#change({ guildId: guildId.value.trim() })],
        [redirectUri, () => this.#change({ redirectUri: redirectUri.value.trim() })],
        [otherScopes, () => this.#change({ scopes: this.#chosenScopes() })],
        [lockGuild, () => this.#change({ lockGuild: lockGuild.checked })],
        [others.combine, () => void this.#render()],
        [others.codeForm, () => void this.#render()],
        [others.describe, () => this.#list.describe(others.describe.checked)],
      ] as const
    ) field.addEventListener("input", edit);
    for (const radio of others.installations) {
      radio.addEventListener("change", () => {
        this.#change({ installation: radio.value as Installation });
        if (radio.value === "user") this.#announce(find("user-notice", HTMLElement).textContent);
      });
    }
  }

  #listenToPaste(): void {
    const { paste } = this.#fields;
    const form = find("paste-form", HTMLFormElement);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      try {
        const next = readPaste(paste.value, this.#invite);
        showProblem("paste", undefined);
        paste.value = "";
        this.#changeWithHistory(next, "Loaded");
      } catch (error) {
        showProblem("paste", messageOf(error));
      }
    });
    paste.addEventListener("paste", () => {
      // The field gets the text after this event.
      setTimeout(() => form.requestSubmit());
    });
  }

  #listenToFilter(): void {
    const { filter } = this.#fields;
    filter.addEventListener("input", () => {
      const query = filter.value;
      const [permissions, found] = [this.#list.filter(query), this.#presets.filter(query)];
      find("filter-status", HTMLElement).textContent = query.trim() === ""
        ? ""
        : [foundText(permissions, found), searchHint(query)].filter(Boolean).join(" ");
    });
  }

  #setUpCopyButtons(): void {
    const { link, integer, copyHelp, shareHelp } = this.#fields;
    setUpCopyButton("copy-link", {
      text: () => {
        if (!link.href) this.#announce(link.textContent);
        return link.href || undefined;
      },
      done: "Link copied",
      shown: link,
      help: copyHelp,
    }, this.#announce);
    setUpCopyButton(
      "copy-integer",
      { text: () => integer.value, done: "Permissions copied", shown: integer, help: copyHelp },
      this.#announce,
    );
    setUpCopyButton("share", {
      text: () => {
        this.#save();
        return location.href;
      },
      done: "Link to this setup copied",
      help: shareHelp,
    }, this.#announce);
  }

  #choosePreset(label: string, value: bigint): void {
    const combines = this.#fields.combine.checked && value !== 0n;
    const permissions = combines ? this.#invite.permissions | value : value;
    this.#changeWithHistory(
      { ...this.#invite, permissions },
      value === 0n ? "Cleared" : `${label} preset`,
    );
  }

  #chosenScopes(): readonly string[] {
    const others = this.#fields.otherScopes.value.split(/[\s,]+/)
      .filter((scope) => scope && scope !== "bot");
    return [...new Set([...this.#scopes.chosen(), ...others])];
  }

  /** Applies a small edit, which replaces the current entry in the browser's history. */
  #change(edit: Partial<Invite>): void {
    this.#invite = { ...this.#invite, ...edit };
    void this.#render();
    this.#announce(summary(this.#invite.permissions));
    clearTimeout(this.#saving);
    // Browsers stop a page that changes its address too often.
    this.#saving = setTimeout(() => this.#save(), 400);
  }

  /** Applies a large edit, which adds an entry to the browser's history, so that Back undoes it. */
  #changeWithHistory(next: Invite, what: string): void {
    this.#save();
    const changed = toFragment(next) !== toFragment(this.#invite);
    this.#invite = next;
    this.#fillFields();
    void this.#render();
    this.#announce(`${what}: ${summary(next.permissions)}`);
    if (changed) writeAddress("pushState", next);
  }

  #save(): void {
    clearTimeout(this.#saving);
    writeAddress("replaceState", this.#invite);
  }

  #load(): void {
    clearTimeout(this.#saving);
    const { clientId } = this.#untouched;
    try {
      // A site that serves this page can link to it with a query.
      const read = readInvite(location.hash.length > 1 ? location.hash : location.search);
      this.#invite = read.clientId === "" ? { ...read, clientId } : read;
      showProblem("paste", undefined);
    } catch (error) {
      this.#invite = this.#untouched;
      showProblem("paste", `The page starts empty. ${messageOf(error)}`);
    }
    this.#fillFields();
    void this.#render();
  }

  /** Puts the invitation into the text fields. Do not call it while the user types: it would move the cursor. */
  #fillFields(): void {
    const { clientId, guildId, redirectUri, otherScopes } = this.#fields;
    const invite = this.#invite;
    clientId.value = invite.clientId;
    guildId.value = invite.guildId;
    redirectUri.value = invite.redirectUri;
    otherScopes.value = invite.scopes.filter((scope) => !Object.hasOwn(scopeDescriptions, scope))
      .join(" ");
    if (needsRedirect(invite)) find("more-scopes", HTMLDetailsElement).open = true;
  }

  async #render(): Promise<void> {
    const rendered = ++this.#renders;
    const invite = this.#invite;
    this.#renderChoices(invite);
    showHints(invite);
    this.#renderPermissions(invite);
    const wrong = await findWrongFields(invite);
    const href = await inviteLink(invite, this.#platform).catch(() => undefined);
    // A later edit has already rendered.
    if (rendered !== this.#renders) return;
    showProblems(invite, wrong);
    this.#fields.redirectUri.required = needsRedirect(invite);
    showLink(this.#fields.link, href, invite);
  }

  /** Ticks what the invitation has, and disables what it can't have. */
  #renderChoices(invite: Invite): void {
    const { installations, lockGuild, combine, copyHelp, shareHelp } = this.#fields;
    const forUser = invite.installation === "user";
    this.#list.show(invite.permissions);
    this.#scopes.show(invite);
    this.#presets.show(new Permissions(invite.permissions), combine.checked);
    for (const radio of installations) radio.checked = radio.value === invite.installation;
    lockGuild.checked = invite.lockGuild;
    lockGuild.disabled = invite.guildId === "";
    find("guild", HTMLFieldSetElement).disabled = forUser;
    find("choices", HTMLFieldSetElement).disabled = forUser;
    find("user-notice", HTMLElement).hidden = !forUser;
    find("redirect-field", HTMLElement).hidden = !needsRedirect(invite);
    copyHelp.hidden = true;
    shareHelp.hidden = true;
  }

  /** Shows the permissions as a number or as code, and the suggestions and remarks about them. */
  #renderPermissions({ permissions: value, installation }: Invite): void {
    const { integer, codeForm } = this.#fields;
    const permissions = new Permissions(value);
    const forUser = installation === "user";
    find("total", HTMLElement).textContent = summaryCount(permissions);
    showCode(integer, permissionCode(permissions, codeForm.value as CodeForm));
    this.#showSuggestions(forUser ? [] : suggestPermissions(permissions));
    find("notes", HTMLElement).replaceChildren(
      ...(forUser ? remarksForUser(permissions) : remarksForServer(permissions, () => {
        this.#change({ permissions: namedBits(permissions) });
        // The button no longer exists.
        find("result", HTMLElement).focus();
      })),
    );
  }

  #showSuggestions(suggested: readonly Suggestion[]): void {
    const names = suggested.map(({ name }) => name).join(" ");
    // A screen reader would read the same suggestions again.
    if (names === this.#shownSuggestions) return;
    this.#shownSuggestions = names;
    find("suggestions", HTMLElement).replaceChildren(
      ...suggested.map((suggestion) => this.#suggestionButton(suggestion)),
    );
  }

  /** Makes a button that adds a suggested permission, with the reason beside it. */
  #suggestionButton({ name, reason }: Suggestion): HTMLElement {
    const { label } = permissionInfo[name];
    const button = make("button", { type: "button", class: "chip" }, `Add ${label}`);
    button.addEventListener("click", () => {
      this.#change({ permissions: new Permissions(this.#invite.permissions).add(name).value });
      // The button no longer exists, and the permission may be in a folded group.
      find("groups", HTMLElement).focus({ preventScroll: true });
    });
    return make("p", { class: "suggestion" }, button, make("span", { class: "hint" }, reason));
  }
}

/** Finds the fields of the page, and the elements that show the result. */
function findFields() {
  return {
    clientId: find("client-id", HTMLInputElement),
    guildId: find("guild-id", HTMLInputElement),
    lockGuild: find("lock-guild", HTMLInputElement),
    otherScopes: find("other-scopes", HTMLInputElement),
    redirectUri: find("redirect-uri", HTMLInputElement),
    paste: find("paste", HTMLInputElement),
    combine: find("combine", HTMLInputElement),
    describe: find("describe", HTMLInputElement),
    filter: find("filter", HTMLInputElement),
    codeForm: find("code-form", HTMLSelectElement),
    integer: find("integer", HTMLOutputElement),
    link: find("link", HTMLAnchorElement),
    copyHelp: find("copy-help", HTMLElement),
    shareHelp: find("share-help", HTMLElement),
    installations: [...document.querySelectorAll<HTMLInputElement>("[name=installation]")],
  } as const;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function writeAddress(how: "pushState" | "replaceState", invite: Invite): void {
  const fragment = toFragment(invite);
  const address = location.pathname + location.search + (fragment && `#${fragment}`);
  if (how === "replaceState" && location.hash.slice(1) === fragment) return;
  try {
    history[how](history.state, "", address);
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

const platform = { ...discord, authorizeUrl: meta("authorize-url") || discord.authorizeUrl };
// A wrong platform can't be corrected in a field, so the page does not start.
new Bot("0", null, { platform });
new InviteBuilder(platform, meta("client-id")).start();
