/**
 * Finds a port for a program of a test.
 *
 * @module
 */

import { createServer } from "node:net";

/**
 * Finds a free port with a free successor. Both are below the system's ports for connections: one of those may be taken again before
 * the program listens.
 */
export async function freePort(): Promise<number> {
  const port = 10_000 + Math.floor(Math.random() * 20_000);
  try {
    await listenOnce(port);
    await listenOnce(port + 1);
    return port;
  } catch {
    return await freePort();
  }
}

function listenOnce(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(port, "127.0.0.1", () => server.close(() => resolve()));
  });
}
