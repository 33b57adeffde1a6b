/**
 * Lists files.
 *
 * @module
 */

/** Returns the paths of all files below a folder, relative to it, without packages and hidden folders. */
export function filesBelow(folder: URL): string[] {
  return [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) => {
    if (!isDirectory) return [name];
    if (name === "node_modules" || name.startsWith(".")) return [];
    return filesBelow(new URL(`${name}/`, folder)).map((path) => `${name}/${path}`);
  }).sort();
}
