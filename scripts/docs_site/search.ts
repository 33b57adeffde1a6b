/**
 * The search of the site: the sections and words of its index, and the order of its results. As a program, it searches the built site.
 *
 * ```sh
 * deno task search "cookie size" "log out everywhere"
 * ```
 *
 * @module
 */

import MiniSearch, { type SearchResult } from "minisearch";
import { synonyms, wholeQuestions } from "./search_synonyms.ts";
import { searchWords } from "./search_words.ts";

/** A part of a page that the search finds by itself. */
export interface SearchSection {
  /** The id of its heading, or an empty text for the whole page. */
  readonly anchor: string;
  /** Its heading, after those above it. */
  readonly titles: string[];
  text: string;
}

/** Further headings in the API reference that divide a page. The search finds the page and its members, which have headings of level 3. */
const dividers =
  /^(?:(?:Type )?Parameters?|Returns?|Throws|See|Examples?|Properties|Methods|Accessors|Constructors?|Extends|Implements|Extended by|Type declaration|Indexable|Overrides|Default Value|Guides|Deprecated|new .*)$/i;

/** Properties on the page of `GuildpassError`, which all errors inherit. */
const inherited = /^(?:code|hint|isTemporary|name|retryAfter)$/;

/** The code, the signatures and the type parameters of a page of the API reference. */
const unsearched = /<(pre|details)[^]*?<\/\1>|<div class="signature"[^]*?<\/div>/g;

/** Pages whose members say little alone, or are on another page too. */
const wholePages = [
  /\/api\/sdk\/testing\/(?!\w+\/(?:CookieJar|Failure|FakeBrowser|FakePlatform)\.md$)/,
  /\/api\/sdk\/node\/interfaces\//,
  /\/(?:Base\w+|DefaultLogin|FetchInit|SqlStore|SdkMessageObj|StickerObj|EmojiObj)\.md$/,
  /\/interfaces\/\w+(?:Client|Event)\.md$/,
];

/** A row of a table that has an id: its first cell and the others. */
const namedRow = /<tr id="([^"]*)">\s*<th[^>]*>(.*?)<\/th>(.*?)<\/tr>/gs;

/** Returns the sections of a page: one for each heading, but in the API reference only for the page and its members. */
export function sectionsOf(file: string, html: string): SearchSection[] {
  const isApi = /\/api\/sdk\//.test(file);
  const isWhole = wholePages.some((form) => form.test(file));
  const isError = /\/Errors\/classes\/(?!GuildpassError\.)/.test(file);
  const [, page = ""] = /\/dist\/pages\/(.*)\.md$/.exec(file) ?? [];
  const sections: SearchSection[] = [];
  const [, ...parts] = html.split(
    /<h(\d)[^>]*>(.*?)<a[^>]* href="#([^"]*)"[^>]*>.*?<\/a><\/h\1>/gi,
  );
  let above: string[] = [];
  for (let at = 0; at < parts.length; at += 4) {
    const [level = "", heading = "", anchor = "", content = ""] = parts.slice(at, at + 4);
    const title = textOf(heading).trim();
    const text = textOf(isApi ? content.replace(unsearched, "") : content);
    const last = sections.at(-1);
    const isTwice = anchor.endsWith("-1") || (isError && inherited.test(title));
    if (isApi && isTwice) continue;
    if (isApi && last && (isWhole || level !== "3" || dividers.test(title))) {
      last.text = `${last.text} ${text}`.slice(0, 200);
      continue;
    }
    above = above.slice(0, Number(level) - 1);
    const titles = [...above, title].filter(Boolean);
    sections.push({ anchor, titles, text });
    above[Number(level) - 1] = title;
    for (const [, id = "", name = "", cells = ""] of content.matchAll(namedRow)) {
      sections.push({
        anchor: id,
        titles: [titles[0] ?? "", textOf(name).trim()],
        text: textOf(cells),
      });
    }
  }
  return sections.map(({ anchor, titles, text }) => {
    const words = searchWords[`${page}#${anchor}`];
    return { anchor, titles, text: words ? `${text}\0${words}` : text };
  });
}

/** Returns the text of HTML. */
function textOf(html: string): string {
  return html.replace(/<span class="lang">.*?<\/span>|<[^>]*>/g, "");
}

