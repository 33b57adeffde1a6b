/**
 * The platform: it answers the exchange of a code, and the request for the user. Each code leads to another token and another
 * person.
 *
 * @module
 */

/** The settings of the application at the platform, which all Workers share. */
export const application = {
  clientId: "1024000000000000000",
  clientSecret: "Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4",
  redirectUri: "https://app.example/callback",
  scope: ["identify", "guilds"],
} as const;

/** The secret that encrypts cookies. */
export const cookieSecret = "3q2+7wABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhs=";

/** The addresses of the platform. */
export const platform = {
  authorizeUrl: "https://discord.com/oauth2/authorize",
  apiUrl: "https://discord.com/api/v10",
} as const;

/** Answers a request. */
export async function answerRequest(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  if (pathname.endsWith("/oauth2/token")) return await tokenResponse(request);
  if (pathname.endsWith("/users/@me")) return userResponse(request);
  return jsonResponse({ message: "404: Not Found", code: 0 }, 404);
}

async function tokenResponse(request: Request): Promise<Response> {
  const form = new URLSearchParams(await request.text());
  const code = form.get("code") ?? "";
  if (!code.startsWith("code-") || !form.get("code_verifier")) {
    return jsonResponse({ error: "invalid_grant" }, 400);
  }
  const number = code.slice("code-".length);
  return jsonResponse({
    token_type: "Bearer",
    access_token: `access${number.padStart(24, "0")}`,
    expires_in: 604800,
    refresh_token: `refresh${number.padStart(23, "0")}`,
    scope: "identify guilds",
  });
}

function userResponse(request: Request): Response {
  const token = request.headers.get("authorization") ?? "";
  const number = Number(token.slice(-12));
  if (!token.startsWith("Bearer access")) {
    return jsonResponse({ message: "401: Unauthorized" }, 401);
  }
  return jsonResponse({
    id: String(1024000000000000000n + BigInt(number) * 4194304n),
    username: `person_${number}`,
    discriminator: "0",
    global_name: `Person ${number}`,
    avatar: "a_9e107d9d372bb6826bd81d3542a419d6",
    mfa_enabled: true,
    banner: null,
    accent_color: 16711680,
    locale: "en-US",
    flags: 64,
    premium_type: 1,
    public_flags: 64,
    avatar_decoration_data: null,
    clan: null,
    primary_guild: null,
    collectibles: null,
    banner_color: "#ff0000",
  });
}

/** The headers of every answer. */
export const headers: Readonly<Record<string, string>> = {
  "content-type": "application/json",
  "x-ratelimit-bucket": "80c17d2f203122d936070c88c8d10f33",
  "x-ratelimit-limit": "1000",
  "x-ratelimit-remaining": "999",
  "x-ratelimit-reset-after": "1.000",
};

function jsonResponse(value: unknown, status = 200): Response {
  return new Response(JSON.stringify(value), { status, headers });
}
