/**
 * A Next page for people who are logged in.
 *
 * @module
 */

import { env } from "node:process";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { getLogin } from "@/login";

export const instant = false; // Only with `cacheComponents`: the page waits for the session.

export default async function Page() {
  // The order matters: `await headers()` ends a build without secrets here, before `getLogin()`.
  const request = new Request(env.DISCORD_REDIRECT_URI ?? "", { headers: await headers() });
  const session = await getLogin().session(request);
  if (!session) redirect("/api/auth/login?returnTo=/members");
  return <p>{`Hello, ${session.user.username}`}</p>;
}