/** A result of MiniSearch. */
interface Found {
  readonly id: string;
  readonly title: string;
  readonly score: number;
}

/** The index of the search. Its first search adds the words. */
interface Index extends MiniSearch {
  words?: Words;
}

/** The stems that a search knows. */
interface Words {
  /** Each stem of the index, with the number of its sections. */
  readonly counts: ReadonlyMap<string, number>;
  /** The stems of all headings. */
  readonly headings: ReadonlySet<string>;
  /** The names of the API reference, by their letters in lower case. */
  readonly names: ReadonlyMap<string, string>;
  /** The synonyms, the longest phrase first. */
  readonly phrases: readonly { readonly key: string; readonly others: readonly string[] }[];
}

/**
 * The options of MiniSearch. Pages of the site run these functions from their source text, so the functions use no other names of
 * this module.
 */
export const miniSearch = {
  synonyms,
  wholeQuestions,
  options: {
    fields: ["title", "titles", "text", "words"],
    /**
     * Returns a field of a section, whose words follow its text. A section without words has an empty text, as MiniSearch's average length
     * of a field that sections lack depends on the order in which the pages were added.
     */
    extractField(section: Readonly<Record<string, string>>, field: string): string | undefined {
      const [text, words = ""] = section["text"]?.split("\0") ?? [];
      return field === "text" ? text : field === "words" ? words : section[field];
    },
    /**
     * Splits `guilds.join` and `returnTo` into their parts, and keeps the whole. The heading `has()` is a word of its own too. Of a code
     * like `other_login`, a heading has only the whole.
     */
    tokenize(text: string, field?: string): string[] {
      const words = text.replace(/&#?\w+;/g, " ")
        .match(/[\p{L}\p{N}]+(?:[._\-/@:]?[\p{L}\p{N}]+)*/gu) ?? [];
      const method = field === "title" && /^\w+\(\)$/.test(text) ? [text] : [];
      return words.flatMap((word) => {
        if (field === "title" && word.includes("_") && text.startsWith(word)) return word;
        const parts = word.replace(/([\p{Ll}\d])(\p{Lu})/gu, "$1 $2").split(/[^\p{L}\p{N}]+/u);
        return parts.length > 1 ? [word, ...parts] : parts;
      }).concat(method);
    },
    /** Returns the stem of a word, without hyphens and the ending of `Next.js`, or nothing for a word that says nothing. */
    processTerm(term: string): string | null {
      if (term.endsWith("()")) return term.toLowerCase();
      const word = term.toLowerCase().replace(/[-.]/g, "").replace(/js$/, "");
      const empty =
        /^(?:.|also|an|and|another|are|as|async|at|await|be|but|by|can|check|const|couldn|couple|do|does|doesn|don|each|every|few|for|from|has|have|how|if|import|in|is|isn|it|its|just|many|may|me|much|my|no|not|of|on|only|or|other|own|return|so|some|still|such|than|that|the|then|there|they?|this|to|true|use|using|want|was|what|when|where|which|why|will|with|you|your)?$/;
      const stem = word.replace(/(\w{2}[^siu])s$/, "$1").replace(/(\w{3})(?:ing|ed)$/, "$1")
        .replace(/([bdgmnprt])\1$/, "$1").replace(/(\w{3})e$/, "$1").replace(/(\w{3})y$/, "$1i");
      return empty.test(word) || empty.test(stem) ? null : word.includes("_") ? word : stem;
    },
  },
  /** Returns the words that the searches of an index need. */
  wordsOf(index: MiniSearch): Words {
    const { tokenize, processTerm } = this.options;
    const stemsOf = (text: string) => tokenize(text).flatMap((word) => processTerm(word) ?? []);
    // `toJSON` has it too, but takes longer than the index takes to load.
    const stems = Reflect.get(index, "_index") as Iterable<
      [stem: string, fields: ReadonlyMap<number, ReadonlyMap<number, number>>]
    >;
    const stemCounts = Array.from(stems, ([stem, fields]): [string, number] => {
      return [stem, [...fields.values()].reduce((sum, { size }) => sum + size, 0)];
    });
    const counts = new Map(stemCounts);
    // A word that pages have goes on meaning itself, besides the others.
    const phrases = Object.entries(this.synonyms).flatMap(([keys, others]) => {
      return keys.split(", ").map((text) => {
        const key = stemsOf(text).join(" ");
        return { key, others: [...stemsOf(others), ...(counts.has(key) ? [key] : [])] };
      });
    });
    phrases.sort((one, other) => other.key.length - one.key.length);
    const fields = Reflect.get(index, "_storedFields") as ReadonlyMap<number, { title: string }>;
    const titles = Array.from(fields.values(), ({ title }) => title.replace(/\W+$/, ""));
    // A row may have a code and a class.
    const names = titles.filter((title) => /^\w+( \w+Error)?$/.test(title))
      .flatMap((title) => title.split(" "))
      .sort((one, other) => one.length - other.length || (one < other ? -1 : 1));
    return {
      counts,
      headings: new Set(titles.flatMap(stemsOf)),
      names: new Map(names.map((name) => [name.toLowerCase(), name])),
      phrases,
    };
  },
  /**
   * Returns a list for each word or phrase of a question: the word itself, or the words that replace it. All are stems. A long
   * question, such as a message of an error, may have words that no page has.
   */
  termsOf(question: string, { counts, headings, phrases }: Words): string[][] {
    const { tokenize, processTerm } = this.options;
    const stemsOf = (text: string) => tokenize(text).flatMap((word) => processTerm(word) ?? []);
    // A hyphen marks small words.
    const allOf = (text: string) =>
      tokenize(text).map((word) => processTerm(word) ?? `-${word.toLowerCase()}`)
        .filter((word) => !/^-(?:an?|the|my)$/.test(word)).join(" ");
    const groups: string[][] = [];
    // A name like `getServerSession` that a page has is one word. Others lose their verb.
    let text = question;
    if (/^[a-z]\w*[A-Z]\w*$/.test(question)) {
      const stems = stemsOf(question);
      const parts = stems.slice(1).join(" ");
      const isPhrase = phrases.some(({ key }) => key === parts || key === stems.join(" "));
      if (!isPhrase && counts.has(stems[0] ?? "")) return [stems];
      if (!isPhrase) {
        text = question.replace(/^use(?=[A-Z])/, "react hook ")
          .replace(/^(?:ensure|guard|protect|require)(?=[A-Z])/, "protect page ")
          .replace(/^(?:create|fetch|find|generate|get|load|make)(?=[A-Z])/, "");
      }
    }
    let rest = ` ${allOf(text)} `;
    for (const [keys, others] of Object.entries(this.wholeQuestions)) {
      for (const text of keys.split(", ")) {
        const parts = text.split(" + ").map(allOf);
        const isWord = parts.length === 1 && !parts[0]?.includes(" ");
        const isFound = isWord
          ? rest === ` ${parts[0]} `
          : parts.every((part) => rest.includes(` ${part} `));
        if (!isFound) continue;
        for (const part of parts) rest = rest.replace(` ${part} `, ` #${groups.length} `);
        groups.push(stemsOf(others));
      }
    }
    rest = ` ${rest.split(" ").filter((word) => !/^-|^$/.test(word)).join(" ")} `;
    for (const { key, others } of phrases) {
      if (!rest.includes(` ${key} `)) continue;
      rest = rest.replaceAll(` ${key} `, ` #${groups.length} `);
      groups.push([...others]);
    }
    const words = rest.split(" ").filter((word) => word !== "" && !word.startsWith("#"));
    const known = words.filter((word) => counts.has(word));
    const isLong = groups.length + words.length > 4;
    // The last word may have only its first letters. If it is the only one, that may be a rare word too, such as "red".
    const typed = /[a-z_]{3,}$/.exec(question.toLowerCase())?.[0] ?? "";
    const rare = words.length + groups.length > 1 ? 1 : 4;
    const wholeOf = (word: string) => {
      if (isLong || word !== processTerm(typed) || (counts.get(word) ?? 0) >= rare) return [word];
      // "testi" is more than the stem of "testing".
      const isWhole = (stem: string) => {
        return stem.startsWith(word) || stem.startsWith(typed) ||
          [`${stem}i`, `${stem}in`].includes(typed);
      };
      const found = [...counts].filter(([stem]) => isWhole(stem) && stem !== word);
      const most = Math.max(...found.map(([, count]) => count));
      const often = found.filter(([, count]) => count * 4 > most).map(([stem]) => stem);
      return often.length > 0 ? often : [word];
    };
    const asked = [...groups, ...(isLong ? known : words).map(wholeOf)];
    // Small words alone may be a name, such as `returnTo`, or the beginning of one.
    const joined = question.replace(/\W/g, "").toLowerCase();
    if (asked.length > 0 || joined.length < 4) return asked;
    return [[...headings].filter((stem) => stem.startsWith(joined))];
  },
  /** Returns what a pasted message of an error says, without the name of a built-in error, addresses of files, and calls. */
  messageOf(words: string): string {
    const message = words
      .replace(/\s+at (?:async )?(?:\S+ )?\(?\S+:\d+:\d+\)?.*/s, "")
      .replace(/\S*[/\\]\S+\.[cm]?[jt]sx?(?=\W|$)(?::\d+)*/g, " ")
      .replace(/https?:\/\/[\w.:-]+/g, " ")
      .replace(
        /\b(?:uncaught|unhandled|in promise|npm err!|(?:type|range|syntax|reference|fetch)?error(?= ?[:[(]| TS\d| code:? \d))/gi,
        " ",
      );
    return /\w/.test(message) ? message : words;
  },
  /** Returns a question without slips of the keyboard: one wrong, missing, further or swapped letter in a word that no page has. */
  corrected(question: string, { counts, names }: Words): string {
    const { tokenize, processTerm } = this.options;
    const others = Object.keys({ ...this.synonyms, ...this.wholeQuestions })
      .flatMap((text) => tokenize(text)).flatMap((word) => processTerm(word) ?? []);
    const known = [...counts.keys(), ...others];
    const isSlip = (typed: string, stem: string) => {
      if (typed[0] !== stem[0] || Math.abs(typed.length - stem.length) > 1) return false;
      const length = Math.min(typed.length, stem.length);
      let start = 1;
      while (start < length && typed[start] === stem[start]) start++;
      let end = 0;
      while (end < length - start && typed.at(-1 - end) === stem.at(-1 - end)) end++;
      const [one = "", other = ""] = [typed, stem].map((word) =>
        word.slice(start, word.length - end)
      );
      // Another letter in a short word may be another word.
      const isOther = one.length === other.length && typed.length < 6;
      return (one.length < 2 && other.length < 2 && !isOther) ||
        (one.length === 2 && one === [...other].toReversed().join(""));
    };
    return question.replace(/\w+/g, (word) => {
      const lower = word.toLowerCase();
      if (
        /[a-z]_|[a-z][A-Z]/.test(word) && word.length > 4 &&
        !known.includes(processTerm(word) ?? "")
      ) {
        const isNear = (name: string) => {
          return name.startsWith(lower) || (word.length > 7 && isSlip(lower, name));
        };
        return names.get([...names.keys()].find(isNear) ?? "") ?? word;
      }
      const typed = /^[a-z][a-z]{3,}$/i.test(word) && !/[a-z][A-Z]/.test(word) && processTerm(word);
      if (!typed || typed.length < 4 || known.some((stem) => stem.startsWith(typed))) return word;
      // "testign" is "testing", and "testing" is the stem "test".
      const swapped = Array.from(
        word,
        (_letter, at) => processTerm(word.replace(RegExp(`^(.{${at}})(.)(.)`), "$1$3$2")) ?? "",
      );
      const [nearest = word] = known
        .filter((stem) => isSlip(typed, stem) || (swapped.includes(stem) && stem[0] === typed[0]))
        .sort((one, other) =>
          (counts.get(other) ?? 0) - (counts.get(one) ?? 0) || (one < other ? -1 : 1)
        );
      return nearest;
    });
  },
  /**
   * Returns the part of a question that a result has, from 0 to 1. A rare word is a larger part than a word of many sections. Of several
   * words for one, two are enough.
   */
  shareOf({ queryTerms }: SearchResult, groups: readonly string[][], { counts }: Words): number {
    let all = 0;
    let found = 0;
    for (const group of groups) {
      const most = Math.max(1, ...group.map((word) => counts.get(word) ?? 0));
      const weight = Math.log(1 + counts.size / most);
      const count = group.filter((word) => queryTerms.includes(word)).length;
      all += weight;
      found += weight * Math.min(1, count / Math.min(2, group.length || 1));
    }
    return all > 0 ? found / all : 1;
  },
  /** Searches an index. The marks of a result are those of its words that the question has. */
  search(index: Index, words: string): (SearchResult & Found & { marks: string[] })[] {
    const known = index.words ??= this.wordsOf(index);
    const message = this.messageOf(words.trim())
      .replace(/^(?:log|sign)[ -]?(?:in|up)$/i, "login")
      .replace(
        /\b(?:log|sign)(?:ging|ing)?(?: (?:an? |my |your )?(?:people|persons?|users?|visitors?))? in\b/gi,
        "login",
      )
      .replace(/^(?:[Ll]ogout|[Ss]ign-?[Oo]ut)$/, "log out")
      .replace(/^new ([A-Z]\w+)(?:\W.*)?$/s, "$1")
      .replace(/^(\w+) (?:class|constructor)$/, "$1");
    const question = this.corrected(message, known);
    const groups = this.termsOf(question, known);
    const options = this.optionsFor(question, words, groups, known.counts);
    const found = index.search(question, options) as (SearchResult & Found)[];
    const { tokenize, processTerm } = this.options;
    const typed = tokenize(question).flatMap((word) => processTerm(word) ?? []);
    for (const result of found) result.score *= this.shareOf(result, groups, known) ** 2;
    return this.order(found).slice(0, 16).map((result) => {
      const marks = result.terms.filter((term) => typed.some((word) => term.startsWith(word)));
      return { ...result, marks };
    });
  },
  /**
   * Returns the options for a search that depend on its words. The page of an export with exactly this name is the first result, and
   * so are an option of a login, a member like `Login.handle` or `login.handle(request)`, and the row of an error with exactly this
   * code. Otherwise, guides are before the API reference, and the project's own documents and the fake platform's types last. A
   * question about a problem prefers the guides about errors.
   */
  optionsFor(
    question: string,
    words: string,
    groups: readonly string[][],
    counts: Words["counts"],
  ) {
    // "What is session.user?"
    const name = question.trim().replace(
      /^(?:(?:what|where|how)(?: is| are|'s| do| does| to)? |(?:i )?(?:get|use) )+/i,
      "",
    )
      .replace(/^[`"']+|[`"'?]+$/g, "");
    const lowerName = name.toLowerCase();
    const { tokenize, processTerm } = this.options;
    const stemsOf = (text: string) => tokenize(text).flatMap((word) => processTerm(word) ?? []);
    const typed = stemsOf(name).join(" ");
    // "Store timeout" may be the code `store_timeout`, and "not a member" the code `not_a_member`.
    const parts = lowerName.match(/\w+/g) ?? [];
    const whole = processTerm(parts.join("_"));
    const pairs = parts.slice(1).map((word, at) => processTerm(`${parts[at]}_${word}`) ?? "");
    const replaced = groups.flat();
    const guesses = new Set(
      [...pairs, whole ?? ""].filter((word) => word.includes("_") && !replaced.includes(word)),
    );
    const [, owner, member = "", call] =
      /^(?:await )?(?:\w+\??\.)*?(?:(\w+)\??[.#])?(\w+)(\([^)]*\)?)?;?$/.exec(name) ?? [];
    const method = `${member.toLowerCase()}()`;
    const asked = [...replaced, ...guesses, ...(member ? [method] : [])];
    const isCamel = /[a-z][A-Z]/.test(member);
    // Other libraries have `fetchUser` or `listGuilds`.
    const partsOf = (text: string) =>
      stemsOf(
        text.replace(/^(?:fetch|find|list|load|read)(?=[A-Z])/, "get")
          .replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2"),
      );
    // Codes like `EADDRINUSE` and 50013 say more than the words around them.
    const codes = new Set(
      (question.match(/\b(?:[A-Z][A-Z\d_]{5,}|[A-Z]\w+Error|TS\d{4}|\d{5,})\b/g) ?? [])
        .flatMap((code) => processTerm(code) ?? []).filter((code) => counts.has(code)),
    );
    if (isCamel && typed.split(" ").length > 1) codes.add(processTerm(member) ?? "");
    const { boostTerm } = this.searchOptions;
    const hasMethods = /\/(?:classes\/|interfaces\/(?:FakeBrowser|FakePlatform|Session)\.html#)/;
    /** Returns whether the words are the name of this member. `session` is a `Session` or a `SessionClient`. */
    const isMember = (id: string, title: string) => {
      if (!member || title.toLowerCase() !== member.toLowerCase()) return false;
      const isClass = hasMethods.test(id);
      if (isClass && (isCamel ? !owner || call : !owner && call)) return true;
      const form = new RegExp(`/${owner}((?:[A-Z]\\w*)?)\\.html#`, "i");
      const [, rest] = owner ? form.exec(id) ?? [] : [];
      return rest === "" || (isClass && /^[A-Z]/.test(rest ?? ""));
    };
    /** Returns whether a method has most words of the typed name, with the same first and last one: `getUserGuildMember`. */
    const isNear = (id: string, title: string) => {
      if (!isCamel || !id.includes("/classes/")) return false;
      const [own, theirs] = [partsOf(member), partsOf(title)];
      const [short = [], long = []] = [own, theirs].sort((one, other) => one.length - other.length);
      return theirs.length > 2 && short.length > 1 && short[0] === long[0] &&
        short.at(-1) === long.at(-1) && short.every((part) => long.includes(part));
    };
    const isProblem =
      /\b(?:not|nothing|null|undefined|must|wrong|missing|empty|blank|blocked|loop|too many|[45]\d\d)\b|n't\b|\b(?:cancel|den(?:y|ied)|error|fail|forbid|invalid|reject|refuse)/i
        .test(words);
    return {
      tokenize: () => asked,
      processTerm: (term: string) => term,
      boostTerm: (word: string) => codes.has(word) ? 3 : boostTerm(word),
      /** Leaves out results with at most half of the words, unless one is in the heading. */
      filter({ id, title, queryTerms, match }: SearchResult): boolean {
        if (isMember(id, String(title).replace(/\W/g, ""))) return true;
        if (queryTerms.includes(method)) return true;
        if (queryTerms.some((term) => codes.has(term))) return true;
        const found = groups.filter((group) => group.some((word) => queryTerms.includes(word)));
        return found.length * 2 > groups.length || queryTerms.includes(whole ?? "") ||
          found.flat().some((word) => match[word]?.includes("title"));
      },
      boostDocument(id: string, term: string, fields: Readonly<Record<string, unknown>> = {}) {
        const heading = String(fields["title"]);
        const title = heading.replace(/\W/g, "");
        const isNamed = id.includes(`/${title}.html#`) || id.includes("/LoginOptions.html#");
        if (id.includes("/api/") && isNamed && title === name) return 1000;
        if (id.includes("/api/") && isMember(id, title)) return 1000;
        if (id.includes("/api/") && isNear(id, title)) return 30;
        if (term.includes("_") && /\/docs\/(?:errors|keep\w*)\./.test(id)) {
          const isCode = term === whole || groups.length === 1;
          if (stemsOf(heading)[0] === term) return isCode ? 1000 : 4;
          if (replaced.includes(term)) return isCode ? 100 : 4;
        }
        if (guesses.has(term)) return 0;
        if (term.endsWith("()")) return term === method && hasMethods.test(id) ? 1 : 0;
        // A name without a capital inside may be any word, unless it is the name of a class.
        const isName = /[a-z\d][A-Z]/.test(title) || id.includes("/classes/");
        if (id.includes("/api/") && isNamed && isName && title.toLowerCase() === lowerName) {
          return 100;
        }
        if (
          id.includes("/api/") && /[a-z][A-Z]|_/.test(name) && title.toLowerCase() === lowerName
        ) return 10;
        // "Avatar url" may be `avatarUrl`.
        const isSpelled = / /.test(name) && title.toLowerCase() === parts.join("");
        if (isSpelled && id.includes(`/${title}.html#`)) return 4;
        // A part of a scope like `activities.write` says less than its whole.
        if (/^\w+\.[\w.]+$/.test(heading) && term !== processTerm(heading)) return 0.4;
        // The words have the name of this method.
        if (/\(\)$/.test(heading) && /[a-z][A-Z]/.test(title) && term === processTerm(title)) {
          return 1.6;
        }
        if (/README/.test(id)) return 0.6;
        const stems = stemsOf(heading);
        const isPage = String(fields["titles"]) === "";
        const isWhole = [typed, replaced.join(" ")].includes(stems.join(" ")) &&
          (isPage || stems.length > 1);
        if (/CHANGELOG|CONTRIBUTING|SECURITY|\/api\/sdk\/testing\//.test(id)) {
          return isWhole ? 2 : 0.2;
        }
        if (id.includes("/api/")) return 0.4;
        const isForProblems = /\/(?:errors|troubleshooting)\.|#if-it-/.test(id);
        return (isWhole ? 2 : 1) * (isPage ? 1.2 : 1) *
          (isProblem && isForProblems ? 3 : 1);
      },
    };
  },
  /**
   * Puts the results of the API reference after the first two below the guides. Equal results are in the order of their addresses.
   */
  order<Result extends Found>(results: readonly Result[]): Result[] {
    const sorted = results
      .toSorted((one, other) => other.score - one.score || (one.id < other.id ? -1 : 1));
    const late = sorted.filter(({ id }) => id.includes("/api/")).slice(2);
    return [...sorted.filter((result) => !late.includes(result)), ...late];
  },
  /** Returns the label of a result. */
  kindOf(id: string): string {
    if (/\/api\//.test(id)) return "API";
    if (/\/(?:CHANGELOG|CONTRIBUTING|SECURITY)\./.test(id)) return "Project";
    return /\/docs\/(?:errors|troubleshooting)\./.test(id) ? "Error" : "Guide";
  },
  /** Returns the part of a section with most of the found words, as HTML without tags. */
  excerptOf(html: string, found: readonly string[]): string {
    const { tokenize, processTerm } = this.options;
    const words = html
      .replace(
        /<(pre|details)[^]*?<\/\1>|<div class="signature"[^]*?<\/div>|<span class="lang">\w*<\/span>/g,
        " ",
      )
      .replace(/<\/t[dh]>(?=\s*<t[dh])/g, " · ").replace(/<\/(?:p|li|t[dhr]|div)>/g, " ")
      .replace(/<[^>]*>/g, "")
      .split(/\s+/).filter(Boolean);
    const hits = words.map((word) => {
      return tokenize(word).flatMap((part) => processTerm(part) ?? [])
        .filter((stem) => found.includes(stem));
    });
    const length = 30;
    let start = 0;
    let most = 0;
    for (const at of words.keys()) {
      const count = new Set(hits.slice(at, at + length - 6).flat()).size;
      if (count > most) [start, most] = [at, count];
    }
    // The window begins with the sentence, unless that is far above.
    const first = start + hits.slice(start).findIndex((stems) => stems.length > 0);
    let begin = Math.max(0, first - 12);
    const ends = words.slice(begin, first).map((word) => /[.:?!]$/.test(word));
    begin = ends.includes(true) ? begin + ends.lastIndexOf(true) + 1 : begin && first - 4;
    if (most === 0) begin = 0;
    const part = words.slice(begin, begin + length).join(" ");
    const isLast = begin + length >= words.length;
    return `${begin > 0 ? "… " : ""}${part}${isLast ? "" : " …"}`;
  },
  searchOptions: {
    boost: { title: 3, titles: 0.7, text: 1, words: 2.4 },
    bm25: { k: 0.7, b: 0.65, d: 0.5 },
    // Most sections have these words. Numbers are codes of errors.
    boostTerm: (word: string) =>
      /^(?:discord|get|list|login|set|user)$/.test(word) ? 0.4 : /^\d{3,}$/.test(word) ? 2 : 1,
    prefix: false,
    fuzzy: false,
  },
};

if (import.meta.main) {
  const chunks = new URL("../../site/assets/chunks/", import.meta.url);
  const [file] = [...Deno.readDirSync(chunks)].filter(({ name }) =>
    name.includes("SearchIndexroot")
  );
  const { default: json } = await import(new URL(file?.name ?? "", chunks).href);
  const { options, searchOptions } = miniSearch;
  // VitePress has the same names of fields.
  const storeFields = ["title", "titles"];
  const index = MiniSearch.loadJSON(json, { storeFields, ...options, searchOptions });
  const results = Deno.args.map((words) => {
    return [words, miniSearch.search(index, words).slice(0, 8).map(({ id }) => id)];
  });
  console.log(JSON.stringify(Object.fromEntries(results), null, 2));
}
