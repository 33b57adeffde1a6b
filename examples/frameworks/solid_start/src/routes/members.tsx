/**
 * A SolidStart page for logged-in people, and the text that replaces it after an error.
 *
 * @module
 */

import { createAsync, query, redirect } from "@solidjs/router";
import { env } from "node:process";
import { ErrorBoundary } from "solid-js";
import { getUser } from "../user";

const getMember = query(async () => {
  "use server";
  const login = new URL(
    "/api/auth/login?returnTo=/members",
    env.DISCORD_REDIRECT_URI,
  );
  return await getUser() ?? redirect(login.href);
}, "member");

export default function Members() {
  const user = createAsync(() => getMember(), { deferStream: true });
  return (
    <ErrorBoundary
      fallback={<p>This page does not work at the moment</p>}
    >
      <p>{`Hello, ${user()?.username}`}</p>
    </ErrorBoundary>
  );
}
