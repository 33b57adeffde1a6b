import fc from "fast-check";
import { Window } from "happy-dom";
import { describe, expect, test } from "vitest";
import { Html, html } from "../../../examples/shared/html.ts";

describe("html``", () => {
  test("escapes text between tags and in attributes", () => {
    const name = `<script>"'&`;
    expect(String(html`<p title="${name}">${name}</p>`)).toBe(
      '<p title="&#60;script&#62;&#34;&#39;&#38;">&#60;script&#62;&#34;&#39;&#38;</p>',
    );
  });

  test("inserts the result of a template unchanged, and joins lists", () => {
    const items = ["<1>", "2"].map((item) => html`<li>${item}</li>`);
    expect(String(html`<ul>${items}</ul>${3}`)).toBe("<ul><li>&#60;1&#62;</li><li>2</li></ul>3");
    expect(String(html`${[["<", [html`<br>`]], []]}`)).toBe("&#60;<br>");
  });

  test("escapes an object of the same shape as HTML", () => {
    const forged = { text: "<script>", toString: () => "<script>" };
    expect(String(html`${forged as unknown as Html}`)).not.toContain("<script>");
  });

  test("preserves any text through a parser of HTML", () => {
    const { document } = new Window();
    // Parsers replace these characters, escaped or not.
    const text = fc.string({ unit: "binary" }).map((text) => text.replace(/[\0\r]/g, ""));
    fc.assert(fc.property(text, (text) => {
      document.body.innerHTML = String(html`<p title="${text}">${text}</p>`);
      const paragraph = document.querySelector("p");
      expect(paragraph?.textContent).toBe(text);
      expect(paragraph?.getAttribute("title")).toBe(text);
      expect(document.body.children).toHaveLength(1);
    }));
  });
});
