/**
 * Lists files.
 *
 * @module
 */

/** Returns the paths of all files below a folder, relative to it. */
export function filesBelow(folder: URL): string[] {
  return [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) =>
    isDirectory ? filesBelow(new URL(`${name}/`, folder)).map((path) => `${name}/${path}`) : [name]
  ).sort();
}
