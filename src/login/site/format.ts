/**
 * The format of cookies and records, so that later versions can recognize older ones.
 *
 * @module
 */

/** The number of the format. Every cookie and record contains the number. */
export const format = 1;

/** Returns the content of a cookie or a record, or `null` if it has another format. */
export function ofThisFormat<Content extends object>(
  value: unknown,
): Content & { readonly format: typeof format } | null {
  // A value with this format was written by this code, so it has the type.
  const content = Object(value) as Content & { readonly format: typeof format };
  return content.format === format ? content : null;
}
