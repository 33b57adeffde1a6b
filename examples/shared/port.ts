/**
 * Chooses the port of an example's server. It runs in Deno only.
 *
 * @module
 */

/** The number of ports to try. */
const attempts = 20;

/**
 * Chooses the port: `PORT` from the environment, or else the usual one. If it is taken, chooses the next free one and
 * prints it. Ends the program if `PORT` is not a port, or if no port is free.
 */
export function choosePort(usual: number): number {
  const wanted = Number(Deno.env.get("PORT") || usual);
  if (!Number.isInteger(wanted) || wanted < 1 || wanted > 65535) {
    console.error(`PORT must be a number from 1 to 65535, received "${Deno.env.get("PORT")}"`);
    Deno.exit(1);
  }
  const port = nextFreePort(wanted);
  if (port !== wanted) console.log(`Port ${wanted} is taken, so the server uses ${port}`);
  return port;
}

/** Returns a port if it is free, or else the next free one. Ends the program if none is free. */
export function nextFreePort(first: number): number {
  const last = Math.min(first + attempts - 1, 65535);
  for (let port = first; port <= last; port++) {
    if (isFree(port)) return port;
  }
  console.error(`The ports ${first} to ${last} are all taken: set PORT to another one`);
  Deno.exit(1);
}

/** Returns true if a port is free at both addresses of `localhost`, since a browser may use either. */
function isFree(port: number): boolean {
  return ["127.0.0.1", "::1"].every((hostname) => {
    try {
      Deno.listen({ hostname, port }).close();
      return true;
    } catch (error) {
      // A machine without IPv6 has no `::1`, so the port is free there.
      if (error instanceof Deno.errors.AddrNotAvailable) return true;
      if (error instanceof Deno.errors.AddrInUse) return false;
      throw error;
    }
  });
}
