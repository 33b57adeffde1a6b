/**
 * Shows the times of a page in the zone and the language of the person. It runs in the page.
 *
 * @module
 */

/** Replaces the text of each `<time>`. */
export function showLocalTimes(): void {
  const format = new Intl.DateTimeFormat(undefined, {
    dateStyle: "medium",
    timeStyle: "short",
  });
  for (const time of document.querySelectorAll("time")) {
    time.textContent = format.format(new Date(time.dateTime));
    // Screen readers speak the text in this language.
    time.lang = format.resolvedOptions().locale;
  }
}
