/**
 * Requests to the platform by hand, with answers that are bounded in bytes and time.
 *
 * @module
 */

import type { PlatformUser } from "./by_hand.ts";
import { platform } from "./platform.ts";

const maxBytes = 8 * 1024 * 1024;
const timeout = 10_000;

/** Sends a request, as `fetch` does. */
export type Send = (url: string, init: RequestInit) => Promise<Response>;

/** Sends a request, and returns the JSON object of its answer. */
export async function requestJson(
  send: Send,
  url: string,
  init: RequestInit,
): Promise<Record<string, unknown>> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), timeout);
  try {
    const { signal } = controller;
    const response = await send(url, { ...init, signal, redirect: "manual" });
    const text = await readText(response);
    if (response.status !== 200) throw new Error(`The platform answered ${response.status}`);
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null) throw new Error("The answer is no object");
    return value as Record<string, unknown>;
  } finally {
    clearTimeout(timer);
  }
}

/** Reads the person whom a token belongs to. */
export async function readUser(send: Send, accessToken: string): Promise<PlatformUser> {
  const user = await requestJson(send, `${platform.apiUrl}/users/@me`, {
    headers: { authorization: `Bearer ${accessToken}`, accept: "application/json" },
  });
  const { id, username, global_name, avatar } = user;
  if (typeof id !== "string" || !/^\d{1,20}$/.test(id) || typeof username !== "string") {
    throw new Error("The answer has no person");
  }
  return {
    id,
    username,
    global_name: typeof global_name === "string" ? global_name : null,
    avatar: typeof avatar === "string" ? avatar : null,
  };
}

async function readText(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) throw new Error("The answer is too long");
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
