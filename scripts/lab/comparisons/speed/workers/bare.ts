/**
 * A Worker with the least that a callback can do, and none of the checks of a login: it derives a key by HKDF, exchanges the code,
 * reads the user, and seals the session with AES-GCM.
 *
 * @module
 */

import { toBase64Url, type Worker } from "./by_hand.ts";
import { application, cookieSecret, platform } from "./platform.ts";

/** The Worker. */
const worker: Worker = {
  async fetch(request) {
    const code = new URL(request.url).searchParams.get("code") ?? "";
    const exchange = await fetch(`${platform.apiUrl}/oauth2/token`, {
      method: "POST",
      headers: {
        authorization: `Basic ${btoa(`${application.clientId}:${application.clientSecret}`)}`,
      },
      body: new URLSearchParams({
        grant_type: "authorization_code",
        code,
        redirect_uri: application.redirectUri,
        code_verifier: "a".repeat(43),
      }),
    });
    const token = await exchange.json() as { readonly access_token: string };
    const response = await fetch(`${platform.apiUrl}/users/@me`, {
      headers: { authorization: `Bearer ${token.access_token}` },
    });
    const { id, username } = await response.json() as Record<string, unknown>;
    const cookie = await seal({ id, username });
    return new Response(null, {
      status: 302,
      headers: { location: "https://app.example/shop", "set-cookie": `session=${cookie}` },
    });
  },
};

let key: CryptoKey | undefined;

async function seal(value: unknown): Promise<string> {
  key ??= await deriveKey();
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const text = new TextEncoder().encode(JSON.stringify(value));
  const sealed = await crypto.subtle.encrypt({ name: "AES-GCM", iv }, key, text);
  return toBase64Url(new Uint8Array([...iv, ...new Uint8Array(sealed)]));
}

async function deriveKey(): Promise<CryptoKey> {
  const secret = new TextEncoder().encode(cookieSecret);
  const material = await crypto.subtle.importKey("raw", secret, "HKDF", false, ["deriveKey"]);
  const info = new TextEncoder().encode("cookies");
  const hkdf = { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info };
  return await crypto.subtle.deriveKey(hkdf, material, { name: "AES-GCM", length: 256 }, false, [
    "encrypt",
  ]);
}

export default worker;
