/**
 * A React Router page with a button to log in or out.
 *
 * @module
 */

import { getLogin } from "../login.server";
import type { Route } from "./+types/home";

export const headers = () => ({ "cache-control": "no-store" });

export async function loader({ request }: Route.LoaderArgs) {
  const session = await getLogin().session(request);
  return { username: session?.user.username };
}

export default function Home(
  { loaderData: { username } }: Route.ComponentProps,
) {
  if (!username) return <a href="/login">Log in</a>;
  return (
    <form method="post" action="/logout">
      {`Hello, ${username}`} <button type="submit">Log out</button>
    </form>
  );
}
