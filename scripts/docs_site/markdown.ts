/**
 * The Markdown of the pages: links, tables and marks in another form than VitePress gives them.
 *
 * @module
 */

import { existsSync } from "node:fs";
import { posix } from "node:path";
import { fileURLToPath } from "node:url";
import type { MarkdownOptions, MarkdownRenderer } from "vitepress";
import { headingId, repository } from "./guides.ts";
import { barsPath } from "./pictures.ts";

type Token = ReturnType<MarkdownRenderer["parse"]>[number];
type ShikiTransformer = NonNullable<MarkdownOptions["codeTransformers"]>[number];

const root = fileURLToPath(new URL("../../", import.meta.url));
const pages = fileURLToPath(new URL("dist/pages/", import.meta.url));

/** Marks in cells, with their names for screen readers. The style sheet has a color for each class. */
const marks: Readonly<Record<string, string>> = { "✓": "yes", "✗": "no" };

/** Changes the output of links, tables and marks. */
export function changeMarkdown(markdown: MarkdownRenderer): void {
  const { image: renderImage, link_open: renderLink, text: renderText } = markdown.renderer.rules;
  markdown.renderer.rules.image = (tokens, index, options, environment, self) => {
    const token = tokens[index];
    const render = () => renderImage?.(tokens, index, options, environment, self) ?? "";
    const source = token?.attrGet("src");
    if (!source?.endsWith(".svg")) return render();
    // The style sheet shows one of them.
    return ["light", "dark"].map((scheme) => {
      token?.attrSet("src", source.replace(".svg", `.${scheme}.svg`));
      token?.attrSet("class", source.endsWith(barsPath) ? `in-${scheme} bars` : `in-${scheme}`);
      return render();
    }).join("");
  };
  markdown.renderer.rules.link_open = (tokens, index, options, environment, self) => {
    const token = tokens[index];
    const href = token?.attrGet("href");
    const page = environment.relativePath;
    if (href && posix.join(posix.dirname(page), href) === "examples/invite_builder") {
      // The builder is a page of its own, outside of VitePress.
      token?.attrSet("href", `${posix.relative(posix.dirname(page), "invite-builder")}/`);
      token?.attrSet("target", "_self");
      return self.renderToken(tokens, index, options);
    }
    if (href) token?.attrSet("href", translateLink(page, href));
    return renderLink?.(tokens, index, options, environment, self) ??
      self.renderToken(tokens, index, options);
  };
  markdown.renderer.rules.text = (...parameters) =>
    (renderText?.(...parameters) ?? "").replace(
      /[✓✗]/g,
      (mark) =>
        `<span class="${marks[mark]}" role="img" aria-label="${marks[mark]}">${mark}</span>`,
    );
  const { table_open: renderTable } = markdown.renderer.rules;
  markdown.renderer.rules.table_open = (tokens, index, ...rest) => {
    const table = renderTable?.(tokens, index, ...rest) ?? "<table>";
    // A table of results has the day of the test at its top left. Its columns are narrow.
    const corner = tokens.slice(index).find(({ type }) => type === "inline");
    for (const text of corner?.children ?? []) {
      // A date has hyphens that do not break.
      text.content = text.content.replace(/\b(\d{4})-(\d\d)-(\d\d)\b/, "$1\u2011$2\u2011$3");
    }
    return textOf(corner).startsWith("Tested ")
      ? table.replace("<table", '<table class="results"')
      : table;
  };
  const renderCode = markdown.renderer.rules.code_inline;
  markdown.renderer.rules.code_inline = (tokens, index, options, environment, self) => {
    const code = renderCode?.(tokens, index, options, environment, self) ?? "";
    const isInTable = tokens[index]?.meta === inTable;
    return isInTable
      ? code.replace(/>[^<]+/, (text) => text.replace(/[./](?=[\w{])/g, "$&<wbr>"))
      : code;
  };
  markdown.core.ruler.push("tables", ({ tokens, env, Token }) => {
    changeTables(tokens);
    const page = String(env.relativePath);
    if (lookups.test(page)) nameRows(tokens);
    if (page.startsWith("docs/")) linkErrors(tokens, Token);
  });
  markdown.core.ruler.push("signatures", ({ tokens, env }) => {
    if (String(env.relativePath).startsWith("api/")) changeSignatures(tokens, markdown);
  });
}

/** Marks code in a table, which may break at its punctuation. */
const inTable = "table";

/** Makes the first cell of a row its header, and gives the other cells the name of their column, which phones show beside them. */
function changeTables(tokens: readonly Token[]): void {
  let names: string[] = [];
  let column = 0;
  tokens.forEach((token, index) => {
    const { type } = token;
    if (type === "thead_open") names = [];
    if (type === "tr_open") column = 0;
    if (type !== "th_open" && type !== "td_open") return;
    const content = tokens[index + 1];
    const end = tokens[index + 2];
    for (const child of content?.children ?? []) {
      if (child.type === "code_inline") child.meta = inTable;
    }
    if (type === "th_open") names.push(textOf(content));
    else if (column === 0) {
      token.tag = "th";
      token.attrSet("scope", "row");
      if (end) end.tag = "th";
    } else token.attrSet("data-column", names[column] ?? "");
    if (textOf(content).length > 30) token.attrSet("class", "text");
    column++;
  });
}

/** Guides with tables in which one looks up a code, a scope or what a user says. */
const lookups = /^docs\/(?:errors|keeping_people_logged_in|scopes|troubleshooting)\.md$/;

/** Gives the rows that begin with code or a quotation an id, so that the search finds each of them. */
function nameRows(tokens: readonly Token[]): void {
  const ids = new Set(tokens.flatMap((token) => token.attrGet("id") ?? []));
  tokens.forEach((token, index) => {
    const isCell = token.type === "td_open" && tokens[index - 1]?.type === "tr_open";
    const first = isCell && tokens[index + 1]?.children?.[0];
    if (!first || !(first.type === "code_inline" || /^["“]/.test(first.content))) return;
    const id = headingId(first.content);
    if (id !== "" && ids.size < ids.add(id).size) tokens[index - 1]?.attrSet("id", id);
  });
}

/** Links the class of an error at the end of a cell to its page. */
function linkErrors(
  tokens: readonly Token[],
  NewToken: new (type: string, tag: string, nesting: -1 | 0 | 1) => Token,
): void {
  for (const { children } of tokens) {
    const index = children?.findLastIndex(({ type }) => type === "code_inline") ?? -1;
    const code = children?.[index];
    if (code?.meta !== inTable || index !== (children?.length ?? 0) - 1) continue;
    const [page] = ["Errors", "login"].map((module) =>
      `api/sdk/${module}/classes/${code.content}.md`
    )
      .filter((path) => existsSync(pages + path));
    if (!page) continue;
    const link = new NewToken("link_open", "a", 1);
    link.attrSet("href", `../${page}`);
    children?.splice(index, 1, link, code, new NewToken("link_close", "a", -1));
  }
}

/** Returns the text of a cell, without its marks. */
function textOf(token: Token | undefined): string {
  return (token?.children ?? []).map(({ content }) => content).join("");
}

/** Shows the quotes of the API reference, its signatures, as lines of code. They may break at their punctuation. */
function changeSignatures(tokens: readonly Token[], { utils }: MarkdownRenderer): void {
  let isSignature = false;
  for (const token of tokens) {
    if (/^blockquote_/.test(token.type)) {
      isSignature = token.nesting > 0;
      token.tag = "div";
      // Vue would read two braces as an expression.
      if (isSignature) token.attrs = [["class", "signature"], ["v-pre", ""]];
    }
    if (!isSignature) continue;
    if (/^paragraph_/.test(token.type)) token.tag = "code";
    for (const child of token.children ?? []) {
      if (child.type !== "text" && child.type !== "code_inline") continue;
      child.type = "html_inline";
      child.content = utils.escapeHtml(child.content).replace(/(?:\(|&lt;)(?!\))/g, "$&<wbr>");
    }
  }
}

/** The class of each pair of colors in code, one for light and one for dark pages. */
const colorClasses = new Map<string, string>();

/** Gives the words of code a class in place of their colors, which would be a third of a page with much code. */
export const codeColors: ShikiTransformer = {
  pre(node) {
    node.properties["class"] = "shiki vp-code";
  },
  span(node) {
    const { style } = node.properties;
    if (typeof style !== "string" || !style.startsWith("--shiki-light")) return;
    const name = colorClasses.get(style) ?? `t${colorClasses.size}`;
    colorClasses.set(style, name);
    delete node.properties["style"];
    this.addClassToHast(node, name);
  },
};

/** Returns the rules of the style sheet for the colors of all code that was rendered. */
export function colorRules(): string {
  return [...colorClasses].map(([style, name]) => `.vp-code .${name}{${style}}`).join("");
}

/** Translates a link to a file of the repository that is not a page of the site. */
function translateLink(page: string, href: string): string {
  if (/^(?:[a-z]+:|#)/.test(href)) return href;
  const [path = "", hash] = href.split("#");
  const file = posix.join(posix.dirname(page), path);
  if (existsSync(pages + file) || !existsSync(root + file)) return href;
  return `${repository}/blob/main/${file}${hash ? `#${hash}` : ""}`;
}
