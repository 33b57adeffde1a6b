/**
 * A TanStack Start page with a button to log in or out.
 *
 * @module
 */

import { createFileRoute } from "@tanstack/react-router";
import { getUser } from "../user";

export const Route = createFileRoute("/")({
  loader: () => getUser(),
  component: Home,
});

function Home() {
  const user = Route.useLoaderData();
  if (!user) return <a href="/api/auth/login">Log in</a>;
  return (
    <form method="post" action="/api/auth/logout">
      {`Hello, ${user.username}`} <button type="submit">Log out</button>
    </form>
  );
}
