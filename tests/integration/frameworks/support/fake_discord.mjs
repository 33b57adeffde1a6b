/**
 * Redirects an application's requests for Discord to the platform of the test. Node loads it before the application.
 *
 * @module
 */

import { env } from "node:process";

const { fetch } = globalThis;

globalThis.fetch = async (input, init) => {
  const request = new Request(input, init);
  const { pathname, search, origin } = new URL(request.url);
  if (origin !== "https://discord.com") return await fetch(input, init);
  const { method, headers } = request;
  const body = await request.text();
  return await fetch(env.PLATFORM_ADDRESS + pathname + search, {
    method,
    headers,
    ...(body && { body }),
  });
};
