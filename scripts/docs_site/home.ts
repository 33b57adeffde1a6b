/**
 * The texts of the site that are made from the guides: the home page, the tabs of package managers, and the files for language
 * models.
 *
 * @module
 */

import { type Guide, type Section, siteAddress, summaryOf } from "./guides.ts";

/** The command of each package manager that adds this package. */
const installCommands: Readonly<Record<string, string>> = {
  npm: "npm install ",
  pnpm: "pnpm add ",
  yarn: "yarn add ",
  bun: "bun add ",
  deno: "deno add npm:",
};

/** The tasks that people come with, each with its first page. */
const doors = [
  {
    title: "Log people in",
    details: "A login with sessions, from an empty folder. The guide explains each step.",
    link: "/docs/first_login",
  },
  {
    title: "Build an invite link",
    details: "Choose the permissions of your bot, and copy the link. Nothing to install.",
    link: "/invite-builder/",
    // A page of its own, which the script of the site can't open.
    target: "_self",
  },
  {
    title: "Test without Discord",
    details: "A fake platform runs in your tests, without an account or a network.",
    link: "/docs/testing_your_app",
  },
  {
    title: "Compare libraries",
    details: "Thirteen applications with nine libraries, and the rows that this one loses.",
    link: "/docs/comparison",
  },
];

/** The part of the home page with the demo. */
const demo = `## Try it here

This demo runs in your browser, on a fake Discord. You need no account, and nothing is sent anywhere.

<LoginDemo />`;

/** Returns the Markdown of the home page, with the summary, the code and the reasons of the README. */
export function homePage(readme: Guide): string {
  const { markdown } = readme;
  const code = partOf(markdown, /^```ts\n[^]*?^```$/m);
  const reason = partOf(markdown, /^\*\*Why this one\?\*\*(?:.+\n)+/m);
  const otherChoice = partOf(markdown, /^\*\*Choose something else\*\*(?:.+\n)+/m);
  const summary = summaryOf(readme);
  const tagline = firstSentence(summary);
  // The hero has the first one, with the noun.
  const otherSentences = summary.slice(summary.indexOf(". ") + 2).replace(/^It /, "This library ");
  // The README says so until the package is published.
  const isOnNpm = !/isn't\s+on\s+npm\s+yet/.test(markdown);
  const settings = {
    layout: "home",
    source: "scripts/docs_site/home.ts",
    hero: {
      name: readme.title,
      tagline,
      image: {
        light: "/demo_light.png",
        dark: "/demo_dark.png",
        alt: "The demo: who is logged in, and their guilds",
      },
      actions: [
        { theme: "brand", text: "Your first login", link: "/docs/first_login" },
        { theme: "alt", text: "Try it here", link: "#try-it-here" },
        { theme: "alt", text: "All guides", link: "/docs/README" },
      ],
    },
    start: isOnNpm
      ? {
        commands: [`npm install ${readme.title}`],
        note: "Using a framework?",
        text: "Run one more command",
        link: "/docs/frameworks#before-you-begin",
      }
      : {
        commands: [
          ...partOf(markdown, /(?<=`)git clone [^`]+(?=`)/).split(" && "),
          partOf(markdown, /^npx .* task demo/m),
        ],
        note: "This runs a demo, with Node 20 or later. For your own site,",
        text: "install it from the clone",
        link: "/docs/first_login#install-it-from-a-clone",
      },
    features: doors,
  };
  const run =
    "[Run it](/README#run-the-application-above) with a fake Discord, then with the real one:";
  const parts = [demo, "## The code", otherSentences, run, code, reason, otherChoice];
  return `---\n${JSON.stringify(settings)}\n---\n\n${parts.join("\n\n")}\n`;
}

function partOf(markdown: string, form: RegExp): string {
  const [part] = form.exec(markdown) ?? [];
  if (!part) throw new Error(`The README has no ${form}`);
  return part.trim();
}

/** Returns the first sentence of a paragraph, without the marks of code. */
function firstSentence(text: string): string {
  return text.replace(/\.\s[^]*/, ".").replaceAll("\n", " ").replaceAll("`", "");
}

/** Returns Markdown with a tab for each package manager in place of code that installs this package with npm. */
export function withInstallTabs(markdown: string): string {
  return markdown.replace(/^( *)```sh\n((?:(?!\1```).*\n)*?)\1```$/gm, (block, indent, code) => {
    if (!code.includes("npm install @")) return block;
    const tabs = Object.entries(installCommands).map(([name, command]) =>
      `${indent}\`\`\`sh [${name}]\n${code.replace(/npm install (?=@)/, command)}${indent}\`\`\``
    );
    return [`${indent}::: code-group`, "", ...tabs, "", `${indent}:::`].join("\n");
  });
}

/**
 * Returns the list of guides in the form of llms.txt.
 *
 * @see {@link https://llmstxt.org | llmstxt.org}
 */
export function llmsIndex(readme: Guide, sections: readonly Section[]): string {
  const lists = sections.map(({ title, guides }, index) => {
    const lines = guides.map((guide) =>
      `- [${guide.title}](${siteAddress}${guide.path}): ${summaryOf(guide)}`
    );
    // The name of a section that a reader can skip.
    return `## ${index < sections.length - 1 ? title : "Optional"}\n\n${lines.join("\n")}\n`;
  });
  const all = `All guides in one file: ${siteAddress}llms-full.txt\n`;
  return [`# ${readme.title}\n`, `> ${summaryOf(readme)}\n`, all, ...lists].join("\n");
}

/** Returns all guides in one text, each after its address. */
export function llmsFull(guides: readonly Guide[]): string {
  return guides
    .map(({ path, markdown }) => `<!-- ${siteAddress}${path} -->\n\n${markdown.trim()}\n`)
    .join("\n");
}
