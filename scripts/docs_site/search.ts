/**
 * The search of the site: the words of its index, and the order of its results. As a program, it searches the built site.
 *
 * ```sh
 * deno task search "cookie size" "log out everywhere"
 * ```
 *
 * @module
 */

import MiniSearch from "minisearch";

/**
 * The options of MiniSearch. Pages of the site run these functions from their source text, so the functions use no other names of
 * this module.
 */
export const miniSearch = {
  options: {
    /** Splits `guilds.join` and `returnTo` into their parts, and keeps the whole. */
    tokenize(text: string): string[] {
      const plain = text.replace(/&#?\w+;/g, " ");
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
        /^(?:an?|and|are|as|at|be|by|can|do|does|for|from|how|i|if|in|is|it|my|of|on|or|so|that|the|there|they?|this|to|use|using|was|what|when|where|which|why|will|with|you|your)?$/
          .test(word);
      const synonyms = new Map([
        ["2fa", ["twofactor"]],
        ["mfa", ["twofactor"]],
        ["logout", ["logout", "log", "out"]],
      ]);
      return isEmpty ? null : synonyms.get(word) ?? word;
    },
  },
  searchOptions: {
    boost: { title: 4, titles: 2, text: 1 },
    /** Puts guides before the API reference, and the project's own documents and the fake platform's types last. */
    boostDocument(id: string): number {
      if (/CHANGELOG|CONTRIBUTING|\/api\/sdk\/testing\//.test(id)) return 0.2;
      return /\/api\//.test(id) ? 0.4 : 1;
    },
    prefix: true,
    // Short words would find too much.
    fuzzy: (word: string) => word.length > 5 ? 0.2 : false,
  },
};

if (import.meta.main) {
  const chunks = new URL("../../site/assets/chunks/", import.meta.url);
  const [file] = [...Deno.readDirSync(chunks)].filter(({ name }) => name.includes("SearchIndex"));
  const { default: json } = await import(new URL(file?.name ?? "", chunks).href);
  const { options, searchOptions } = miniSearch;
  // VitePress has the same names of fields.
  const fields = { fields: ["title", "titles", "text"], storeFields: ["title", "titles"] };
  const index = MiniSearch.loadJSON(json, { ...fields, ...options, searchOptions });
  const results = Deno.args.map((words) => {
    return [words, index.search(words).slice(0, 8).map(({ id }) => id)];
  });
  console.log(JSON.stringify(Object.fromEntries(results), null, 2));
}
