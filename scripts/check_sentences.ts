/**
 * Checks the words of doc comments, messages, guides and test names, and prints each fault with its file and line:
 *
 * ```sh
 * deno task sentences                     # all files
 * deno task sentences src/login           # some files and folders
 * deno task sentences --draw 60 --seed 7  # 60 random doc sentences of the source, to judge by eye
 * ```
 *
 * @module
 */

import { parseArgs } from "node:util";
import { filesBelow } from "./files.ts";

/** A sentence or a comment. */
interface Text {
  /** The line of its first word, from 1. */
  readonly line: number;
  readonly text: string;
}

/** A text that breaks a rule. */
export interface Fault extends Text {
  readonly rule: string;
}

const root = new URL("../", import.meta.url);
const places = [
  "mod.ts",
  "src",
  "tests",
  "scripts",
  "examples",
  "docs",
  "README.md",
  "CHANGELOG.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
];

/** The place with the rule about question words only: the laboratory is not published. */
const loosePlace = /^scripts\/lab\//;

/** Words that no text has, and no name in the source. */
const bannedWords: readonly (readonly [RegExp, string])[] = [
  [/\w*answer\w*/gi, 'say "response", or the exact verb'],
  [/\b(?:(?:some|any|no)body|someone|anyone|whom)\b/gi, "name the role of the person"],
  [
    /\b(?:sign(?:s|ed|ing)?[ -](?:in|out|off)|log(?:s|ged|ging)? off)\b/gi,
    'say "log in" or "log out"',
  ],
  [/(?<!\bthere\s)\b(?:is|are|was|were)[\s*/]+no[\s*/]+(?!longer\b|more\b)\w+/gi, 'say "is not a"'],
];
const questionRule = "begins with a question word";
const questionWord = /^(?:What|How|Where|Who|Whose|Which|When|Whether)\b/i;
/** The words that begin a relative clause. After these words, "that" is a pronoun or begins what is said. */
const relativeWord =
  /(?<!\b(?:so|if|of|in|for|to|with|without|by|after|before|within|on|at|from|until|and|or|says?|means?|shows?|knows?|is) )\b(?:that(?! (?:of|in|for|is|was)\b)|which|whose|who)\b/gi;
const maxRelativeWords = 1;
const maxCommentLines = 6;

/** Faults that stay. */
const exceptions = [
  {
    file: "examples/invite_builder/search.ts",
    text: "reply answer ticket",
    reason: "It has the words that people search for",
  },
  {
    file: "scripts/docs_site/search_synonyms.ts",
    text: "someone in server",
    reason: "It has the words that people search for",
  },
  {
    file: "scripts/docs_site/search_synonyms.ts",
    text: "sign in, signin",
    reason: "It has the words that people search for",
  },
  {
    file: "scripts/docs_site/search_words.ts",
    text: "",
    reason: "It has the words that people search for",
  },
  { file: "scripts/check_sentences.ts", text: "", reason: "It has the words themselves" },
  { file: "tests/integration/sentences.test.ts", text: "", reason: "It quotes faults" },
  { file: "src/api/user.ts", text: "lines", reason: "It introduces a main class" },
  { file: "src/login/login.ts", text: "lines", reason: "It introduces a main class" },
  { file: "src/tokens/token_source.ts", text: "lines", reason: "It introduces a main class" },
  { file: "src/stores/sealed.ts", text: "lines", reason: "It shows how to change a secret" },
  {
    file: "src/webhook_events/parse_webhook_event.ts",
    text: "lines",
    reason: "It lists the duties of a handler",
  },
];

