/**
 * A Next page for people who are logged in.
 *
 * @module
 */

import { env } from "node:process";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { getLogin } from "@/login";

export const instant = false; // only with `cacheComponents`

export default async function Page() {
  // First headers(): a build without secrets ends here.
  const request = new Request(env.DISCORD_REDIRECT_URI ?? "", {
    headers: await headers(),
  });
  const session = await getLogin().session(request);
  if (!session) redirect("/api/auth/login?returnTo=/members");
  return <p>{`Hello, ${session.user.username}`}</p>;
}
