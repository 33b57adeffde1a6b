import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { metadata } from "../../scripts/package.ts";
import { headingId, readGuide, readSections } from "../../scripts/docs_site/guides.ts";
import { homePage } from "../../scripts/docs_site/home.ts";
import {
  apiMarkdown,
  checkApiMarkdown,
  withMemberList,
  withNoteOnNull,
  withShortSignatures,
} from "../../scripts/docs_site/api_markdown.ts";
import { inScheme, pictures } from "../../scripts/docs_site/pictures.ts";
import { moved, redirectPage } from "../../scripts/docs_site/moved.ts";

const root = new URL("../../", import.meta.url);
const sections = readSections();
const paths = sections.flatMap(({ guides }) => guides.map(({ path }) => path));

// `browser/docs_site.browser.ts` tests the built site.
describe("The sidebar of the documentation site", () => {
  test("has the sections and the order of the list of guides", () => {
    const list = readFileSync(new URL("docs/README.md", root), "utf8");
    const places = sections.slice(0, -1).map(({ title }) => list.indexOf(`**${title}**`));
    expect(places.length).toBeGreaterThan(3);
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    expect(sections[0]?.guides[0]).toMatchObject({
      path: "docs/first_login.md",
      title: "Your first login",
    });
    expect(sections.at(-1)?.title).toBe("The project");
  });

  test("has the short names of the list of guides", () => {
    const names = new Map(
      sections.flatMap(({ guides }) => guides.map(({ path, name }) => [path, name])),
    );
    expect(names.get("docs/comparison.md")).toBe("Comparison");
    expect(names.get("docs/keeping_people_logged_in.md")).toBe("Staying logged in");
  });

  test("has every guide once", () => {
    const guides = readdirSync(new URL("docs/", root))
      .filter((name) => name.endsWith(".md") && name !== "README.md");
    const shown = paths.filter((path) => path.startsWith("docs/"));
    expect(shown.toSorted()).toEqual(guides.map((name) => `docs/${name}`).toSorted());
  });

  test("has no title twice", () => {
    const titles = sections.flatMap(({ guides }) => guides.map(({ title }) => title));
    expect(new Set(titles).size).toBe(titles.length);
    expect(titles.join()).not.toContain("`");
  });
});

