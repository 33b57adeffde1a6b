/**
 * A Next page for people who are logged in.
 *
 * @module
 */

import { env } from "node:process";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { getLogin } from "@/login";

export default async function Page() {
  const request = new Request(env.DISCORD_REDIRECT_URI ?? "", { headers: await headers() });
  const session = await getLogin().session(request);
  if (!session) redirect("/api/auth/login?returnTo=/");
  return <p>{`Hello, ${session.user.username}`}</p>;
}
