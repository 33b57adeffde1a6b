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
  /^(?:(?:Type )?Parameters?|Returns?|Throws|See|Examples?|Properties|Methods|Accessors|Constructors?|Extends|Implements|Extended by|Type declaration|Call Signature|Indexable|Overrides|Default Value|Guides|Deprecated)$/i;

/** The code, the signatures and the type parameters of a page of the API reference. */
const unsearched = /<(pre|details)[^]*?<\/\1>|<div class="signature"[^]*?<\/div>/g;

/** Returns the sections of a page: one for each heading, but in the API reference only for the page and its members. */
export function sectionsOf(file: string, html: string): SearchSection[] {
  const isApi = /\/api\/sdk\//.test(file);
  // Pages whose members are those of this library's own tests, or are on another page too.
  const isWhole = /\/api\/sdk\/testing\/|\/Base\w+\.md$/.test(file);
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
    if (isApi && last && (isWhole || level !== "3" || dividers.test(title))) {
      last.text = `${last.text} ${text}`.slice(0, 300);
      continue;
    }
    above = above.slice(0, Number(level) - 1);
    sections.push({ anchor, titles: [...above, title].filter(Boolean), text });
    above[Number(level) - 1] = title;
  }
  return sections;
}

/** Returns the text of HTML. */
function textOf(html: string): string {
  return html.replace(/<span class="lang">.*?<\/span>|<[^>]*>/g, "");
}

/**
 * The options of MiniSearch. Pages of the site run these functions from their source text, so the functions use no other names of
 * this module.
 */
