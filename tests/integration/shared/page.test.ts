import { describe, expect, test } from "vitest";
import { html } from "../../../examples/shared/html.ts";
import { messagePage, page, picture, visibleName } from "../../../examples/shared/page.ts";

const hostile = `"'><script>alert(1)</script>&amp;`;

describe("page()", () => {
  test("escapes text", async () => {
    const shown = await page({
      example: hostile,
      title: hostile,
      home: hostile,
      content: html`<p>${hostile}</p>`,
    }).text();
    expect(shown).not.toContain("<script");
    expect(shown).not.toContain("&amp;");
    expect(shown.match(/&#60;script&#62;alert\(1\)/g)).toHaveLength(4);
  });

  test("allows its own style, images from the given origin, and nothing else", async () => {
    const options = { example: "", title: "", content: html`` };
    const responses = [page(options), page({ ...options, images: "https://cdn.example" })];
    const policies = responses.map(({ headers }) => headers.get("content-security-policy") ?? "");
    const nonces = policies.map((policy) => /'nonce-([^']+)'/.exec(policy)?.[1] ?? "");
    expect(policies.map((policy, i) => policy.replace(nonces[i] ?? "", "…"))).toEqual(
      ["", "https://cdn.example"].map((images) =>
        `default-src 'none'; style-src 'nonce-…'; img-src data: ${images}; form-action 'self'; ` +
        "base-uri 'none'; frame-ancestors 'none'"
      ),
    );
    expect(new Set(nonces).size).toBe(2);
    await expect(responses[0]?.text()).resolves.toContain(`<style nonce="${nonces[0]}">`);
  });

  test("allows the module of the page, the modules that it imports, and no other script", async () => {
    const script = "/modules/main.ts";
    const response = page({ example: "", title: "", content: html``, script });
    const policy = response.headers.get("content-security-policy") ?? "";
    const [, nonce = ""] = /style-src 'nonce-([^']+)'/.exec(policy) ?? [];
    expect(policy.replaceAll(nonce, "…")).toBe(
      "default-src 'none'; style-src 'nonce-…'; img-src data: ; form-action 'self'; base-uri 'none'; " +
        "frame-ancestors 'none'; script-src 'nonce-…'; require-trusted-types-for 'script'; trusted-types 'none'",
    );
    await expect(response.text()).resolves
      .toContain(`<script type="module" nonce="${nonce}" src="${script}"></script>`);
  });

  test("allows requests to the given origin", () => {
    const response = page({
      example: "",
      title: "",
      content: html``,
      connect: "https://api.example",
    });
    expect(response.headers.get("content-security-policy")).toMatch(
      /; connect-src https:\/\/api\.example$/,
    );
  });

  test("allows the given origin in frames, and another to show the page in one", () => {
    const [frames, framedBy] = ["https://inner.example", "https://outer.example"];
    const response = page({ example: "", title: "", content: html``, frames, framedBy });
    const policy = response.headers.get("content-security-policy");
    expect(policy).toMatch(
      /; frame-ancestors https:\/\/outer\.example; frame-src https:\/\/inner\.example$/,
    );
  });

  test("links the name to the start page, if there is one", async () => {
    const options = { example: "", title: "", content: html`` };
    await expect(page(options).text()).resolves.toContain(`<a href="/">`);
    await expect(page({ ...options, home: null }).text()).resolves.not.toContain("<a ");
  });
});

describe("messagePage()", () => {
  test.each([[200, "status"], [303, "status"], [404, "alert"], [500, "alert"]] as const)(
    "with the status %s tells a screen reader in the way that fits",
    async (status, role) => {
      const response = messagePage({ example: "", title: "", text: "It ended", status });
      expect(response.status).toBe(status);
      await expect(response.text()).resolves.toContain(`role="${role}">It ended</p>`);
    },
  );
});

test.each(["\u3164", "\u115f", "\u1160", "\uffa0", "\u2800", "\u200b"])(
  "The empty name %j is replaced, and has no initials",
  (name) => {
    expect(visibleName(name)).toBe("(no name)");
    expect(visibleName(`${name}Ada`)).toBe(`${name}Ada`);
    expect(String(picture(null, `${name}Ada ${name}`))).toContain(">A</span>");
  },
);
