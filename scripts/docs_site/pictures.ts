/**
 * Draws the pictures of the guides, from measured results and from the numbers of the source. A test compares the files with these.
 *
 * ```sh
 * deno run --allow-read --allow-write scripts/docs_site/pictures.ts
 * ```
 *
 * @module
 */

import { readFileSync, writeFileSync } from "node:fs";
import {
  defaultTokenLifetimeSeconds,
  firstBackoffMs,
  firstRefreshWaitMs,
  maxBackoffMs,
  maxRefreshWaitMs,
  pendingLifetimeMs,
} from "../../src/http/waits.ts";

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

/** The name of the picture with bars, which is as wide as its place. */
export const barsPath = "bytes_and_speed.svg";

/** Returns the pictures by their paths in the repository. */
export function pictures(): Readonly<Record<string, string>> {
  return {
    [`docs/${barsPath}`]: barPicture("Bytes and speed of libraries for logins", [
      { title: "Server login size, in gzipped bytes", bars: bytes() },
      { title: "Time to read a session, in Node", bars: times() },
    ]),
    "docs/app_login.svg": sequencePicture("A login that ends in an app", appColumns, appSteps),
    "docs/login.svg": sequencePicture("A login, step by step", loginColumns, loginSteps),
    "docs/outage.svg": outagePicture(),
    "docs/session_time.svg": timePicture(),
    "docs/which_store.svg": treePicture("Which store?", storeQuestions, "Postgres or MySQL"),
  };
}

/**
 * Returns a picture for a light or a dark page. The original follows the system, which may differ from the page. A picture without a
 * `viewBox` has the width of its place.
 */
export function inScheme(picture: string, scheme: "light" | "dark"): string {
  return picture.replace(
    /@media \(prefers-color-scheme: dark\) \{\n([^]*?)^\}\n/m,
    scheme === "dark" ? "$1" : "",
  ).replace(/(<svg xmlns="\S+") width="\d+"/, '$1 width="100%"');
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
  // A process keeps opened sessions. With 10,000 in turn, it opens each one again.
  "@guildpass/sdk, cookie, 1,100 sessions in turn": "guildpass, cached",
  "@guildpass/sdk, cookie, 10,000 sessions in turn": "guildpass, uncached",
  "@guildpass/sdk, MemoryStore, 10,000 sessions in turn": "guildpass + store",
  "express-session, MemoryStore": "express-session",
  "better-auth, in memory": "better-auth",
  "iron-session": "iron-session",
  "@auth/core, getToken": "@auth/core",
};

