/**
 * Lists files.
 *
 * @module
 */

/** The paths of all files below a folder, seen from there. */
export function filesBelow(folder: URL): string[] {
  return [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) =>
    isDirectory ? filesBelow(new URL(`${name}/`, folder)).map((path) => `${name}/${path}`) : [name]
  ).sort();
}