test("The old address of a guide leads to a heading of its new one", () => {
  for (const [name, target] of Object.entries(moved)) {
    const [path = "", heading] = target.replace(".html", ".md").split("#");
    const ids = [
      ...readFileSync(new URL(`docs/${path}`, root), "utf8").matchAll(/^#+ (.*)$/gm),
    ].map(([, title = ""]) => headingId(title));
    if (heading) expect(ids, name).toContain(heading);
    expect(redirectPage(target)).toContain(`url=${target}"`);
    expect(existsSync(new URL(`docs/${name}.md`, root)), name).toBe(false);
  }
});

test("The release builds the documentation site for its folder on GitHub Pages", () => {
  const [, name] = /github\.com\/[^/]+\/([^/.]+)/.exec(metadata.repository.url) ?? [];
  const script = readFileSync(new URL("scripts/check_release.ts", root), "utf8");
  expect(script).toContain(`"build", "--base=/${name}/"`);
});

test("The first page installs the package from npm once the README no longer says that npm lacks it", () => {
  const readme = readGuide("README.md");
  expect(homePage(readme)).not.toContain("npm install @guildpass/sdk");
  const markdown = readme.markdown.replace("isn't on npm yet", "is on npm");
  expect(homePage({ ...readme, markdown })).toContain("npm install @guildpass/sdk");
});

test("The pictures of the guides show the kept results", () => {
  for (const [path, picture] of Object.entries(pictures())) {
    expect(readFileSync(new URL(path, root), "utf8"), path).toBe(picture);
  }
});

test("The notes in a picture of a login are between the lines of the columns beside them", () => {
  for (const path of ["docs/login.svg", "docs/app_login.svg"]) {
    const picture = pictures()[path] ?? "";
    const lines = [...picture.matchAll(/<path d="M(\d+) 34V/g)].map(([, x]) => Number(x));
    const notes = [...picture.matchAll(/<rect x="(\d+)" y="\d+" width="(\d+)"/g)];
    expect(notes.length, path).toBeGreaterThan(1);
    for (const [, x, width] of notes) {
      const crossed = lines.filter((line) => line > Number(x) && line < Number(x) + Number(width));
      expect(crossed, path).toHaveLength(1);
    }
  }
});

test("The bar charts say that shorter bars are better", () => {
  expect(pictures()["docs/bytes_and_speed.svg"]?.match(/Shorter bars are better/g)).toHaveLength(2);
});

test("A picture has a version for light and one for dark pages", () => {
  for (const [path, picture] of Object.entries(pictures())) {
    const [light, dark] = [inScheme(picture, "light"), inScheme(picture, "dark")];
    expect(light, path).not.toMatch(/@media|#1b1b1f/);
    expect(dark, path).not.toContain("@media");
    expect(dark, path).toMatch(/#ffffff[^]*\.back \{ fill: #1b1b1f \}[^]*\}\n<\/style>/);
  }
});

describe("A page of the API reference", () => {
  test("has its members before other types, and folded type parameters without headings", () => {
    const page = apiMarkdown(
      "Text\n\n## Extends\n\n- `Base`\n\n## Type Parameters\n\n### Kind\n\n`Kind` = `any`\n\nIts kind.\n\n" +
        "## Members\n\n### name?\n\n> `readonly` `optional` **name?**: `string`\n",
      "Topic",
    );
    expect(page.match(/^(?:#|>|<).*$/gm)).toEqual([
      "<details>",
      "<summary>Type parameters</summary>",
      "> `Kind` = `any`",
      "</details>",
      "## Members",
      "### name?",
      "> `readonly` **name?**: `string`",
      "## Extends",
    ]);
  });

  test("of a function has its type parameters last", () => {
    const page = apiMarkdown(
      "Text\n\n## Type Parameters\n\n### Kind\n\n`Kind`\n\n## Parameters\n\n- `name`: Its name.\n",
      "Topic",
    );
    expect(page.match(/^(?:#|<s).*$/gm)).toEqual([
      "## Parameters",
      "<summary>Type parameters</summary>",
    ]);
  });

  test("has all errors in one place, and then the type parameters, before the members", () => {
    const fold = (name: string) =>
      `<details>\n<summary>Type parameters</summary>\n\n> \`${name}\`\n\n</details>\n\n`;
    const rejections = "Every method rejects with\n\n- `AError` on\n  a refusal;\n- `BError`.\n\n";
    const thrown = "## Throws\n\n- `TypeError`: If it fails.\n\n";
    const methods = `## Methods\n\n### name()\n\n${fold("Other")}`;
    const list = (text: string) =>
      withMemberList(text, [["Methods", ["name"]]]).replace(/^[^]*?<\/div>\s+/, "");
    expect(list(`\nSummary.\n\nMore.\n\n${rejections}${thrown}${fold("Kind")}${methods}`))
      .toBe(`## Details\n\nMore.\n\n${thrown}${rejections}${fold("Kind")}${methods}`);
    expect(list(`\nSummary.\n\n${rejections}${methods}`))
      .toBe(`## Throws\n\n${rejections}${methods}`);
    const everyMethod = "#### Throws\n\n- The errors of every method\n";
    expect(list(`\nSummary.\n\n${rejections}${methods}${everyMethod}`))
      .toContain("- [The errors of every method](#throws)\n");
  });

  test("shows a needed scope once, and no null of options", () => {
    const signature = (parameters: string) =>
      `### read()\n\n> **read**(${parameters}): \`Data\` \\| \`null\`\n\n`;
    const self = '`this`: [`UserWith`](../UserWith.md)\\<`"guilds.join"`\\>';
    const badge = "<Badge>scope: guilds.join</Badge>\n\n";
    const id = "`id?`: `string` \\| `null`";
    const options = "`options?`: [`Options`](../Options.md)\\<`A`, `B`\\>";
    expect(withShortSignatures(
      `${
        signature(`${self}, ${id}, ${options} \\| \`null\``)
      }Reads. Needs the \`guilds.join\` scope. Fast.\n`,
    )).toBe(`${signature(`${id}, ${options}`)}${badge}Reads. Fast.\n`);
    const list = '<div class="members">\n\n- `read`\n\n</div>';
    const nulls = signature(`${options} \\| \`null\``);
    expect(withNoteOnNull(`${list}\n\n${nulls}`))
      .toMatch(/<\/div>\n\nOptional .* also accept `null`.*\n\n\n### read/);
    expect(withNoteOnNull(nulls)).toMatch(/^### read[^]* also accept `null`/);
    const noNulls = signature(id) + signature(options);
    expect(withNoteOnNull(noNulls)).toBe(noNulls);
    const others = `Reads. Needs the \`guilds.join\` scope, or another.\n\n${signature(id)}`;
    expect(withShortSignatures(`${signature(self)}${others}`))
      .toBe(`${signature("")}${badge}${others}`);
  });

  test("shows the scope of a method with a folded full signature once", () => {
    const self = '`this`: [`UserWith`](../UserWith.md)\\<`"guilds"`\\>';
    const title = (type: string) => `> **read**(${self}): ${type}\n\n`;
    const fold = (text: string) => `<details>\n\n${text}</details>\n`;
    expect(withShortSignatures(`### read()\n\n${title("`A`")}${fold(title("`B`"))}`)).toBe(
      `### read()\n\n> **read**(): \`A\`\n\n<Badge>scope: guilds</Badge>\n\n${
        fold("> **read**(): `B`\n\n")
      }`,
    );
  });

  test("shows that a method needs the token of a bot", () => {
    const signature = "### read()\n\n> **read**(`id`: `string`): `Data`\n\n";
    const badge = "<Badge>bot token</Badge>\n\n";
    const text = "Reads. Needs the token of a bot.\n";
    expect(withShortSignatures(signature + text)).toBe(signature + badge + text);
    const self = '`this`: [`UserWith`](../UserWith.md)\\<`"guilds"`\\>';
    const either = "Needs the `guilds` scope, or the token of the\napplication's bot.\n";
    expect(withShortSignatures(`### read()\n\n> **read**(${self}): \`Data\`\n\n${either}`)).toBe(
      `### read()\n\n> **read**(): \`Data\`\n\n<Badge>scope: guilds</Badge> <Badge>or bot token</Badge>\n\n${either}`,
    );
  });

  test("shows a property that is a function as a method, and names the objects of a union by what differs", () => {
    const page = apiMarkdown(
      "Text\n\n## Members\n\n### enter\n\n> `readonly` **enter**(): `void`\n\n" +
        '### Type Literal\n\n\\{ `status`: `"a"` \\| `"b"`; `user`: `null`; \\}\n\nText\n',
      "Topic",
    );
    expect(page).toContain("### enter()\n\n> **enter**(): `void`\n");
    expect(page).toContain('### status: "a" or "b"\n');
  });

  test("names each of several calls by its parameters and result", () => {
    const call = (signature: string) => `#### Call Signature\n\n> ${signature}\n\nText\n\n`;
    const data = "[`Data`](../Data.md)\\<`A`, `B`\\>";
    const page = apiMarkdown(
      "Text\n\n### read()\n\n" +
        call(`**read**(\`id\`: \\{ \`a\`: \\{ \`b\`: \`1\`; \\}; \\}): \`string\` \\| \`null\``) +
        call(`**read**(\`each\`: (\`one\`: ${data}) => \`void\`, \`options?\`: ${data}): ${data}`),
      "Topic",
    );
    expect(page.match(/^####.*$/gm)).toEqual([
      "#### read(id): string \\| null",
      "#### read(each, options?): Data\\<A, B\\>",
    ]);
  });

  test("has no colon at the end of a row of a table", () => {
    expect(apiMarkdown("| [A](a.md) | The reason of `B`: |\n", "Topic"))
      .toBe("| [A](a.md) | The reason of `B`. |\n");
  });

  test("names its constructor after the class, in the heading and in the list of members", () => {
    const page = apiMarkdown(
      "Text\n\n## Constructor\n\n### Constructor {#constructor}\n\n> **new Login**(): `Login`\n",
      "Topic",
    );
    expect(page.match(/^#.*$/gm)).toEqual(["## Constructor", "### new Login()"]);
    expect(withMemberList(page, [["Constructor", ["new Login"]]]))
      .toContain("- **Constructor**: [`new Login`](#new-login)\n");
  });

  test("links to members, also to one whose group has the same words", () => {
    const page = withMemberList("Text\n\n## Name\n\n### name?\n\n### other()\n", [
      ["Name", ["name", "other"]],
    ]);
    expect(page).toMatch(/^- \*\*Name\*\*: \[`name`\]\(#name-1\), \[`other`\]\(#other\)$/m);
  });

  test("begins with a summary, an example and the members, and then has the details", () => {
    const page = withMemberList(
      "\nThe summary.\n\nMore about it.\n\nSee [RFC 1](https://a.example).\n\n## Example\n\n```ts\n1;\n\n2;\n```\n\n" +
        "## Throws\n\n- `TypeError`: If it fails.\n\n## Methods\n\n### name()\n",
      [["Methods", ["name"]]],
    );
    const words = ["The summary", "See [RFC 1]", "2;", "**Methods**", "## Details\n\nMore"];
    const places = [...words, "## Throws", "## Methods"].map((word) => page.indexOf(word));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    expect(page).not.toContain("## Example");
  });

  test("keeps an example that follows the summary without a heading before the members", () => {
    const page = withMemberList("\nSummary.\n\n```ts\n1;\n```\n\nMore.\n\n## Methods\n", [
      ["Methods", []],
    ]);
    expect(page).toMatch(
      /Summary\.[^]*1;[^]*\*\*Methods\*\*[^]*## Details\n\nMore\.[^]*## Methods/,
    );
  });

  test("fails the build if a signature has prose, a tag is a heading, or a section is empty", () => {
    const mistakes = {
      "a signature has prose": "> A function that ends the subscription.\n",
      "a conditional type in a union has no parentheses":
        "> **type**: `A` \\| `unknown` *extends* `B` ? `B` : `never`\n",
      "Param is a tag": "#### Param\n\n**authorize**\n",
      "name? is below name?": "##### name?\n\nText\n\n###### name?\n\n`string`\n",
      "Constructor is below Constructors": "## Constructors\n\n### Constructor\n\nText\n",
      "the section Returns is empty": "#### Returns\n\n#### Throws\n\nText\n",
      "errors have no commas": "- [AError](a.md): BError CError The errors of `f`.\n",
      "the type Helper has no page": "### a\n\n> **a**: `Helper`\n",
      "read has no Returns":
        "> **new Page**(): `Page`\n\n### read()\n\n> **read**(): `Promise`\\<`string`\\>\n",
      "read does not name all errors":
        "Every method rejects with\n\n- `A`\n\n> **new Page**(): `Page`\n\n### read()\n\n> **read**(): `void`\n",
    };
    for (const [mistake, markdown] of Object.entries(mistakes)) {
      expect(() => checkApiMarkdown("page.md", `# Page\n\n${markdown}`)).toThrow(mistake);
    }
    const page =
      "# Page\n\n> `readonly` **a**: `null` \\| (`Page` *extends* [`B`](../b.md)\\<infer C\\> ? \\{ readonly \\[name in D\\]: " +
      "`` `${bigint}` `` \\} : () => `void`)\n\n## Methods\n\n### a()\n\n#### Throws\n\n- [AError](a.md), [BError](b.md): If it fails.\n";
    expect(() => checkApiMarkdown("page.md", page)).not.toThrow();
    const method = "> **new Page**(): `Page`\n\n### read()\n\n> **read**(): `string`\n\n";
    expect(() => checkApiMarkdown("page.md", `# Page\n\n${method}Returns the text.\n`)).not
      .toThrow();
  });
});

test("Each picture is in a guide", () => {
  const guides = paths.map((path) => readFileSync(new URL(path, root), "utf8")).join("\n");
  for (const path of Object.keys(pictures())) {
    expect(guides).toContain(`](${path.replace("docs/", "")})`);
  }
});

test("The picture of the stores has each store of the guide", () => {
  const guide = readFileSync(new URL("docs/stores.md", root), "utf8");
  const stores = [...guide.matchAll(/^\| \[(?:Cloudflare )?(.*?)\]\(\.\.\/src\/stores/gm)];
  expect(stores).toHaveLength(7);
  for (const [, name] of stores) expect(pictures()["docs/which_store.svg"]).toContain(name);
});
