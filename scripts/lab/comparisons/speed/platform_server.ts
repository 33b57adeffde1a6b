/**
 * Serves the platform over HTTP on loopback, in a process of its own. Below `/api` each code leads to another person; other paths have
 * the fixed answers of the requests that are measured. Prints its address, and ends with its standard input.
 *
 * @module
 */

import { answer } from "./answers.ts";
import { answerRequest } from "./workers/platform.ts";

const server = Deno.serve(
  {
    hostname: "127.0.0.1",
    port: 0,
    onListen: ({ port }) => console.log(`http://127.0.0.1:${port}`),
  },
  async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname.startsWith("/api/")) return await answerRequest(request);
    await request.arrayBuffer();
    return answer(pathname);
  },
);

for await (const _ of Deno.stdin.readable);
await server.shutdown();
