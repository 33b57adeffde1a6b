/**
 * A React Router page for logged-in people, and the page that replaces it after an error.
 *
 * @module
 */

import { redirectDocument } from "react-router";
import { getLogin } from "../login.server";
import type { Route } from "./+types/members";

export const headers = () => ({ "cache-control": "no-store" });

export async function loader({ request }: Route.LoaderArgs) {
  const session = await getLogin().session(request);
  if (!session) throw redirectDocument("/login?returnTo=/members");
  return { username: session.user.username };
}

export default function Members({ loaderData }: Route.ComponentProps) {
  return <p>{`Hello, ${loaderData.username}`}</p>;
}

export const ErrorBoundary = () => (
  <p>This page does not work at the moment</p>
);
