/**
 * The server function that reads the user of a session in SolidStart.
 *
 * @module
 */

import { query } from "@solidjs/router";
import { getRequestEvent } from "solid-js/web";
import { getLogin } from "./login.server";

export const getUser = query(async () => {
  "use server";
  const event = getRequestEvent();
  event?.response.headers.set("cache-control", "no-store");
  try {
    const session = event && await getLogin().session(event.request);
    return session ? { username: session.user.username } : null;
  } catch (error) {
    console.error(error);
    if (event) event.response.status = 500;
    throw new Error("The session can't be read");
  }
}, "user");
