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
    "docs/login.svg": sequencePicture("A login, step by step", loginSteps),
    "docs/session_time.svg": timePicture(),
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

/** The columns of a sequence, and the middle of each. */
const columns = { browser: 50, application: 180, discord: 306 } as const;

/** A step between two columns, or a note of what a column keeps. */
interface Step {
  readonly from: keyof typeof columns;
  readonly to?: keyof typeof columns;
  readonly text: string;
}

const loginSteps: readonly Step[] = [
  { from: "browser", to: "application", text: "GET /" },
  { from: "application", to: "browser", text: "302, login cookie" },
  { from: "browser", text: "login cookie: state and verifier, for 10 min" },
  { from: "browser", to: "discord", text: "consent page, with the state" },
  { from: "discord", to: "browser", text: "to /callback, code and state" },
  { from: "browser", to: "application", text: "code, cookie" },
  { from: "application", text: "the state must be that of the cookie" },
  { from: "application", to: "discord", text: "code, verifier" },
  { from: "discord", to: "application", text: "access token" },
  { from: "application", to: "discord", text: "read the user" },
  { from: "application", to: "browser", text: "session cookie" },
  { from: "browser", text: "session cookie: the user, or an id for a store" },
];

/** Draws the steps of a login between the browser, the application and Discord. */
function sequencePicture(title: string, steps: readonly Step[]): string {
  const names = { browser: "Browser", application: "Your app", discord: "Discord" };
  const all = Object.entries(columns) as [keyof typeof columns, number][];
  const height = 52 + steps.length * 34;
  const parts = all.flatMap(([column, x]) => [
    `<text x="${x}" y="24" class="h" text-anchor="middle">${names[column]}</text>`,
    `<path d="M${x} 34V${height - 10}" class="life"/>`,
  ]);
  steps.forEach(({ from, to, text }, index) => {
    const y = 64 + index * 34;
    if (!to) {
      const isLeft = columns[from] < width / 4;
      const start = isLeft ? 12 : 54;
      parts.push(
        `<rect x="${start}" y="${y - 18}" width="${
          width - start - 12
        }" height="24" rx="4" class="note"/>`,
        `<text x="${start + 8}" y="${y - 2}">${text}</text>`,
      );
      return;
    }
    const [left, right] = [columns[from], columns[to]].toSorted((one, other) => one - other);
    const head = columns[to] > columns[from] ? -6 : 6;
    parts.push(
      `<text x="${((left ?? 0) + (right ?? 0)) / 2}" y="${
        y - 5
      }" text-anchor="middle" class="on">${text}</text>`,
      `<path d="M${columns[from]} ${y}H${
        columns[to]
      }m${head} -4l${-head} 4l${head} 4" class="arrow"/>`,
    );
  });
  const description = steps.map(({ from, to, text }) =>
    `${names[from]}${to ? ` to ${names[to]}` : ""}: ${text}.`
  );
  return frame(title, description.join(" "), height, parts);
}

/** Draws a session and its tokens over thirty days. */
function timePicture(): string {
  const at = (day: number) => Math.round((14 + day * 11) * 10) / 10;
  const parts = [`<text x="12" y="24" class="h">A session in a store, visited each day</text>`];
  parts.push(
    `<rect x="${at(0)}" y="32" width="${at(30) - at(0)}" height="16" rx="2" class="own"/>`,
    `<text x="12" y="66">day 0: login</text>`,
    `<text x="${at(30)}" y="66" text-anchor="end">day 30: maxAge</text>`,
    `<text x="12" y="98" class="h">Its access tokens, seven days each</text>`,
  );
  for (let index = 0; index < 6; index++) {
    // A token is refreshed in its last 42 hours, here in the middle of the first 17 of them.
    const start = index * (7 - 42 / 24 + 8.5 / 24);
    const end = Math.min(start + 7, 30);
    const y = 106 + index * 14;
    parts.push(
      `<rect x="${at(start)}" y="${y}" width="${at(end) - at(start)}" height="10" rx="2"/>`,
    );
    const late = start + 7 - 42 / 24;
    if (late < 30) {
      parts.push(
        `<rect x="${at(late)}" y="${y}" width="${at(end) - at(late)}" height="10" class="own"/>`,
      );
    }
  }
  parts.push(
    `<rect x="12" y="201" width="12" height="10" class="own"/>`,
    `<text x="30" y="210">the last 42 hours, for the refresh</text>`,
    `<text x="12" y="234">Without a visit, the session ends after</text>`,
    `<text x="12" y="251">seven days (idleTimeout).</text>`,
  );
  return frame(
    "A session and its tokens over thirty days",
    "A session in a store that is visited each day lasts thirty days, until maxAge. Each access token lasts seven days. In its last 42 hours, a refresh replaces it with a new one, and the old one still works. Without a visit, the session ends after seven days, the idleTimeout.",
    264,
    parts,
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
  return frame(title, description.join(" "), y, parts);
}

/** Returns a whole picture, with its text for screen readers. It follows light and dark, and has a back of its own. */
function frame(
  title: string,
  description: string,
  height: number,
  parts: readonly string[],
): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title text">
<title id="title">${title}</title>
<desc id="text">${description}</desc>
<style>
rect { fill: #9a9aa8 } .back { fill: #ffffff } .note { fill: #ebe9fa }
text { fill: #3c3c43; font: 13px system-ui, sans-serif } .h { font-size: 14px; font-weight: 600 }
.on { paint-order: stroke; stroke: #ffffff; stroke-width: 4px }
path { fill: none; stroke: #5546c8; stroke-width: 1.5 } .life { stroke: #c2c2c4; stroke-width: 1 }
rect.own { fill: #5546c8 } text.own { fill: #473bb8; font-weight: 600 }
@media (prefers-color-scheme: dark) {
rect { fill: #6f6f7d } .back { fill: #1b1b1f } .note { fill: #33304d }
text { fill: #dfdfd6 } .on { stroke: #1b1b1f }
path { stroke: #8678ff } .life { stroke: #4a4a52 }
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
