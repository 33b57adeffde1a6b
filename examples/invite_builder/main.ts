/**
 * The invite builder: turns fields and checkboxes into a link. Nothing leaves the page.
 *
 * @module
 */

import { discord } from "../../src/links/platform.ts";
import { permissionInfo } from "../../src/permissions/info.ts";
import { Permissions, type PresetName } from "../../src/permissions/permissions.ts";
import {
  emptyInvite,
  type Installation,
  type Invite,
  inviteLink,
  needsRedirect,
  offeredScopes,
  problemsOf,
  readInvite,
  readPaste,
  toFragment,
} from "./invite.ts";
import { find, icon, make, meta } from "./page.ts";
import { permissionList } from "./permission_list.ts";

function start(): void {
  const platform = { ...discord, authorizeUrl: meta("authorize-url") || discord.authorizeUrl };
  const untouched = { ...emptyInvite, clientId: meta("client-id") };
  let invite = untouched;
  let saving: ReturnType<typeof setTimeout> | undefined;
  let renders = 0;

  const announce = announcer();
  const clientId = find("client-id", HTMLInputElement);
  const guildId = find("guild-id", HTMLInputElement);
  const lockGuild = find("lock-guild", HTMLInputElement);
  const otherScopes = find("other-scopes", HTMLInputElement);
  const redirectUri = find("redirect-uri", HTMLInputElement);
  const paste = find("paste", HTMLInputElement);
  const combine = find("combine", HTMLInputElement);
  const filter = find("filter", HTMLInputElement);
  const link = find("link", HTMLAnchorElement);
  const installations = [...document.querySelectorAll<HTMLInputElement>("[name=installation]")];

  const list = permissionList((names, on) => {
    const permissions = new Permissions(invite.permissions);
    change({ permissions: (on ? permissions.add(names) : permissions.remove(names)).value });
  });
  const scopes = scopeTicks(() => change({ scopes: chosenScopes() }));
  const presets = presetButtons((label, value) => {
    step({
      ...invite,
      permissions: combine.checked ? invite.permissions | value : value,
    }, `${label} preset`);
  });

  /** A small edit: replaces the current entry in the browser's history. */
  function change(edit: Partial<Invite>): void {
    invite = { ...invite, ...edit };
    void render();
    announce(summary(invite.permissions));
    clearTimeout(saving);
    // Browsers stop a page that changes its address too often.
    saving = setTimeout(save, 400);
  }

  /** A large edit: adds an entry to the browser's history, so that Back undoes it. */
  function step(next: Invite, what: string): void {
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
      // A site that has this page among its own can link to it with a query.
      invite = readInvite(location.hash.length > 1 ? location.hash : location.search);
      if (invite.clientId === "") invite = { ...invite, clientId: untouched.clientId };
      showProblem("paste", undefined);
    } catch (error) {
      invite = untouched;
      showProblem("paste", `The address can't be read: ${messageOf(error)}`);
    }
    fillFields();
    void render();
  }

  function chosenScopes(): readonly string[] {
    const others = otherScopes.value.split(/[\s,]+/).filter((scope) => scope && scope !== "bot");
    return [...new Set([...scopes.chosen(), ...others])];
  }

  /** Puts the invitation into the text fields. Not called while somebody types, which would move the cursor. */
  function fillFields(): void {
    clientId.value = invite.clientId;
    guildId.value = invite.guildId;
    redirectUri.value = invite.redirectUri;
    otherScopes.value = invite.scopes.filter((scope) => !Object.hasOwn(offeredScopes, scope))
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
    find("guild", HTMLElement).hidden = forUser;
    find("bot-scope", HTMLElement).hidden = forUser;
    find("user-notice", HTMLElement).hidden = !forUser;
    find("redirect-field", HTMLElement).hidden = !needsRedirect(invite);
    find("client-id-hint", HTMLElement).textContent = aboutId(invite.clientId) ??
      "On the General Information page of your application.";
    find("total", HTMLElement).textContent = summaryCount(permissions);
    find("integer", HTMLOutputElement).textContent = String(invite.permissions);
    find("notes", HTMLElement).replaceChildren(
      ...notes(permissions, forUser, () => change({ permissions: knownBits(permissions) })),
    );

    const edited = invite;
    const problems = await problemsOf(edited);
    const href = await inviteLink(edited, platform).catch(() => undefined);
    // A later edit came in between and has already rendered.
    if (rendered !== renders) return;
    showProblem("client-id", problems.clientId);
    showProblem("guild-id", forUser ? undefined : problems.guildId);
    showProblem("other-scopes", problems.scopes);
    showProblem("redirect-uri", edited.redirectUri === "" ? undefined : problems.redirectUri);
    find("redirect-uri", HTMLInputElement).required = needsRedirect(edited);
    showLink(link, href, missing(edited));
  }

  /** Copies a text; where the browser forbids that, it selects the text for the person to copy. */
  async function copyAndTell(text: string, done: string, id: string, shown?: Element) {
    const copied = await copy(text, find(id, HTMLButtonElement));
    if (!copied && shown) getSelection()?.selectAllChildren(shown);
    announce(copied ? done : "Could not copy here; use the browser's own copy command");
  }

  for (
    const [field, edit] of [
      [clientId, () => change({ clientId: clientId.value.trim() })],
      [guildId, () => change({ guildId: guildId.value.trim() })],
      [redirectUri, () => change({ redirectUri: redirectUri.value.trim() })],
      [otherScopes, () => change({ scopes: chosenScopes() })],
      [lockGuild, () => change({ lockGuild: lockGuild.checked })],
      [combine, () => void render()],
    ] as const
  ) field.addEventListener("input", edit);
  for (const radio of installations) {
    radio.addEventListener("change", () => change({ installation: radio.value as Installation }));
  }

  find("paste-form", HTMLFormElement).addEventListener("submit", (event) => {
    event.preventDefault();
    try {
      const next = readPaste(paste.value, invite);
      showProblem("paste", undefined);
      paste.value = "";
      step(next, "Loaded");
    } catch (error) {
      showProblem("paste", messageOf(error));
    }
  });
  paste.addEventListener("paste", () => {
    // The field has the text only after this event.
    setTimeout(() => find("paste-form", HTMLFormElement).requestSubmit());
  });

  filter.addEventListener("input", () => {
    const hits = list.filter(filter.value);
    find("filter-status", HTMLElement).textContent = filter.value.trim() === ""
      ? ""
      : hits === 0
      ? "No permission matches"
      : `${count(hits, "permission")} found`;
  });

  find("copy-link", HTMLButtonElement).addEventListener("click", () => {
    if (link.href) void copyAndTell(link.href, "Link copied", "copy-link", link);
    else announce(link.textContent);
  });
  find("copy-integer", HTMLButtonElement).addEventListener("click", () => {
    const integer = find("integer", HTMLOutputElement);
    void copyAndTell(integer.value, "Integer copied", "copy-integer", integer);
  });
  find("share", HTMLButtonElement).addEventListener("click", () => {
    save();
    void copyAndTell(location.href, "Address of this setup copied", "share");
  });
  find("skip", HTMLAnchorElement).addEventListener("click", (event) => {
    // Following the link would replace the setup in the address.
    event.preventDefault();
    find("result", HTMLElement).focus();
  });

  addEventListener("popstate", load);
  addEventListener("pagehide", save);
  list.filter("");
  load();
}