/** Reads the times of sessions from the results of the benchmark. */
function times(): Bar[] {
  const results = textOf("scripts/lab/comparisons/speed/RESULTS.md");
  const [, table = ""] = /^\| a session of many, in Node .*\n.*\n((?:\|.*\n)+)/m.exec(results) ??
    [];
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

/** A column of a sequence: its name, and the middle of it. */
type Column = readonly [name: string, x: number];

/** A step between two columns, or a note of what a column keeps. */
interface Step<Name extends string> {
  readonly from: Name;
  readonly to?: Name;
  readonly text: string;
}

const pendingTime = `${pendingLifetimeMs / 60_000} min`;

const loginColumns = {
  browser: ["Browser", 50],
  application: ["Your app", 180],
  discord: ["Discord", 306],
} as const;

const loginSteps: readonly Step<keyof typeof loginColumns>[] = [
  { from: "browser", to: "application", text: "GET /" },
  { from: "application", to: "browser", text: "302, login cookie" },
  { from: "browser", text: `keeps the state and\nverifier for ${pendingTime}` },
  { from: "browser", to: "discord", text: "consent page, with the state" },
  { from: "discord", to: "browser", text: "/callback, with code and state" },
  { from: "browser", to: "application", text: "code, cookie" },
  { from: "application", text: "checks that both states match" },
  { from: "application", to: "discord", text: "code, verifier" },
  { from: "discord", to: "application", text: "access token" },
  { from: "application", to: "discord", text: "read the user" },
  { from: "application", to: "browser", text: "session cookie" },
  { from: "browser", text: "cookie: the user,\nor a session ID" },
];

const appColumns = {
  app: ["App", 30],
  browser: ["Browser", 128],
  server: ["Your server", 226],
  discord: ["Discord", 322],
} as const;

const appSteps: readonly Step<keyof typeof appColumns>[] = [
  { from: "app", to: "server", text: "begin, with the target" },
  { from: "server", to: "app", text: "url, state, pending" },
  { from: "app", text: `keeps pending\nfor ${pendingTime}` },
  { from: "app", to: "browser", text: "opens url" },
  { from: "browser", to: "discord", text: "consent page, state" },
  { from: "discord", to: "browser", text: "/callback: code, state" },
  { from: "browser", to: "server", text: "code, state" },
  { from: "server", to: "browser", text: "a button" },
  { from: "browser", to: "app", text: "opens target" },
  { from: "app", to: "server", text: "finish: code, state, pending" },
  { from: "server", to: "discord", text: "code, verifier" },
  { from: "discord", to: "server", text: "access token" },
  { from: "server", to: "app", text: "session token: gps_…" },
  { from: "app", text: "puts it in the\nkeychain" },
];

/** Draws steps between columns. A note can have two lines. */
function sequencePicture<Name extends string>(
  title: string,
  columns: Readonly<Record<Name, Column>>,
  steps: readonly Step<Name>[],
): string {
  const places = Object.values<Column>(columns).map(([, x]) => x);
  const parts: string[] = [];
  let y = 30;
  for (const { from, to, text } of steps) {
    const lines = text.split("\n");
    const [, start] = columns[from];
    y += 34;
    if (!to) {
      parts.push(...notePart(places, start, y, lines));
      y += 17 * (lines.length - 1);
      continue;
    }
    const [, end] = columns[to];
    const head = end > start ? -6 : 6;
    parts.push(
      `<text x="${(start + end) / 2}" y="${y - 5}" text-anchor="middle" class="on">${text}</text>`,
      `<path d="M${start} ${y}H${end}m${head} -4l${-head} 4l${head} 4" class="arrow"/>`,
    );
  }
  const height = y + 22;
  const heads = Object.values<Column>(columns).flatMap(([name, x]) => [
    `<text x="${x}" y="24" class="h" text-anchor="middle">${name}</text>`,
    `<path d="M${x} 34V${height - 10}" class="life"/>`,
  ]);
  const description = steps.map(({ from, to, text }) =>
    `${columns[from][0]}${to ? ` to ${columns[to][0]}` : ""}: ${text.replace("\n", " ")}.`
  );
  return frame(title, description.join(" "), height, [...heads, ...parts]);
}

/** Returns a note over the line of its column, between the lines of the columns beside it. */
function notePart(
  places: readonly number[],
  x: number,
  y: number,
  lines: readonly string[],
): string[] {
  const index = places.indexOf(x);
  const start = (places[index - 1] ?? 0) + 12;
  const end = (places[index + 1] ?? width) - 12;
  const middle = (start + end) / 2;
  return [
    `<rect x="${start}" y="${y - 18}" width="${end - start}" height="${
      7 + 17 * lines.length
    }" rx="4" class="note"/>`,
    ...lines.map((line, row) =>
      `<text x="${middle}" y="${y - 2 + 17 * row}" text-anchor="middle">${line}</text>`
    ),
  ];
}

/** A question of a tree. One reply has a result at its side, and an arrow connects the other one to the next question. */
interface Question {
  readonly lines: readonly [string, string?];
  readonly reply: "yes" | "no";
  readonly result: readonly [string, string?];
}

const storeQuestions: readonly Question[] = [
  {
    lines: ["Need logout everywhere,", "apps or background jobs?"],
    reply: "no",
    result: ["cookies,", "without a store"],
  },
  {
    lines: ["Already have a database?"],
    reply: "yes",
    result: ["Postgres, Redis,", "MySQL or SQLite"],
  },
  { lines: ["On Cloudflare Workers?"], reply: "yes", result: ["Durable Objects", "or D1"] },
  { lines: ["On Deno Deploy?"], reply: "yes", result: ["Deno KV"] },
  { lines: ["One server with a disk?"], reply: "yes", result: ["SQLite"] },
];

/** Draws questions below each other, each with a result at its right, and the result after the last one. */
function treePicture(title: string, questions: readonly Question[], last: string): string {
  const row = 66;
  const parts = [`<text x="12" y="24" class="h">${title}</text>`];
  questions.forEach(({ lines, reply, result }, index) => {
    const y = 36 + index * row;
    const texts = (x: number, [first, second]: readonly string[], style: string) =>
      second
        ? [
          `<text x="${x}" y="${y + 17}"${style}>${first}</text>`,
          `<text x="${x}" y="${y + 33}"${style}>${second}</text>`,
        ]
        : [`<text x="${x}" y="${y + 25}"${style}>${first}</text>`];
    parts.push(
      `<rect x="12" y="${y}" width="186" height="42" rx="4" class="note"/>`,
      ...texts(20, lines.filter((line) => line !== undefined), ""),
      `<text x="214" y="${y + 14}" text-anchor="middle">${reply}</text>`,
      `<path d="M200 ${y + 21}H227m-6 -4l6 4l-6 4"/>`,
      ...texts(233, result.filter((line) => line !== undefined), ' class="own"'),
    );
    parts.push(
      `<path d="M60 ${y + 42}V${y + row}m-4 -6l4 6l4 -6"/>`,
      `<text x="72" y="${y + 59}">${reply === "yes" ? "no" : "yes"}</text>`,
    );
  });
  const end = 36 + questions.length * row;
  parts.push(`<text x="12" y="${end + 16}" class="own">${last}</text>`);
  const description = questions.map(({ lines, reply, result }) =>
    `${lines.join(" ")} If ${reply}: ${result.join(" ").replace(":", ",")}.`
  );
  return frame(title, `${description.join(" ")} Otherwise: ${last}.`, end + 30, parts);
}

/** Draws the refreshes of a token that fail, from the first one to the end of the outage. */
function outagePicture(): string {
  const hours = defaultTokenLifetimeSeconds / 4 / 3600;
  const minutes = doubled(firstBackoffMs, maxBackoffMs).map((wait) => wait / 60_000);
  const seconds = doubled(firstRefreshWaitMs, maxRefreshWaitMs).map((wait) => wait / 1000);
  const [start, end, right] = [12, 232, width - 12];
  const rows = [
    {
      title: "429, 503, no connection: not used",
      text: `retry after ${minutes.slice(0, -1).join(", ")}, then every ${minutes.at(-1)} min`,
      // The time between two marks grows up to an hour.
      marks: [0, 8, 18, 30, 44, 60, 78, 98, 118, 138, 158, 178, 198],
    },
    { title: "500, 502, 504, timeout: maybe used", text: "retry once it has expired", marks: [0] },
    { title: "invalid_grant: refused", text: "no more retries", marks: [0] },
  ];
  const parts = [
    `<text x="${start}" y="24" class="h">The access token works</text>`,
    `<text x="${end}" y="24" class="h">It has expired</text>`,
    `<rect x="${start}" y="32" width="${end - start - 4}" height="12" rx="2" class="own"/>`,
    `<rect x="${end}" y="32" width="${right - end}" height="12" rx="2"/>`,
    `<text x="${start}" y="60">its last ${hours} hours</text>`,
  ];
  const mark = (x: number, y: number) =>
    `<rect x="${x}" y="${y}" width="3" height="14" class="own"/>`;
  rows.forEach(({ title, text, marks }, index) => {
    const y = 92 + index * 68;
    const isRefused = index === rows.length - 1;
    parts.push(
      `<text x="${start}" y="${y}" class="h">${title}</text>`,
      `<path d="M${start} ${y + 17}H${isRefused ? end - 4 : right}" class="life"/>`,
      ...marks.map((distance) => mark(start + 2 + distance, y + 10)),
      isRefused
        ? `<text x="${end}" y="${y + 21}" class="own">log in again</text>`
        : [0, 6, 12, 24, 44, 78].map((distance) => mark(end + 2 + distance, y + 10)).join(""),
      `<text x="${start}" y="${y + 41}">${text}</text>`,
    );
  });
  const pauses = `${seconds.slice(0, -1).join(", ")} or ${seconds.at(-1)} s`;
  parts.push(
    `<path d="M${start} 282H${right}" class="life"/>`,
    `<text x="${start}" y="304">Each mark is a refresh. Once the token has</text>`,
    `<text x="${start}" y="321">expired, each call tries one. After three failures,</text>`,
    `<text x="${start}" y="338">they pause for up to ${pauses}.</text>`,
  );
  const cases = rows.map(({ title, text }) => `${title}, ${text}`).join(". ");
  return frame(
    "Token refreshes during an outage",
    `The access token still works for ${hours} hours. ${cases}, and the person logs in again once the token has expired. Once it has expired, each call tries a refresh. After three failures, refreshes pause for up to ${pauses}.`,
    352,
    parts,
  );
}

/** Returns a wait, doubled up to its maximum. */
function doubled(first: number, maximum: number): number[] {
  return first < maximum ? [first, ...doubled(2 * first, maximum)] : [maximum];
}

/** Draws a session and its tokens over thirty days. */
function timePicture(): string {
  const at = (day: number) => Math.round((14 + day * 11) * 10) / 10;
  const parts = [`<text x="12" y="24" class="h">A session in a store, with daily visits</text>`];
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
    `<text x="30" y="210">the last 42 hours: time to refresh</text>`,
    `<text x="12" y="234">Without a visit, the session ends after</text>`,
    `<text x="12" y="251">seven days (idleTimeout).</text>`,
  );
  return frame(
    "A session and its tokens over thirty days",
    "With daily visits, a session in a store lasts thirty days (maxAge). Each access token lasts seven days. In its last 42 hours, a refresh replaces it with a new one, but the old one still works. Without a visit, the session ends after seven days (idleTimeout).",
    264,
    parts,
  );
}

