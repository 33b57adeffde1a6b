/**
 * Finds the known name for a misspelled name.
 *
 * @module
 */

/**
 * Returns the known name that a word misspells, or `undefined`. Ignores case and the characters between words. In a name of three letters,
 * only an extra or missing letter is accepted: "bots" means "bot", but "not" does not.
 */
export function misspelledName(word: string, known: readonly string[]): string | undefined {
  const letters = lettersOf(word);
  return known.find((name) => {
    const nameLetters = lettersOf(name);
    const isShort = nameLetters.length <= 3;
    const most = !isShort ? 2 : nameLetters.length === letters.length ? 0 : 1;
    return differenceOf(letters, nameLetters) <= most;
  });
}

/**
 * Returns the known name with the most letter pairs of a word, even if no pair matches. For example, it finds `administrator` for
 * `admin`. Its code is far smaller than {@link misspelledName}.
 */
export function mostSimilarName(word: string, known: readonly string[]): string {
  // No name is longer, but the word may be very long.
  const letters = word.slice(0, 40);
  const likeness = (name: string) =>
    [...letters].filter((letter, i) => name.includes(letter + letters[i + 1])).length;
  return known.reduce((best, name) => likeness(name) > likeness(best) ? name : best);
}

function lettersOf(name: string): string {
  return name.toLowerCase().replace(/[^a-z]/g, "");
}

/** Removes the common start and end of a word and a name, and returns the length of the longer rest. */
export function differenceOf(word: string, name: string): number {
  const shorter = Math.min(word.length, name.length);
  let same = 0;
  while (same < shorter && word[same] === name[same]) same++;
  for (let at = 1; same < shorter && word.at(-at) === name.at(-at); at++) same++;
  return Math.max(word.length, name.length) - same;
}
