/**
 * Serves the platform's answers over HTTP on loopback, in a process of its own. Prints its address, and ends with its
 * standard input.
 *
 * @module
 */

import { answer } from "./answers.ts";

const server = Deno.serve(
  {
    hostname: "127.0.0.1",
    port: 0,
    onListen: ({ port }) => console.log(`http://127.0.0.1:${port}`),
  },
  async (request) => {
    await request.arrayBuffer();
    return answer(new URL(request.url).pathname);
  },
);

for await (const _ of Deno.stdin.readable);
await server.shutdown();