function sorted(bars: readonly Bar[]): Bar[] {
  return bars.toSorted((one, other) => one.value - other.value);
}

/**
 * Draws groups of bars below each other, with all of it as a text for screen readers. The bars have the width between their names and
 * their numbers, and the letters keep their size, however wide the picture is.
 */
function barPicture(title: string, charts: readonly Chart[]): string {
  const parts: string[] = [];
  let y = 12;
  for (const chart of charts) {
    const longest = Math.max(...chart.bars.map(({ value }) => value));
    parts.push(`<text x="12" y="${y + 14}" class="h">${chart.title}</text>`);
    parts.push(`<text x="12" y="${y + 31}">Shorter bars are better</text>`);
    y += 43;
    for (const { name, value, text } of chart.bars) {
      const own = /^@?guildpass/.test(name) ? ` class="own"` : "";
      const share = Math.round(value / longest * 1000) / 1000;
      const length = Math.max(2, Math.round(share * (width - 248)));
      const style = `width:max(2px,(100% - 248px)*${share})`;
      parts.push(
        `<text x="12" y="${y + 13}"${own}>${name}</text>`,
        `<rect x="172" y="${y + 2}" width="${length}" height="13" rx="2"${own} style="${style}"/>`,
        `<text x="100%" dx="-12" y="${y + 13}" text-anchor="end"${own}>${text}</text>`,
      );
      y += 22;
    }
    y += 14;
  }
  const description = charts.map((chart) =>
    `${chart.title}: ${chart.bars.map(({ name, text }) => `${name} ${text}`).join(", ")}.`
  );
  // With a `viewBox`, the letters would grow too.
  return frame(title, description.join(" "), y, parts).replace(/ viewBox="[^"]*"/, "");
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
