/**
 * Draws the pictures of the guides from measured results. A test compares the files with the results.
 *
 * ```sh
 * deno run --allow-read --allow-write scripts/docs_site/pictures.ts
 * ```
 *
 * @module
 */

import { readFileSync, writeFileSync } from "node:fs";

const root = new URL("../../", import.meta.url);

/** A bar: its name, its length, and the text beside it. */
interface Bar {
  readonly name: string;
  readonly value: number;
  readonly text: string;
}

/** A group of bars on one scale. */
interface Chart {
  readonly title: string;
  readonly bars: readonly Bar[];
}

/** The width of a picture. It is small, so that its text is readable on a phone. */
const width = 360;

/** Returns the pictures by their paths in the repository. */
export function pictures(): Readonly<Record<string, string>> {
  return {
    "docs/bytes_and_speed.svg": barPicture("Bytes and speed of libraries for logins", [
      { title: "Bytes of a server's login, gzipped", bars: bytes() },
      { title: "Time to read a session, in Node", bars: times() },
    ]),
  };
}

/** Reads the bytes of each library from the comparison. */
function bytes(): Bar[] {
  const table = textOf("docs/comparison.md").match(/^\| `.*$/gm) ?? [];
  return sorted(table.flatMap((row) => {
    const cells = row.split("|").map((cell) => cell.trim());
    const [, name = "", , , , , size = ""] = cells;
    const sizes = size.split(" and ").filter((part) => /^[\d,]+$/.test(part));
    const versions = sizes.length > 1 ? [" 4", " 5"] : [""];
    return sizes.map((text, index) => ({
      name: name.replaceAll("`", "") + versions[index],
      value: Number(text.replaceAll(",", "")),
      text,
    }));
  }));
}

/** The rows of the benchmark in the chart, each with the name of its library. */
const sessionRows: Readonly<Record<string, string>> = {
  "@guildpass/sdk, cookie": "@guildpass/sdk",
  "@guildpass/sdk, MemoryStore": "@guildpass/sdk, store",
  "express-session, MemoryStore": "express-session",
  "better-auth, in memory": "better-auth",
  "iron-session": "iron-session",
  "@auth/core, getToken": "@auth/core",
};

/** Reads the times of sessions from the results of the benchmark. */
function times(): Bar[] {
  const results = textOf("scripts/lab/comparisons/speed/RESULTS.md");
  const [, table = ""] = /^\| a session, in Node .*\n.*\n((?:\|.*\n)+)/m.exec(results) ?? [];
  return sorted(
    Object.entries(sessionRows).map(([row, name]) => {
      const cells = table.split("\n").map((line) => line.split("|").map((cell) => cell.trim()));
      const text = cells.find(([, first]) => first === row)?.[2] ?? "";
      const [number = "", unit = ""] = text.split(" ");
      const factor = { "µs": 1, "ms": 1000 }[unit];
      if (!factor) throw new Error(`The results have no time of "${row}"`);
      return { name, value: Number(number) * factor, text };
    }),
  );
}

function sorted(bars: readonly Bar[]): Bar[] {
  return bars.toSorted((one, other) => one.value - other.value);
}

/** Draws groups of bars below each other, with all of it as a text for screen readers. */
function barPicture(title: string, charts: readonly Chart[]): string {
  const parts: string[] = [];
  let y = 12;
  for (const chart of charts) {
    const longest = Math.max(...chart.bars.map(({ value }) => value));
    parts.push(`<text x="12" y="${y + 14}" class="h">${chart.title}</text>`);
    y += 26;
    for (const { name, value, text } of chart.bars) {
      const own = name.startsWith("@guildpass") ? ` class="own"` : "";
      const length = Math.max(2, Math.round(value / longest * 100));
      parts.push(
        `<text x="12" y="${y + 13}"${own}>${name}</text>`,
        `<rect x="184" y="${y + 2}" width="${length}" height="13" rx="2"${own}/>`,
        `<text x="${184 + length + 6}" y="${y + 13}"${own}>${text}</text>`,
      );
      y += 22;
    }
    y += 14;
  }
  const description = charts.map((chart) =>
    `${chart.title}: ${chart.bars.map(({ name, text }) => `${name} ${text}`).join(", ")}.`
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${y}" width="${width}" height="${y}" role="img" aria-labelledby="title text">
<title id="title">${title}</title>
<desc id="text">${description.join(" ")}</desc>
<style>
rect { fill: #9a9aa8 } .back { fill: #ffffff } text { fill: #3c3c43; font: 13px system-ui, sans-serif }
.h { font-size: 14px; font-weight: 600 }
rect.own { fill: #5546c8 } text.own { fill: #473bb8; font-weight: 600 }
@media (prefers-color-scheme: dark) {
rect { fill: #6f6f7d } .back { fill: #1b1b1f } text { fill: #dfdfd6 }
rect.own { fill: #8678ff } text.own { fill: #b3a8ff }
}
</style>
<rect class="back" width="100%" height="100%" rx="8"/>
${parts.join("\n")}
</svg>
`;
}

function textOf(path: string): string {
  return readFileSync(new URL(path, root), "utf8");
}

if (import.meta.main) {
  for (const [path, picture] of Object.entries(pictures())) {
    writeFileSync(new URL(path, root), picture);
  }
}
