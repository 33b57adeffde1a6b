/**
 * A TanStack Start page for logged-in people, and the page that replaces it after an error.
 *
 * @module
 */

import { createFileRoute, redirect } from "@tanstack/react-router";
import { getUser } from "../user";

export const Route = createFileRoute("/members")({
  loader: async ({ location }) => {
    const user = await getUser();
    const href = `/api/auth/login?returnTo=${
      encodeURIComponent(location.href)
    }`;
    if (!user) throw redirect({ href, reloadDocument: true });
    return user;
  },
  component: () => <p>{`Hello, ${Route.useLoaderData().username}`}</p>,
  errorComponent: () => <p>This page does not work at the moment</p>,
});
