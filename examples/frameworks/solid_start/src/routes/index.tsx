/**
 * A SolidStart page with a button to log in or out.
 *
 * @module
 */

import { createAsync } from "@solidjs/router";
import { Show } from "solid-js";
import { getUser } from "../user";

export default function Home() {
  const user = createAsync(() => getUser(), { deferStream: true });
  return (
    <Show
      when={user()}
      fallback={<a href="/api/auth/login" rel="external">Log in</a>}
    >
      {(user) => (
        <form method="post" action="/api/auth/logout">
          {`Hello, ${user().username}`}{" "}
          <button type="submit">Log out</button>
        </form>
      )}
    </Show>
  );
}