const docComment = /^[ \t]*\/\*\*[ \n][^]*?\*\//gm;
/** A tag with the name or the type after it: the words behind it begin a sentence. */
const tag = /^@(?:(?:param|typeParam|template)\s+\S+|\w+(?:\s+\{[^}]*\})?)(?:\s+-(?=\s))?\s*/;
const testName = /(?:\b(?:test|describe)(?:\.\w+)*|\))\(\s*(["`])(.+?)\1/g;
/** A string of at least four words. */
const message = /(["`])([A-Za-z][^"`\n ]*(?: [^"`\n ]+){3,})\1/g;

if (import.meta.main) {
  const { values: { draw, seed }, positionals } = parseArgs({
    allowPositionals: true,
    options: { draw: { type: "string" }, seed: { type: "string", default: "1" } },
  });
  if (draw) printRandomSentences(Number(draw), Number(seed));
  else printFaults(positionals.length ? positionals : places);
}

function printFaults(chosen: readonly string[]): void {
  const files = chosen.flatMap(filesAt);
  const faults = files.flatMap((file) =>
    findFaults(file, Deno.readTextFileSync(new URL(file, root)))
      .filter(({ rule, text }) =>
        (rule === questionRule || !loosePlace.test(file)) &&
        !exceptions.some((one) => one.file === file && text.includes(one.text))
      )
      .map((fault) => ({ file, ...fault }))
  );
  for (const { file, line, rule, text } of faults) console.log(`${file}:${line}: ${rule}: ${text}`);
  console.log(`${faults.length} faults in the sentences of ${files.length} files`);
  if (faults.length > 0) Deno.exitCode = 1;
}

/** Prints sentences from doc comments of the source, the same for the same seed. */
function printRandomSentences(count: number, seed: number): void {
  const sentences = filesAt("src").flatMap((file) =>
    docSentences(Deno.readTextFileSync(new URL(file, root)))
      .map(({ line, text }) => `${file}:${line}: ${text}`)
  );
  const random = mulberry32(seed);
  const drawn = sentences.map((sentence) => [random(), sentence] as const)
    .sort(([one], [other]) => one - other).slice(0, count);
  for (const [, sentence] of drawn) console.log(sentence);
}

function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Returns the faults in the sentences of a TypeScript or Markdown file. */
export function findFaults(file: string, source: string): Fault[] {
  const isGuide = file.endsWith(".md");
  const isTest = file.startsWith("tests/");
  const comments = isGuide ? [] : docSentences(source);
  const names = isTest ? captures(source, testName) : [];
  const others = isGuide
    ? paragraphs(source, 1).flatMap(sentencesOf)
    : isTest
    ? names
    : captures(source, message);
  return [
    ...(isTest ? [...comments, ...names] : [{ line: 1, text: source }]).flatMap(wordFaults),
    ...comments.filter(({ text }) => questionWord.test(text)).map(withRule(questionRule)),
    ...[...comments, ...others].filter(({ text }) => relativeWords(text) > maxRelativeWords)
      .map(withRule(`has more than ${maxRelativeWords} of "that", "which", "whose" and "who"`)),
    ...(isGuide || isTest ? [] : longComments(source)),
  ];
}

function withRule(rule: string) {
  return (text: Text): Fault => ({ ...text, rule });
}

function wordFaults({ line, text }: Text): Fault[] {
  const lines = text.split("\n");
  return bannedWords.flatMap(([pattern, rule]) =>
    captures(text, pattern).map(({ line: index }) => ({
      rule,
      text: lines[index - 1]?.trim() ?? "",
      line: line + index - 1,
    }))
  );
}

function relativeWords(text: string): number {
  return text.replace(/`[^`]*`|\]\([^)]*\)/g, "").match(relativeWord)?.length ?? 0;
}

/** Returns the doc comments with too many lines of text, without code, lists and tags. A module may have more. */
function longComments(source: string): Fault[] {
  return captures(source, docComment).filter(({ text }) => !text.includes("@module"))
    .map(({ line, text }) => {
      const [prose = ""] = text.replace(/```[^]*?```|^\s*\* - [^]*?(?=^\s*\*(?:\/|\s*$))/gm, "")
        .split(/^\s*\* @/m);
      return { line, count: prose.match(/\w.*/g)?.length ?? 0 };
    })
    .filter(({ count }) => count > maxCommentLines)
    .map(({ line, count }) => ({ line, rule: "is a long comment", text: `${count} lines` }));
}

/** Returns the last group of each match, or the whole match. */
function captures(source: string, pattern: RegExp): Text[] {
  return [...source.matchAll(pattern)].map((match) => ({
    line: source.slice(0, match.index).split("\n").length,
    text: match.at(-1) ?? "",
  }));
}

/** Returns the sentences of all doc comments in a TypeScript file, without their code blocks. */
function docSentences(source: string): Text[] {
  return captures(source, docComment)
    .flatMap(({ line, text }) => paragraphs(text, line).flatMap(sentencesOf));
}

/** The lines of one paragraph, list item, table cell or tag. */
type Paragraph = readonly Text[];

function paragraphs(source: string, firstLine: number): Paragraph[] {
  const found: Text[][] = [[]];
  let inCode = false;
  for (const [index, written] of source.split("\n").entries()) {
    const text = written.replace(/^\s*(?:\/\*\*|\*(?![/*]))?\s*/, "").replace(/\s*\*\/$/, "");
    if (text.startsWith("```")) inCode = !inCode;
    if (inCode || text.startsWith("```") || text === "") {
      found.push([]);
      continue;
    }
    // A tag may follow the text on its line: `/** The time. @default {300} */`.
    const separator = text.startsWith("|") ? /\s*\|\s*/ : /\s(?=@(?:default|throws|returns|see)\b)/;
    for (const part of text.split(separator)) {
      if (text.startsWith("|") || /^(?:@|[-*] |\d+\. |#)/.test(part)) found.push([]);
      const words = part.replace(tag, "").replace(/^(?:[-*]|\d+\.|#+)\s+/, "");
      if (words) found.at(-1)?.push({ line: firstLine + index, text: words });
    }
  }
  return found.filter((lines) => lines.length);
}

function sentencesOf(paragraph: Paragraph): Text[] {
  const sentences: Text[] = [];
  let open: Text | null = null;
  for (const { line, text } of paragraph) {
    for (const part of text.split(/(?<=[.!?]\)?)\s+(?=[A-Z`"{[(*])/)) {
      open = open ? { line: open.line, text: `${open.text} ${part}` } : { line, text: part };
      if (!/[.!?]\)?(?:\*\*)?$/.test(part)) continue;
      sentences.push(open);
      open = null;
    }
  }
  return open ? [...sentences, open] : sentences;
}

function filesAt(place: string): string[] {
  if (/\.\w+$/.test(place)) return [place];
  const folder = place.replace(/\/*$/, "/");
  return filesBelow(new URL(folder, root))
    .filter((path) => (folder === "docs/" ? /\.md$/ : /\.[cm]?tsx?$/).test(path))
    .map((path) => folder + path);
}