export const miniSearch = {
  options: {
    /** Splits `guilds.join` and `returnTo` into their parts, and keeps the whole. Adds the word of the guides to other words for it. */
    tokenize(text: string): string[] {
      const plain = text.replace(/&#?\w+;/g, " ")
        .replace(/remember me/gi, "maxAge idleTimeout")
        .replace(
          /^(?:why )?(?:is )?(?:login\.)?(?:the |my )?session(?:\(.*?\))? (?:(?:is|returns?|always) )*(?:null|undefined)\b(?: after.*)?$/i,
          "login loop",
        )
        .replace(/\bcookies? (?:(?:is|are) )?too (?:large|big|long)/gi, "cookie size")
        .replace(/(?:stay|keep)\w* (?:\w+ )?logged in|(?:30|thirty) days/gi, "$& maxAge")
        .replace(
          /double[ -](?:logins?|clicks?|callbacks?)|opened (?:again|twice)|two tabs/gi,
          "$& twice",
        )
        .replace(/\b(?:in|on|of|joined) (?:my|our|your|the) (?:server|guild)\b/gi, "member")
        .replace(/redirects? loops?|too many redirects|leads to the next one/gi, "$& loop")
        .replace(/every (?:time|login)|again and again/gi, "$& always")
        .replace(/how (?:big|large|small|heavy)/gi, "size")
        .replace(
          /\b(?:custom(?:ize)?|own) error pages?|\berror (?:page|screen)s?/gi,
          "onError error handler",
        )
        .replace(/how long\b.*\b(?:last|valid)s?\b/gi, "session maxAge idleTimeout end themselves")
        .replace(
          /\b(?:sessions?|logged out|logins?)\b[^.]{0,20} (?:after|on) (?:\w+ )?(?:re)?(?:deploy|start)\w*/gi,
          "process forget logins MemoryStore",
        )
        .replace(/\bgdpr\b|right to be forgotten|personal data/gi, "delete account")
        .replace(
          /production[ -]ready|(?:production|launch) checklist|go(?:ing)? live/gi,
          "go online checklist",
        )
        .replace(
          /\b(?:restrict|limit)\w* (?:the )?(?:logins?|access|sign ?ups?) to\b/gi,
          "admit members who may log in",
        )
        .replace(/\b1015\b/g, "$& blocked address")
        .replace(/\bauth\.?js\b/gi, "$& next-auth")
        .replace(/\b(?:requir\w*|has|have) (?:a|the|some) roles?\b/gi, "admit holders role")
        .replace(/\binvalid (client|grant|scope)\b/gi, "invalid_$1")
        .replace(/your first login/gi, "$& quickstart")
        .replace(
          /\bget(?:ting)? started\b|\bquick start\b|^(?:how (?:to|do I) )?(?:install|set ?up)$/gi,
          "quickstart",
        )
        .replace(/redirect(?:ed|s|ion)? after/gi, "page after")
        .replace(/protect\w* (?:a|the|my) (?:route|page)s?/gi, "show page without login")
        .replace(
          /\b(?:get|list|show|fetch)\b.{0,16}\b(?:servers|guilds)\b|\b(?:server|guild) list/gi,
          "$& getUserGuilds",
        )
        .replace(
          /\bstate (?:mismatch|does(?:n't| not) match)\w*/gi,
          "$& StateMismatchError state_mismatch",
        )
        .replace(
          /\bsessions? (?:expired?s?|ends?|tim\w+ out)(?: (?:too )?(?:soon|early|fast|quickly)|\s*$)/gi,
          "session maxAge idleTimeout end themselves",
        )
        .replace(
          /ERR_UNKNOWN_FILE_EXTENSION|unknown file extension/gi,
          "$& run TypeScript directly",
        )
        .replace(
          /\bsso\b|single sign[ -]on|(?:multiple|several|other) providers?/gi,
          "$& limit password account linking",
        )
        .replace(
          /load balancers?|sticky sessions?|multiple instances|horizontal scaling/gi,
          "$& several processes",
        )
        .replace(/\b(?:prisma|drizzle)\b/gi, "$& database store")
        .replace(/\b(?:docker|kubernetes|lambda)\b/gi, "$& hosts")
        .replace(/\b(?:lucia|clerk)\b/gi, "$& comparison libraries")
        .replace(/sign(?:ed|ing)? in\b/gi, "login");
      const words = plain.match(/[\p{L}\p{N}]+(?:[._\-/@:]?[\p{L}\p{N}]+)*/gu) ?? [];
      return words.flatMap((word) => {
        const parts = word.replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2").split(/[^\p{L}\p{N}]+/u);
        return parts.length > 1 ? [word, ...parts] : parts;
      });
    },
    /** Leaves out words that say nothing, hyphens, and the endings of a plural and of `Next.js`. */
    processTerm(term: string): string | string[] | null {
      const word = term.toLowerCase().replace(/[-.]/g, "").replace(/js$/, "")
        .replace(/(\w{3}[^siu])s$/, "$1");
      const isEmpty =
        /^(?:.|also|an|and|another|are|as|async|at|await|be|but|by|can|check|const|do|does|each|every|for|from|has|have|how|if|import|in|is|it|its|may|my|no|not|of|on|only|or|other|own|return|so|some(?:one)?|such|than|that|the|then|there|they?|this|to|true|use|using|was|what|when|where|which|why|will|with|you|your)?$/
          .test(word);
      const synonyms: Readonly<Record<string, string>> = {
        "2fa": "twofactor",
        alternative: "comparison",
        byte: "byte bundle",
        cancellation: "canceled",
        cancel: "canceled",
        cancelled: "canceled",
        declined: "canceled",
        denied: "canceled",
        compare: "comparison",
        dialog: "page",
        difference: "comparison",
        guild: "server",
        kb: "byte",
        limited: "limit",
        logout: "logout log out",
        mfa: "twofactor",
        mock: "fake",
        postgresql: "postgre",
        screen: "page",
        size: "size byte",
        testing: "test",
        versus: "comparison",
        vs: "comparison",
      };
      return isEmpty
        ? null
        : (Object.hasOwn(synonyms, word) ? synonyms[word]?.split(" ") : null) ?? word;
    },
  },
  /**
   * Returns the options for a search that depend on its words. The page of an export with exactly this name is the first result, and
   * so are an option of a login, a member like `Login.handle`, and the table of errors with exactly this code. Otherwise, guides are
   * before the API reference, and the project's own documents and the fake platform's types last. A question about a problem prefers
   * the guides about errors.
   */
  optionsFor(words: string) {
    const name = words.trim();
    const lowerName = name.toLowerCase();
    const [, owner, member] = /^([A-Z]\w*)[.#](\w+)(?:\(\))?$/.exec(name) ?? [];
    // A code as it is in the index, where the endings of a plural are missing.
    const code = /^[a-z]+(?:_[a-z]+)+$/.test(name) && this.options.processTerm(name);
    const isProblem = /\bnot\b|n't\b|\b(?:cancel|den(?:y|ied)|error|fail|invalid|wrong)/i.test(
      words,
    );
    const { processTerm } = this.options;
    const asked = this.options.tokenize(words).flatMap((word) => {
      return this.options.processTerm(word) ?? [];
    });
    return {
      /** Leaves out results with at most half of the words, unless one is in the heading. */
      filter({ queryTerms, match }: SearchResult): boolean {
        const found = asked.filter((word) => queryTerms.includes(word));
        return found.length * 2 > asked.length ||
          found.some((word) => match[word]?.includes("title"));
      },
      boostDocument(id: string, term: string, fields: Readonly<Record<string, unknown>> = {}) {
        const heading = String(fields["title"]);
        const title = heading.replace(/\W/g, "");
        const isNamed = id.includes(`/${title}.html#`) || id.includes("/LoginOptions.html#");
        if (id.includes("/api/") && isNamed && title === name) return 1000;
        if (id.includes(`/${owner}.html#`) && title === member) return 1000;
        if (term === code && /\/errors\.html#look-up-an-error-by-its-code$/.test(id)) return 1000;
        if (term === code && /\/errors\.html#the-reasons-of-/.test(id)) return 100;
        // A name without a capital inside may be any word, unless it is the name of a class.
        const isName = /[a-z\d][A-Z]/.test(title) || id.includes("/classes/");
        if (id.includes("/api/") && isNamed && isName && title.toLowerCase() === lowerName) {
          return 100;
        }
        // The words have the name of this method.
        if (/\(\)$/.test(heading) && /[a-z][A-Z]/.test(title) && term === processTerm(title)) {
          return 1.3;
        }
        if (isProblem && /\/(?:errors|troubleshooting)\./.test(id)) return 3;
        if (/README/.test(id)) return 0.6;
        if (/CHANGELOG|CONTRIBUTING|\/api\/sdk\/testing\//.test(id)) return 0.2;
        return /\/api\//.test(id) ? 0.4 : 1;
      },
    };
  },
  searchOptions: {
    boost: { title: 4, titles: 2, text: 1 },
    // Most sections have these words.
    boostTerm: (word: string) => /^(?:get|list|login|set|user)$/.test(word) ? 0.4 : 1,
    prefix: true,
    // A page about Next is before one about NextAuth.
    weights: { fuzzy: 0.3, prefix: 0.2 },
    // Short words would find too much.
    fuzzy: (word: string) => word.length > 4 ? 0.2 : false,
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
  const fields = { fields: ["title", "titles", "text"], storeFields: ["title", "titles"] };
  const index = MiniSearch.loadJSON(json, { ...fields, ...options, searchOptions });
  const results = Deno.args.map((words) => {
    return [
      words,
      index.search(words, miniSearch.optionsFor(words)).slice(0, 8).map(({ id }) => id),
    ];
  });
  console.log(JSON.stringify(Object.fromEntries(results), null, 2));
}
