/**
 * A Next page for people who are logged in by NextAuth.js, with Discord, or both.
 *
 * @module
 */

import { env } from "node:process";
import { headers } from "next/headers";
import { getServerSession } from "next-auth";
import { authOptions } from "@/auth";
import { getLogin } from "@/login";

export default async function Page() {
  const request = new Request(env.DISCORD_REDIRECT_URI ?? "", {
    headers: await headers(),
  });
  const discord = await getLogin().session(request);
  const other = await getServerSession(authOptions);
  const names = {
    discord: discord?.user.username ?? null,
    other: other?.user?.name ?? null,
  };
  return <p>{JSON.stringify(names)}</p>;
}
