/**
 * Finds the known name for a misspelled name.
 *
 * @module
 */

/**
 * Returns the known name that a word misspells, or `undefined`. Case and the characters between words do not count. One slip is
 * allowed: an extra, missing or wrong letter, or two swapped letters.
 */
export function misspelledName(word: string, known: readonly string[]): string | undefined {
  const letters = lettersOf(word);
  return known.find((name) => isOneSlipAway(letters, lettersOf(name)));
}

/**
 * Returns the known name with the most letter pairs of a word, even if no pair matches. For example, it finds `administrator` for
 * `admin`. Its code is far smaller than {@link misspelledName}.
 */
export function mostSimilarName(word: string, known: readonly string[]): string {
  // No name is longer, but the word may be very long.
  const letters = word.slice(0, 40).toLowerCase();
  const likeness = (name: string) =>
    [...letters].filter((letter, i) => name.includes(letter + letters[i + 1])).length;
  return known.reduce((best, name) => likeness(name) > likeness(best) ? name : best);
}

function lettersOf(name: string): string {
  return name.toLowerCase().replace(/[^a-z]/g, "");
}

function isOneSlipAway(word: string, name: string): boolean {
  let start = 0;
  while (start < word.length && word[start] === name[start]) start++;
  const rest = word.slice(start);
  const restOfName = name.slice(start);
  if (rest === restOfName) return true;
  // A short name is one slip away from too many words: "not" does not mean "bot".
  if (name.length < 4) return false;
  const swapped = `${rest[1]}${rest[0]}${rest.slice(2)}`;
  return rest.slice(1) === restOfName || rest === restOfName.slice(1) ||
    rest.slice(1) === restOfName.slice(1) || swapped === restOfName;
}
