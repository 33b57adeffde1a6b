import { createServer, type Server } from "node:http";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { html as markup } from "../../../examples/shared/html.ts";
import { botPresets, botPresetValue } from "../../../examples/invite_builder/bot_presets.ts";
import { permissionCode } from "../../../examples/invite_builder/permission_code.ts";
import { differenceText, presetTexts } from "../../../examples/invite_builder/presets.ts";
import { fieldProblem } from "../../../examples/invite_builder/problems.ts";
import { buildInviteBuilder } from "../../../scripts/build_invite_builder.ts";
import { permissionInfo } from "../../../src/permissions/permission_info.ts";
import {
  type PermissionName,
  Permissions,
  type PresetName,
} from "../../../src/permissions/permissions.ts";
import { violations } from "../../support/axe.ts";
import {
  type BrowserName,
  browserNames,
  type BrowserPage,
  closeBrowsers,
  type Key,
  openBrowser,
} from "../../support/browsers.ts";

const clientId = "1024000000000000000";
const guildId = "41771983423143937";
const names = Object.keys(permissionInfo) as PermissionName[];

/** The settings of the page on a site with its own platform. */
const site = {
  authorizeUrl: 'https://platform.example/authorize?theme="dark"',
  clientId,
  brand: markup`<p><a href="/home">A & B</a></p>`,
};

let html: string;
let server: Server;
let base: string;
const requests: string[] = [];

