/**
 * Fails if a doc sentence begins with a question word, and prints each with its file and line:
 *
 * ```sh
 * deno task sentences            # all files
 * deno task sentences src/login  # some files and folders
 * ```
 *
 * @module
 */

import { filesBelow } from "./files.ts";

/** A sentence of a doc comment. */
interface Sentence {
  /** The line that it begins in, from 1. */
  readonly line: number;
  readonly text: string;
}

const root = new URL("../", import.meta.url);
const questionWord = /^(?:What|How|Where|Who|Whose|Which|When|Whether)\b/i;
const docComment = /^[ \t]*\/\*\*[ \n][^]*?\*\//gm;
/** A tag with the name or the type after it: the words behind it begin a sentence. */
const tag = /^@(?:(?:param|typeParam|template)\s+\S+|\w+(?:\s+\{[^}]*\})?)(?:\s+-(?=\s))?\s*/;

if (import.meta.main) {
  const places = Deno.args.length ? Deno.args : ["mod.ts", "src", "tests", "scripts", "examples"];
  let total = 0;
  let questions = 0;
  for (const file of places.flatMap(sourceFiles)) {
    for (const { line, text } of docSentences(Deno.readTextFileSync(new URL(file, root)))) {
      total++;
      if (!questionWord.test(text)) continue;
      questions++;
      console.log(`${file}:${line}: ${text}`);
    }
  }
  console.log(`${questions} of ${total} doc sentences begin with a question word`);
  if (questions > 0) Deno.exitCode = 1;
}

/** Returns the sentences of all doc comments in a TypeScript file, without their code blocks. */
function docSentences(source: string): Sentence[] {
  return [...source.matchAll(docComment)].flatMap(({ 0: comment, index }) => {
    const firstLine = source.slice(0, index).split("\n").length;
    return paragraphs(comment, firstLine).flatMap(sentencesOf);
  });
}

/** The lines of one paragraph, list item or tag. */
type Paragraph = readonly Sentence[];

function paragraphs(comment: string, firstLine: number): Paragraph[] {
  const found: Sentence[][] = [[]];
  let inCode = false;
  for (const [index, written] of comment.split("\n").entries()) {
    const text = written.replace(/^\s*(?:\/\*\*|\*(?!\/))?\s*/, "").replace(/\s*\*\/$/, "");
    if (text.startsWith("```")) inCode = !inCode;
    if (inCode || text.startsWith("```") || text === "") {
      found.push([]);
      continue;
    }
    // A tag may follow the text on its line: `/** The time. @default {300} */`.
    for (const part of text.split(/\s(?=@(?:default|throws|returns|see)\b)/)) {
      if (/^(?:@|[-*] |\d+\. |[|#])/.test(part)) found.push([]);
      const words = part.replace(tag, "").replace(/^(?:[-*]|\d+\.|#+)\s+/, "");
      if (words) found.at(-1)?.push({ line: firstLine + index, text: words });
    }
  }
  return found.filter((lines) => lines.length);
}

function sentencesOf(paragraph: Paragraph): Sentence[] {
  const sentences: Sentence[] = [];
  let open: Sentence | null = null;
  for (const { line, text } of paragraph) {
    for (const part of text.split(/(?<=[.!?]\)?)\s+(?=[A-Z`"{[(])/)) {
      open = open ? { line: open.line, text: `${open.text} ${part}` } : { line, text: part };
      if (!/[.!?]\)?$/.test(part)) continue;
      sentences.push(open);
      open = null;
    }
  }
  return open ? [...sentences, open] : sentences;
}

function sourceFiles(place: string): string[] {
  if (place.endsWith(".ts")) return [place];
  const folder = place.replace(/\/*$/, "/");
  return filesBelow(new URL(folder, root))
    .filter((path) => /\.[cm]?tsx?$/.test(path))
    .map((path) => folder + path);
}
