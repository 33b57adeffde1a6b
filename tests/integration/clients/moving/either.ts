// deno-lint-ignore-file explicit-module-boundary-types
// either.ts
import { env } from "node:process";
import { getToken } from "next-auth/jwt";
import { getLogin } from "@/login"; // outside Next: "./login.ts"

const secret = env.AUTH_SECRET;
// Without HTTPS: "authjs.session-token"
const cookieName = "__Secure-authjs.session-token";

export async function discordIdOf(req: Request) {
  const session = await getLogin().session(req);
  if (session) return session.user.id;
  const old = await getToken({ req, secret, cookieName });
  return old?.discordId as string | undefined;
}

/** Also ends the old session at a logout. */
export async function handle(req: Request) {
  const response = await getLogin().handle(req);
  // A page's form gets a 303, and a script a 204.
  const isLogout = req.method === "POST" && response &&
    [204, 303].includes(response.status);
  if (isLogout) {
    for (const text of req.headers.get("cookie")?.split(/; */) ?? []) {
      const [name = ""] = text.split("=");
      // Auth.js splits long cookies: `.0`, `.1` …
      if (`${name}.`.startsWith(`${cookieName}.`)) {
        const gone = `${name}=; Max-Age=0; Path=/; Secure`;
        response.headers.append("set-cookie", gone);
      }
    }
  }
  return response;
}
