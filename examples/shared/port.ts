/**
 * The port that an example's server listens on. It runs in Deno only.
 *
 * @module
 */

/** How many ports are tried. */
const attempts = 20;

/**
 * Chooses the port: `PORT` from the environment, or else the usual one. When that is taken it is the next free one, which
 * is printed. Ends the program when `PORT` is not a port, or when nothing is free.
 */
export function choosePort(usual: number): number {
  const wanted = Number(Deno.env.get("PORT") || usual);
  if (!Number.isInteger(wanted) || wanted < 1 || wanted > 65535) {
    console.error(`PORT must be a number from 1 to 65535, received "${Deno.env.get("PORT")}"`);
    Deno.exit(1);
  }
  const last = Math.min(wanted + attempts - 1, 65535);
  for (let port = wanted; port <= last; port++) {
    if (!isFree(port)) continue;
    if (port !== wanted) console.log(`Port ${wanted} is taken, so this uses ${port}`);
    return port;
  }
  console.error(`The ports ${wanted} to ${last} are all taken: set PORT to another one`);
  Deno.exit(1);
}

/** Browsers take `localhost` for either address, so a port that is taken at one of them is of no use. */
function isFree(port: number): boolean {
  return ["127.0.0.1", "::1"].every((hostname) => {
    try {
      Deno.listen({ hostname, port }).close();
      return true;
    } catch (error) {
      // A machine without IPv6 has no `::1`, where nobody can have taken the port.
      if (error instanceof Deno.errors.AddrNotAvailable) return true;
      if (error instanceof Deno.errors.AddrInUse) return false;
      throw error;
    }
  });
}
