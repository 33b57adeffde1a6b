import { User } from "@guildpass/sdk";
import type { ReactNode } from "react";

/** Reads at each visit: the build does not wait for the platform, which it can't reach. */
export default async function Page(): Promise<ReactNode> {
  const bot = await new User("b0t", { tokenType: "Bot" }).getCurrentUser();
  return <p>{bot.username}</p>;
}
