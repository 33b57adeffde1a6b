/**
 * A page that shows the Discord id in either session, and the name in the session of NextAuth.js.
 *
 * @module
 */

import { env } from "node:process";
import { headers } from "next/headers";
import type { ReactNode } from "react";
import { auth } from "@/auth";
import { discordIdOf } from "@/either";

export default async function Page(): Promise<ReactNode> {
  const request = new Request(env.DISCORD_REDIRECT_URI ?? "", { headers: await headers() });
  const id = await discordIdOf(request) ?? null;
  const other = await auth();
  return <p>{JSON.stringify([id, other?.user?.name ?? null])}</p>;
}