beforeAll(async () => {
  html = await buildInviteBuilder();
  const pages: Readonly<Record<string, string>> = {
    "/": html,
    "/site": await buildInviteBuilder(site),
  };
  server = createServer((request, response) => {
    const path = request.url ?? "";
    requests.push(path);
    const page = pages[path.replace(/\?.*/, "")];
    response.writeHead(page ? 200 : 404, { "content-type": "text/html; charset=utf-8" });
    response.end(page ?? "<!doctype html><title>Not found</title>");
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  const address = server.address();
  if (address === null || typeof address === "string") throw Error("The server has no port");
  base = `http://127.0.0.1:${address.port}/`;
});

afterAll(async () => {
  server.close();
  await closeBrowsers();
});

/** The page of the current group of tests. */
let page: BrowserPage;

/** Opens the invite builder for a group of tests, and opens it again before each of them. */
function useInviteBuilder(browser: BrowserName): void {
  beforeAll(async () => {
    page = await openBrowser(browser);
  });

  afterAll(() => page?.close());

  beforeEach(() => open(page));
}

// Browsers differ in the focus, the keyboard, the history, the selection, unfolded parts, dates, and policies.
describe.each(browserNames)("The invite builder in %s", (browser) => {
  useInviteBuilder(browser);

  test("makes the link from the fields and checkboxes", async () => {
    await expect(text("#link")).resolves.toBe("Enter the client ID to get the link");
    await expect(link()).resolves.toBe(null);

    await page.type("#client-id", clientId);
    await page.click("label[for=permission-view_channel]");
    await page.click("#permission-send_messages");

    await eventually(link, `${authorize()}&scope=bot%20applications.commands&permissions=3072`);
    await expect(text("#link")).resolves.toBe(await link());
    await expect(text("#integer")).resolves.toBe("3072");
    await expect(text("#total")).resolves.toBe("2 of 52 permissions");
    await expect(text("#client-id-hint")).resolves.toBe("Created on 26 September 2022.");

    await page.click("#permission-view_channel");
    await eventually(() => text("#integer"), "2048");
  });

  test("counts the ticked permissions of each group, and ticks all of a group or none", async () => {
    await page.click("#group-membership .all");
    const membership = names.filter((name) => permissionInfo[name].group === "membership");
    await eventually(() => text("#integer"), new Permissions(membership).toString());
    await expect(text("#group-membership summary")).resolves
      .toBe("Membership, 6 of 6 selected6 / 6");

    await page.click("#permission-kick_members");
    await eventually(
      () => text("#group-membership summary"),
      "Membership, 5 of 6 selected5 / 6",
    );
    await page.click("#group-membership .all");
    await page.click("#group-membership .all");
    await eventually(() => text("#integer"), "0");
  });

  test("offers View channels with a preset that needs it, and adds it with one click", async () => {
    await expect(text("#suggestions")).resolves.toBe("");
    await page.click(presetButton("Text"));
    await eventually(
      () => text("#suggestions"),
      "Add View channelsWithout it, the bot sees only channels that are open to everyone.",
    );
    await expect(text("#integer")).resolves.toBe(String(Permissions.presets.text));
    await page.click("#suggestions button");
    await eventually(
      () => text("#integer"),
      String(Permissions.presets.text | Permissions.flags.view_channel),
    );
    await expect(text("#suggestions")).resolves.toBe("");
    await expect(focused()).resolves.toBe("groups");
    await expect(checked("#permission-view_channel")).resolves.toEqual([true]);
  });

  test("keeps the setup in the address after a reload and for other people", async () => {
    await page.type("#client-id", clientId);
    await page.click("#permission-ban_members");
    const fragment =
      `client_id=${clientId}&scope=bot+applications.commands&permissions=${Permissions.flags.ban_members}`;
    await eventually(page.url, `${base}#${fragment}`);
    const made = await link();

    await page.reload();
    await eventually(link, made);
    await expect(checked("#permission-ban_members")).resolves.toEqual([true]);

    await open(page, fragment);
    await eventually(link, made);
  });

  test("removes a preset again after the browser's Back", async () => {
    await page.click("#permission-connect");
    await page.click(presetButton("General"));
    await eventually(() => text("#integer"), String(Permissions.presets.general));
    await page.back();
    await eventually(() => text("#integer"), String(Permissions.flags.connect));
    await expect(checked("#permission-connect", "#permission-manage_guild"))
      .resolves.toEqual([true, false]);
  });

  test("finds permissions and presets by their names, and by other words for them", async () => {
    const shown = (selector: string) =>
      page.execute(`
        return [...document.querySelectorAll(${JSON.stringify(selector)})]
          .filter((element) => element.checkVisibility()).map(({ id }) => id);`);
    const search = async (query: string) => {
      await page.execute(`document.getElementById("filter").value = ""`);
      await page.type("#filter", query);
    };
    await page.click("#group-voice summary");
    await search("use_vad");
    await eventually(() => shown("#groups input"), ["permission-use_vad"]);
    await expect(shown("#presets button")).resolves.toEqual([]);
    await expect(text("#filter-status")).resolves.toBe("1 permission found.");
    await expect(visible("#group-text", "#group-voice")).resolves.toEqual([false, true]);

    await search("music");
    await eventually(() => shown("#presets button"), ["preset-music", "preset-voice"]);
    await expect(text("#filter-status")).resolves.toBe("3 permissions and 2 presets found.");
    await search("slash commands");
    await eventually(() => shown("#groups input"), ["permission-use_application_commands"]);
    await expect(text("#filter-status")).resolves.toContain("scope applications.commands");

    await search("zzz");
    await eventually(() => shown("#groups input, #presets button"), []);
    await expect(text("#filter-status")).resolves
      .toBe("Nothing found. Try another word, such as moderator, music or emoji.");

    // Afterwards, each group is open or folded as before.
    await page.execute(`
      const filter = document.getElementById("filter");
      filter.value = "";
      filter.dispatchEvent(new Event("input"));`);
    await expect(visible("#permission-send_messages", "#permission-use_vad")).resolves
      .toEqual([true, false]);
    await expect(shown("#presets button")).resolves.toHaveLength(19);
  });

  test("works with the keyboard alone, and shows the focus", async () => {
    await page.press("Tab");
    await expect(focused()).resolves.toBe("skip");
    await page.press("Enter");
    await expect(focused()).resolves.toBe("result");
    await expect(page.url()).resolves.toBe(base);

    await page.execute(`document.getElementById("client-id").focus()`);
    await page.press("Tab", "Tab", "Tab");
    await expect(focused()).resolves.toBe("installation-default");
    await page.execute(`
      globalThis.focusOrder = [];
      addEventListener("focusin", ({ target }) => focusOrder.push(target.id));`);
    const focusOrder = () => page.execute("return focusOrder") as Promise<string[]>;
    /** Presses Tab until an element has the focus: several times at once, since a driver takes long for each command, and then back. */
    const tabTo = async (id: string): Promise<void> => {
      for (let tabs = 0; tabs < 220 && !(await focusOrder()).includes(id); tabs += 5) {
        await page.press(...Array<Key>(5).fill("Tab"));
      }
      const order = await focusOrder();
      const tooFar = order.length - 1 - order.indexOf(id);
      if (tooFar > 0) await page.press(...Array<Key>(tooFar).fill("Shift+Tab"));
      await expect(focused()).resolves.toBe(id);
      await expect(outlined()).resolves.toBe(true);
    };
    await tabTo("permission-connect");
    await page.press("Space");
    await tabTo("copy-link");
    await expect(focusOrder()).resolves
      .toEqual(expect.arrayContaining(names.map((name) => `permission-${name}`)));
    await eventually(() => text("#integer"), String(Permissions.flags.connect));
  });

  test.each([
    ["copy-link", "#copy-help", "#link"],
    ["copy-integer", "#copy-help", "#integer"],
    ["share", "#share-help", null],
  ])(
    "gives instructions if the browser forbids the button %s to copy",
    async (button, help, selected) => {
      await open(page, `client_id=${clientId}&permissions=8`);
      await eventually(() => text("#integer"), "8");
      await page.execute(`
      Object.defineProperty(navigator, "clipboard", { configurable: true, value: undefined });`);
      await page.click(`#${button}`);
      await eventually(() => visible(help), [true]);
      await eventually(() => text("#status"), await text(help));
      await expect(text(`#${button} .label`)).resolves.not.toBe("Copied");
      await expect(page.execute("return String(getSelection())")).resolves
        .toBe(selected === null ? "" : await text(selected));
    },
  );

  test("treats hostile fragments and pastes as text", async () => {
    const markup = `<img src="/stolen" onerror="document.title='owned'">`;
    await open(
      page,
      new URLSearchParams({
        client_id: markup,
        guild_id: markup,
        scope: `bot ${markup}`,
        redirect_uri: `javascript:${markup}`,
        permissions: "8",
      }).toString(),
    );
    await eventually(() => value("#client-id"), markup);
    await eventually(async () => (await text("#client-id-error")) !== "", true);
    await expect(link()).resolves.toBe(null);

    for (
      const fragment of ["permissions=1e9", "permissions=-1", `permissions=${"9".repeat(3999)}`]
    ) {
      await open(page, `client_id=7&${fragment}`);
      await eventually(
        async () => String(await text("#paste-error")).startsWith("The page starts empty"),
        true,
      );
    }
    await open(page, "__proto__[x]=1&%E0%A4%A&constructor=1&permissions");
    await eventually(() => text("#integer"), "0");

    // WebKit's driver would need a minute to type these.
    for (const pasted of [markup, markup.repeat(100).slice(0, 4000)]) {
      await page.execute(`
        document.getElementById("paste-error").textContent = "";
        document.getElementById("paste").value = ${JSON.stringify(pasted)};`);
      await page.click("#paste-form button");
      await eventually(async () => String(await text("#paste-error")).includes("no such"), true);
    }
    await expect(page.execute("return document.documentElement.scrollWidth <= innerWidth"))
      .resolves.toBe(true);
    await expect(page.execute(`return [document.images.length, document.title]`))
      .resolves.toEqual([0, "Invite builder · guildpass"]);
    expect(requests).not.toContain("/stolen");
  });

  test("makes no request, and its policy forbids requests", async () => {
    requests.length = 0;
    await open(page, `client_id=${clientId}&permissions=8`);
    await page.click(presetButton("All channel"));
    await page.type("#paste", "3072");
    await page.press("Enter");
    await eventually(() => text("#integer"), "3072");
    expect(requests).toEqual(["/"]);
    await expect(page.execute(`
      return performance.getEntriesByType("resource")
        .filter(({ name }) => !name.startsWith("data:")).length`)).resolves.toBe(0);

    await expect(page.execute(`
      const image = new Image();
      const refused = new Promise((resolve) => image.onerror = () => resolve("refused"));
      image.src = "/beacon.png";
      return Promise.all([
        refused,
        fetch("/beacon").then(() => "sent", () => "refused"),
        new Promise((resolve) => {
          const script = document.createElement("script");
          script.onload = () => resolve("sent");
          script.onerror = () => resolve("refused");
          try {
            script.src = "/beacon.js";
          } catch {
            resolve("refused");
          }
          document.head.append(script);
        }),
      ]);`)).resolves.toEqual(["refused", "refused", "refused"]);
    expect(requests).toEqual(["/"]);
  });

  test("works when opened from disk", async () => {
    const folder = await mkdtemp(join(tmpdir(), "invite_builder_"));
    try {
      const file = join(folder, "index.html");
      await writeFile(file, html);
      await page.goto(`${pathToFileURL(file)}#client_id=${clientId}&permissions=8`);
      await eventually(
        link,
        `${authorize()}&scope=bot%20applications.commands&permissions=8`,
      );
      await page.click("#permission-administrator");
      await eventually(async () => (await page.url()).endsWith("permissions=0"), true);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

// No browser changes these: they test the code of the page itself.
describe("The invite builder", () => {
  useInviteBuilder("chromium");

  test("explains a client ID after a wrong one", async () => {
    await page.type("#client-id", "my bot");
    await eventually(() => text("#client-id-error"), fieldProblem("clientId"));
    await expect(visible("#client-id-hint")).resolves.toEqual([false]);
    await expect(attribute("#client-id", "aria-invalid")).resolves.toBe("true");
    await expect(attribute("#client-id", "aria-describedby")).resolves.toContain("client-id-error");
    await expect(attribute("#copy-link", "aria-disabled")).resolves.toBe("true");
    await expect(link()).resolves.toBe(null);
  });

  test("shows every permission in its group, with a label and a description", async () => {
    const shown = await page.execute(`
      return [...document.querySelectorAll("#groups input")].map((input) => ({
        name: input.id.slice("permission-".length),
        group: input.closest("details").id.slice("group-".length),
        groupLabel: document.getElementById(
          input.closest("[role=group]").getAttribute("aria-labelledby")).textContent,
        label: input.labels[0].textContent.trim(),
        hasLock: input.labels[0].querySelector("svg") !== null,
        about: document.getElementById(input.getAttribute("aria-describedby")).textContent,
      }));`);
    const capitalized = (word: string) => word[0]?.toUpperCase() + word.slice(1);
    expect(shown).toEqual(names.map((name) => {
      const { group, label, description, channels, elevated } = permissionInfo[name];
      const where = channels.map(capitalized).join(" · ") || "Whole server";
      return {
        name,
        group,
        groupLabel: capitalized(group),
        label,
        hasLock: elevated,
        about: description + where + (elevated ? " · Can require two-factor authentication" : ""),
      };
    }));
  });

  test("shows one description or all of them, on demand", async () => {
    const about = "#about-kick_members";
    const more = "[aria-controls=about-kick_members]";
    await expect(attribute(more, "aria-label")).resolves.toBe("About Kick members");
    await expect(visible(about)).resolves.toEqual([false]);
    await page.click(more);
    await expect(visible(about, "#about-ban_members")).resolves.toEqual([true, false]);
    await expect(attribute(more, "aria-expanded")).resolves.toBe("true");
    await expect(checked("#permission-kick_members")).resolves.toEqual([false]);
    await page.click(more);
    await expect(visible(about)).resolves.toEqual([false]);

    await page.click("#describe");
    await expect(visible(about, "#about-ban_members", more)).resolves.toEqual([true, true, false]);
    await page.click("label[for=describe]");
    await expect(visible(about, "#about-ban_members", more)).resolves.toEqual([false, false, true]);
  });

  test("has the nine presets, describes them, and adds one to another on demand", async () => {
    for (const name of Object.keys(Permissions.presets) as PresetName[]) {
      const [label, about] = presetTexts[name];
      const button = presetButton(label);
      const difference = differenceText(name);
      await expect(text(button)).resolves
        .toBe(`${label}: ${about}${difference && `. ${difference}`}`);
      await page.click(button);
      await eventually(() => text("#integer"), String(Permissions.presets[name]));
      await expect(attribute(button, "aria-pressed")).resolves.toBe("true");
      await expect(page.execute(`return document.querySelectorAll("[aria-pressed=true]").length`))
        .resolves.toBe(1);
    }

    await page.click("#combine");
    await page.click(presetButton("Stage"));
    const both = new Permissions().advanced().add(Permissions.presets.stage);
    await eventually(() => text("#integer"), both.toString());
    await page.click(presetButton("Clear"));
    await eventually(() => text("#integer"), "0");
  });

  test("has presets for kinds of bots, which describe themselves and need no other permission", async () => {
    for (const preset of botPresets) {
      const button = presetButton(preset.label);
      await expect(text(button)).resolves.toBe(`${preset.label}: ${preset.about}`);
      await expect(visible(`${button} .hint`)).resolves.toEqual([true]);
      await page.click(button);
      await eventually(() => text("#integer"), String(botPresetValue(preset)));
      await expect(page.execute(`
        return [...document.querySelectorAll("[aria-pressed=true] .label")]
          .map(({ textContent }) => textContent);`)).resolves.toEqual([preset.label]);
      await expect(text("#suggestions")).resolves.toBe("");
    }
    await expect(violations(page)).resolves.toEqual([]);
  });

  test("describes a preset by topic visibly once it is chosen", async () => {
    const about = "#topic-presets-about";
    await expect(visible(about)).resolves.toEqual([false]);
    await page.click(presetButton("Text"));
    await eventually(() => text(about), `Text: ${presetTexts.text[1]}. ${differenceText("text")}`);
    await expect(visible(about)).resolves.toEqual([true]);
    await page.click(presetButton("Clear"));
    await eventually(() => text(about), "");
  });

  test("edits a pasted invite link", async () => {
    const pasted = `https://discord.com/oauth2/authorize?client_id=${clientId}&scope=bot` +
      `&integration_type=0&permissions=8&guild_id=${guildId}&disable_guild_select=true`;
    await page.type("#paste", pasted);
    await page.press("Enter");
    await eventually(link, pasted);
    await expect(value("#client-id")).resolves.toBe(clientId);
    await expect(value("#guild-id")).resolves.toBe(guildId);
    await expect(checked("#lock-guild", "#installation-server", "#permission-administrator"))
      .resolves.toEqual([true, true, true]);
    await expect(checked("#scope-applications-commands")).resolves.toEqual([false]);

    await page.click("#permission-administrator");
    await eventually(link, pasted.replace("permissions=8", "permissions=0"));
  });

  test("edits a pasted value, keeps its unnamed bits, and removes them on demand", async () => {
    await page.type("#paste", String((1n << 47n) | 8n));
    await page.click("#paste-form button");
    await eventually(() => text("#integer"), "140737488355336");
    await expect(text("#notes")).resolves.toContain("1 bit without a name (47), kept as received");
    await page.click("#notes button");
    await eventually(() => text("#integer"), "8");
  });

  test("loads a pasted text at once", async () => {
    // No test can fill the clipboard of every browser, so this imitates the events of a paste.
    await page.execute(`
      const field = document.getElementById("paste");
      field.dispatchEvent(new Event("paste", { bubbles: true }));
      field.value = "0x8";`);
    await eventually(() => text("#integer"), "8");
    await expect(value("#paste")).resolves.toBe("");
  });

  test("explains a wrong paste, and changes nothing", async () => {
    await page.click("#permission-connect");
    await page.type("#paste", "manage_gild");
    await page.press("Enter");
    await eventually(
      () => text("#paste-error"),
      "There is no such permission: “manage_gild”",
    );
    await expect(attribute("#paste-error", "role")).resolves.toBe("alert");
    await expect(text("#integer")).resolves.toBe(String(Permissions.flags.connect));
  });

  test("preselects a server, and locks it", async () => {
    await page.type("#client-id", clientId);
    await page.type("#guild-id", "my server");
    await eventually(
      () => text("#guild-id-error"),
      fieldProblem("guildId"),
    );
    await expect(link()).resolves.toBe(null);

    await open(page, `client_id=${clientId}`);
    await page.type("#guild-id", guildId);
    await page.click("#lock-guild");
    await eventually(
      link,
      `${authorize()}&scope=bot%20applications.commands&permissions=0&guild_id=${guildId}` +
        "&disable_guild_select=true",
    );
  });

  test("takes scopes, and asks for a redirect URI if they need one", async () => {
    await open(page, `client_id=${clientId}`);
    await page.click("#scope-applications-commands");
    await eventually(link, `${authorize()}&scope=bot&permissions=0`);

    await page.click("#more-scopes summary");
    await page.click("label[for=scope-guilds-join]");
    await page.type("#other-scopes", "brand.new");
    await eventually(() => text("#link"), "Enter a redirect URI, because the scopes need one");
    await page.type("#redirect-uri", "https://app.example/cb");
    await eventually(
      link,
      `${authorize("response_type=code&")}&scope=bot%20guilds.join%20brand.new` +
        "&redirect_uri=https%3A%2F%2Fapp.example%2Fcb&permissions=0",
    );
  });

  test("makes a link for a person's installation", async () => {
    await open(page, `client_id=${clientId}&permissions=8&guild_id=${guildId}`);
    await page.click("label[for=installation-user]");
    await eventually(link, `${authorize()}&scope=applications.commands&integration_type=1`);
    // The options that an installation for a person lacks are disabled, with a sentence that explains it.
    await expect(visible("#user-notice")).resolves.toEqual([true]);
    await expect(text("#guild-id-hint")).resolves
      .toBe("An app that a person installs doesn't join a server.");
    await expect(text("#notes")).resolves
      .toBe("Not in the link, because it installs the app for a person.");
    await eventually(() => text("#status"), await text("#user-notice"));
    await expect(page.execute(`
      return ["guild-id", "lock-guild", "permission-administrator", "preset-text"]
        .map((id) => document.getElementById(id).matches(":disabled"));`))
      .resolves.toEqual([true, true, true, true]);
    // This scope is required, so the visitor can't switch it off.
    await expect(
      page.execute(`return document.getElementById("scope-applications-commands").disabled`),
    )
      .resolves.toBe(true);
    await page.click("#installation-server");
    await eventually(
      link,
      `${authorize()}&scope=bot%20applications.commands&integration_type=0&permissions=8` +
        `&guild_id=${guildId}`,
    );
  });

  test("restores scopes and redirect URI from the address, and shows them", async () => {
    const redirectUri = "https://app.example/cb?a=1";
    await open(
      page,
      new URLSearchParams({ scope: "bot openid brand.new x.y", redirect_uri: redirectUri })
        .toString(),
    );
    await eventually(() => value("#other-scopes"), "brand.new x.y");
    await expect(value("#redirect-uri")).resolves.toBe(redirectUri);
    await expect(checked("#scope-openid", "#scope-email", "#scope-applications-commands"))
      .resolves.toEqual([true, false, false]);
    await expect(visible("#scope-openid", "#redirect-uri")).resolves.toEqual([true, true]);
  });

  test("explains elevated permissions and administrator", async () => {
    await expect(text("#notes")).resolves.toBe("");
    await page.click("#permission-administrator");
    await page.click("#permission-connect");
    await eventually(
      () => text("#notes"),
      "Administrator includes every permission, so the 1 other change nothing." +
        "1 elevated: a server can require two-factor authentication of you, the bot's owner.",
    );
  });

  test("announces changes to screen readers", async () => {
    await expect(attribute("#status", "role")).resolves.toBe("status");
    await page.click("#permission-connect");
    await eventually(() => text("#status"), "1 of 52 permissions, integer 1048576");
    await page.click(presetButton("Advanced"));
    await eventually(
      () => text("#status"),
      "Advanced preset: 1 of 52 permissions, integer 8",
    );
  });

  test.each([
    ["copy-link", "#link", "Link copied"],
    ["copy-integer", "#integer", "Permissions copied"],
    ["share", null, "Link to this setup copied"],
  ])("copies with the button %s, and confirms it", async (button, shown, done) => {
    await open(page, `client_id=${clientId}&permissions=8`);
    await eventually(() => text("#integer"), "8");
    await page.execute(`
      Object.defineProperty(navigator, "clipboard", { configurable: true, value: {
        writeText: (text) => (globalThis.copied = text, Promise.resolve()) } });`);
    await page.click(`#${button}`);
    await eventually(() => text(`#${button} .label`), "Copied");
    await eventually(() => text("#status"), done);
    await expect(page.execute("return copied")).resolves
      .toBe(shown === null ? await page.url() : await text(shown));
    await eventually(async () => (await text(`#${button} .label`)) !== "Copied", true);
  });

  test("shows the permissions as a number or as code, and copies what it shows", async () => {
    await open(page, `client_id=${clientId}&permissions=3072`);
    await eventually(() => text("#integer"), "3072");
    await page.execute(`
      Object.defineProperty(navigator, "clipboard", { configurable: true, value: {
        writeText: (text) => (globalThis.copied = text, Promise.resolve()) } });`);
    const forms = ["decimal", "hexadecimal", "guildpass", "discord.js"] as const;
    await expect(page.execute(`
      return [...document.getElementById("code-form").options].map(({ value }) => value);`))
      .resolves.toEqual(forms);
    for (const form of forms) {
      await page.execute(`
        const field = document.getElementById("code-form");
        field.value = ${JSON.stringify(form)};
        field.dispatchEvent(new Event("input", { bubbles: true }));`);
      const code = permissionCode(new Permissions(3072n), form);
      await eventually(() => text("#integer"), code);
      // The keyboard reaches code, which may have to be scrolled.
      await expect(attribute("#integer", "tabindex")).resolves
        .toBe(code.includes("\n") ? "0" : null);
      await page.click("#copy-integer");
      await eventually(() => page.execute("return copied"), code);
      await expect(violations(page)).resolves.toEqual([]);
    }
    await page.click("#permission-connect");
    await eventually(
      () => text("#integer"),
      permissionCode(new Permissions(1051648n), "discord.js"),
    );
  });

  test("makes links to the platform of the site that serves it", async () => {
    await page.goto(`${base}site?guild_id=${guildId}`);
    const start = site.authorizeUrl;
    const address = `${start}&client_id=${clientId}&scope=bot%20applications.commands`;
    await eventually(link, `${address}&permissions=0&guild_id=${guildId}`);
    await expect(text(".masthead a")).resolves.toBe("A & B");

    await page.execute(`document.getElementById("guild-id").value = ""`);
    await page.click("label[for=installation-user]");
    await eventually(
      link,
      `${start}&client_id=${clientId}&scope=applications.commands&integration_type=1`,
    );
    await page.click("#more-scopes summary");
    await page.click("label[for=scope-identify]");
    await page.type("#redirect-uri", "https://app.example/cb");
    await eventually(
      async () => String(await link()).startsWith(`${start}&response_type=code`),
      true,
    );
  });
});

describe("axe", () => {
  test.each<[BrowserName, string, { dark: boolean; width: number }]>([
    ["chromium", "light", { dark: false, width: 1280 }],
    ["chromium", "dark", { dark: true, width: 1280 }],
    ["chromium", "light and 360 pixels wide", { dark: false, width: 360 }],
    // The other browsers have other fonts and other colors of fields.
    ...browserNames.map((browser): [BrowserName, string, { dark: boolean; width: number }] => [
      browser,
      "dark and 360 pixels wide",
      { dark: true, width: 360 },
    ]),
  ])("finds no violation in %s, in %s", async (browser, _, options) => {
    const page = await openBrowser(browser, options);
    try {
      await open(page);
      await expect(page.execute(`
        return [matchMedia("(prefers-color-scheme: dark)").matches, innerWidth];`))
        .resolves.toEqual([options.dark, options.width]);
      await expect(violations(page)).resolves.toEqual([]);

      // Shows everything: all scopes, every kind of remark, and errors in the fields.
      await open(
        page,
        `client_id=x&guild_id=y&permissions=${(1n << 60n) - 1n}&scope=bot+identify&redirect_uri=z`,
      );
      await page.type("#paste", "nonsense");
      await page.press("Enter");
      await eventually(
        () => page.execute(`return document.querySelectorAll(".error:not(:empty)").length`),
        4,
      );
      await expect(violations(page)).resolves.toEqual([]);
      await page.click("label[for=installation-user]");
      await page.type("#filter", "thread");
      await expect(violations(page)).resolves.toEqual([]);

      await open(page, `client_id=${clientId}&permissions=2048`);
      await page.execute(`
        for (const group of document.querySelectorAll("details")) group.open = true;`);
      await page.click("#describe");
      await expect(violations(page)).resolves.toEqual([]);

      await expect(page.execute("return document.documentElement.scrollWidth"))
        .resolves.toBeLessThanOrEqual(options.width);
    } finally {
      await page.close();
    }
  });
});

describe.each(browserNames)("The size of the page in %s", (browser) => {
  test.each([
    ["two screens of a computer", { width: 1280, height: 800, screens: 2 }],
    ["four screens of a phone", { width: 360, height: 740, screens: 4 }],
  ])("is at most %s, with the list of permissions", async (_, { width, height, screens }) => {
    const page = await openBrowser(browser, { width });
    try {
      await open(page, `client_id=${clientId}&scope=bot&permissions=2048`);
      await eventually(async () => (await linkOf(page)) !== null, true);
      await expect(page.execute("return document.documentElement.scrollHeight")).resolves
        .toBeLessThanOrEqual(screens * height);
      // On a phone, the groups are folded, and their headings describe them.
      await expect(page.execute(`
        return [...document.querySelectorAll(".group")].map(({ open }) => open);`)).resolves
        .toEqual(Array(6).fill(width > 360));
      await expect(page.execute(`
        return document.querySelector("#group-text .count").checkVisibility();`)).resolves
        .toBe(true);
    } finally {
      await page.close();
    }
  });

  // The narrowest page has the least room for errors.
  test.each(browser === "chromium" ? [1280, 640, 360] : [360])(
    "stays the same when errors appear, %i pixels wide",
    async (width) => {
      const page = await openBrowser(browser, { width });
      const places = () =>
        page.execute(`
        return [...document.querySelectorAll("main input, main button, main h2")]
          .filter((element) => element.checkVisibility())
          .map((element) =>
            [element.id, Math.round(element.getBoundingClientRect().top + scrollY)]);`);
      try {
        await open(page, `client_id=${clientId}&scope=bot+identify+x`);
        await eventually(() => errors(page), 0);
        const before = await places();
        await page.type("#client-id", "x");
        await page.type("#guild-id", "y");
        await page.type("#other-scopes", " ü");
        await page.type("#redirect-uri", "z");
        await page.type("#paste", "https://x.example/");
        await page.press("Enter");
        await eventually(() => errors(page), 5);
        await expect(places()).resolves.toEqual(before);
        await expect(page.execute("return document.documentElement.scrollWidth")).resolves
          .toBeLessThanOrEqual(width);
      } finally {
        await page.close();
      }
    },
  );

  test("needs no horizontal scrolling at 400 %, with everything unfolded", async () => {
    const page = await openBrowser(browser, { width: 320 });
    try {
      const everything = (1n << 256n) - 1n;
      await open(page, `client_id=${clientId}&scope=bot+identify&permissions=${everything}`);
      await page.execute(`
        for (const details of document.querySelectorAll("details")) details.open = true;
        document.getElementById("describe").click();`);
      await expect(page.execute("return document.documentElement.scrollWidth")).resolves
        .toBeLessThanOrEqual(320);
    } finally {
      await page.close();
    }
  });

  test("has a bar to fold at 320 pixels, which stays folded during the visit", async () => {
    const page = await openBrowser(browser, { width: 320 });
    const bar = () =>
      page.execute(`
        const isShown = (id) => document.getElementById(id).checkVisibility();
        const fold = document.getElementById("fold");
        return [fold.ariaExpanded, isShown("copy-link"), isShown("integer"), isShown("code-form")];`);
    const folded = ["false", true, false, false];
    try {
      await open(page, `client_id=${clientId}&scope=bot&permissions=8`);
      const height = "return document.getElementById('result').offsetHeight";
      await expect.poll(() => linkOf(page)).toContain("permissions=8");
      await expect(bar()).resolves.toEqual(["true", true, true, true]);
      const before = await page.execute(height);
      await page.execute(`document.getElementById("fold").focus()`);
      await page.press("Enter");
      await eventually(bar, folded);
      expect(await page.execute(height)).toBeLessThan(Number(before) * 0.65);
      await page.execute(`document.querySelector("${presetButton("Text")}").click()`);
      await eventually(() => page.execute("return location.hash.includes('permissions=8')"), false);
      await expect(bar()).resolves.toEqual(folded);
      // A page in a frame has another history, and a reload of WebKit's window leaves the frame.
      if (browser !== "webkit") {
        await page.reload();
        await eventually(bar, folded);
      }
      await page.execute(`document.getElementById("fold").click()`);
      await eventually(bar, ["true", true, true, true]);
      await expect(page.execute("return document.documentElement.scrollWidth")).resolves
        .toBeLessThanOrEqual(320);
    } finally {
      await page.close();
    }
  });

  // WebKit's driver shows a narrow page in a frame, which does not get the focus of the window.
  test.skipIf(browser === "webkit").each([false, true])(
    "hides no focused field behind the bar: folded %s",
    async (isFolded) => {
      const page = await openBrowser(browser, { width: 320 });
      try {
        await open(page, `client_id=${clientId}&scope=bot&permissions=9007199254740991`);
        await expect.poll(() => linkOf(page)).toContain("permissions=");
        await page.execute(`
        for (const details of document.querySelectorAll("details")) details.open = true;
        ${isFolded ? `document.getElementById("fold").click();` : ""}`);
        const hidden = await page.execute(`
        const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
        const bar = document.getElementById("result");
        const fields = [...document.querySelectorAll("main :is(a, button, input, select, summary)")]
          .filter((element) => element.checkVisibility() && !element.matches(":disabled"));
        return (async () => {
          const hidden = [];
          for (const element of fields) {
            element.focus();
            await frame();
            if (element.getBoundingClientRect().bottom > bar.getBoundingClientRect().top) {
              hidden.push(element.id || element.textContent);
            }
          }
          return hidden;
        })();`);
        expect(hidden).toEqual([]);
        if (browser === "chromium") await expect(violations(page)).resolves.toEqual([]);
      } finally {
        await page.close();
      }
    },
  );

  const errors = (page: BrowserPage) =>
    page.execute(`return document.querySelectorAll(".error:not(:empty)").length`);
  const linkOf = (page: BrowserPage) =>
    page.execute(`return document.getElementById("link").getAttribute("href")`);
});

/** The button of a preset. */
function presetButton(label: string): string {
  return `#preset-${label.toLowerCase().replaceAll(" ", "-")}`;
}

/** Reloads the page at an address, also if only the fragment differs. */
async function open(page: BrowserPage, fragment = ""): Promise<void> {
  await page.goto("about:blank");
  await page.goto(base + (fragment && `#${fragment}`));
}

function authorize(before = ""): string {
  return `https://discord.com/oauth2/authorize?${before}client_id=${clientId}`;
}

/** Waits for a value that the page shows a moment later. */
async function eventually(read: () => Promise<unknown>, expected: unknown): Promise<void> {
  await expect.poll(read, { interval: 50 }).toEqual(expected);
}

function text(selector: string): Promise<unknown> {
  return page.execute(`return document.querySelector(${JSON.stringify(selector)}).textContent`);
}

function value(selector: string): Promise<unknown> {
  return page.execute(`return document.querySelector(${JSON.stringify(selector)}).value`);
}

function attribute(selector: string, name: string): Promise<unknown> {
  return page.execute(
    `return document.querySelector(${JSON.stringify(selector)}).getAttribute("${name}")`,
  );
}

function link(): Promise<unknown> {
  return attribute("#link", "href");
}

function checked(...selectors: readonly string[]): Promise<unknown> {
  return page.execute(
    `return ${JSON.stringify(selectors)}.map((one) => document.querySelector(one).checked)`,
  );
}

function visible(...selectors: readonly string[]): Promise<unknown> {
  return page.execute(
    `return ${JSON.stringify(selectors)}
      .map((one) => document.querySelector(one).checkVisibility())`,
  );
}

function focused(): Promise<unknown> {
  return page.execute("return document.activeElement.id");
}

/** Returns true if the focused element, or the cell around it, has an outline. */
function outlined(): Promise<unknown> {
  return page.execute(`
    const focused = document.activeElement;
    return [focused, focused.closest(".row") ?? focused]
      .some((element) => parseFloat(getComputedStyle(element).outlineWidth) >= 2 &&
        getComputedStyle(element).outlineStyle !== "none");`);
}