/** The checkboxes of the scopes. */
function scopeTicks(onChange: () => void): {
  chosen(): string[];
  show(invite: Invite): void;
} {
  const inputs = Object.entries(offeredScopes).map(([scope, about], i) => {
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

const presetLabels: Readonly<Record<PresetName, string>> = {
  general: "General",
  allChannel: "All channel",
  membership: "Membership",
  text: "Text",
  voice: "Voice",
  stage: "Stage",
  stageModerator: "Stage moderator",
  elevated: "Elevated",
  advanced: "Advanced",
};

/** A button for each preset, one for all permissions and one for none. */
function presetButtons(onChoose: (label: string, value: bigint) => void): {
  show(permissions: Permissions, combine: boolean): void;
} {
  const choices: readonly (readonly [label: string, value: bigint])[] = [
    ...(Object.keys(presetLabels) as PresetName[])
      .map((name) => [presetLabels[name], Permissions.presets[name]] as const),
    ["Everything", new Permissions().all().value],
  ];
  const buttons = choices.map(([label, value]) => {
    const button = make("button", { type: "button", class: "chip" }, label);
    button.addEventListener("click", () => onChoose(label, value));
    return { button, value };
  });
  const clear = make("button", { type: "button", class: "chip plain" }, "Clear");
  clear.addEventListener("click", () => onChoose("Empty", 0n));
  find("presets", HTMLElement).append(...buttons.map(({ button }) => button), clear);
  return {
    show(permissions, combine) {
      for (const { button, value } of buttons) {
        const pressed = combine ? permissions.has(value) : permissions.equals(value);
        button.setAttribute("aria-pressed", String(pressed));
      }
    },
  };
}

/** What somebody should know before sharing the link. */
function notes(permissions: Permissions, forUser: boolean, onDropUnnamed: () => void): Node[] {
  if (forUser) return [];
  const found: Node[] = [];
  const note = (...children: (Node | string)[]) =>
    found.push(make("p", { class: "note" }, ...children));
  const more = (text: string) => make("span", { class: "more" }, text);
  const names = permissions.toArray();
  const elevated = names.filter((name) => permissionInfo[name].elevated);
  const bits = unnamedBits(permissions);

  if (permissions.has("administrator")) {
    const others = names.length - 1;
    note(
      icon("advanced"),
      make("strong", {}, "Administrator"),
      more(
        others > 0
          ? ` includes every permission, so the ${count(others, "other")} change nothing.`
          : " includes every permission. Ask for less where you can.",
      ),
    );
  }
  if (elevated.length > 0) {
    note(
      icon("lock"),
      make("strong", {}, `${elevated.length} elevated`),
      more(": a server can require two-factor authentication of you, the bot's owner."),
    );
  }
  if (bits.length > 0) {
    const drop = make("button", { type: "button" }, "Remove");
    drop.addEventListener("click", () => {
      onDropUnnamed();
      find("result", HTMLElement).focus();
    });
    const which = bits.length > 6 ? `${bits.slice(0, 6).join(", ")} …` : bits.join(", ");
    note(
      make("strong", {}, `${count(bits.length, "bit")} without a name`),
      more(` (${which}), kept as received.`),
      " ",
      drop,
    );
  }
  return found;
}

function unnamedBits(permissions: Permissions): number[] {
  const digits = [...(permissions.value & ~knownBits(permissions)).toString(2)].reverse();
  return digits.flatMap((digit, bit) => digit === "1" ? [bit] : []);
}

function knownBits(permissions: Permissions): bigint {
  return new Permissions(permissions.toArray()).value;
}

/** What the person has to do to get a link; errors are shown at the fields. */
function missing(invite: Invite): string {
  if (invite.clientId === "") return "Enter the client ID to get the link";
  if (needsRedirect(invite) && invite.redirectUri === "") {
    return "Enter a redirect URI: the scopes need one";
  }
  return "Correct the marked fields to get the link";
}

function showLink(link: HTMLAnchorElement, href: string | undefined, instead: string): void {
  // Allows a line break in front of each parameter.
  const parts = (href ?? instead).split(/(?=[?&])/);
  link.replaceChildren(...parts.flatMap((part, i) => i === 0 ? [part] : [make("wbr"), part]));
  if (href === undefined) link.removeAttribute("href");
  else link.href = href;
  find("copy-link", HTMLButtonElement).setAttribute("aria-disabled", String(href === undefined));
}

function showProblem(field: string, message: string | undefined): void {
  find(`${field}-error`, HTMLElement).textContent = message ?? "";
  find(field, HTMLInputElement).setAttribute("aria-invalid", String(message !== undefined));
}

/** When the id was created, which helps to notice a wrong one: the upper bits of an id are its time. */
function aboutId(id: string): string | undefined {
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

function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? "" : "s"}`;
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
    // A page in a sandboxed frame can't change its address; everything else works.
  }
}

/** Copies a text, and marks its button as done for a moment. */
async function copy(text: string, button: HTMLButtonElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    return false;
  }
  button.classList.add("done");
  setTimeout(() => button.classList.remove("done"), 1600);
  return true;
}

/** Tells a screen reader what changed, as soon as the person pauses. */
function announcer(): (text: string) => void {
  const status = find("status", HTMLElement);
  let announcing: ReturnType<typeof setTimeout> | undefined;
  return (text) => {
    clearTimeout(announcing);
    announcing = setTimeout(() => status.textContent = text, 300);
  };
}

start();
