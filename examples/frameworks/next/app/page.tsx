/**
 * A Next page with a button to log in or out.
 *
 * @module
 */

import { env } from "node:process";
import { headers } from "next/headers";
import { getLogin } from "@/login";

export const instant = false; // only with `cacheComponents`

export default async function Page() {
  // First headers(): a build without secrets ends here.
  const request = new Request(env.DISCORD_REDIRECT_URI ?? "", {
    headers: await headers(),
  });
  const session = await getLogin().session(request);
  if (!session) return <a href="/api/auth/login">Log in</a>;
  return (
    <form method="post" action="/api/auth/logout">
      {`Hello, ${session.user.username}`}{" "}
      <button type="submit">Log out</button>
    </form>
  );
}
