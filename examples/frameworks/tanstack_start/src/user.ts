/**
 * The server function that reads the user of a session in TanStack Start.
 *
 * @module
 */

import { createServerFn } from "@tanstack/react-start";
import {
  getRequest,
  setResponseHeader,
} from "@tanstack/react-start/server";
import { getLogin } from "./login.server";

export const getUser = createServerFn().handler(async () => {
  setResponseHeader("cache-control", "no-store");
  try {
    const session = await getLogin().session(getRequest());
    return session && { username: session.user.username };
  } catch (error) {
    console.error(error);
    throw new Error("The session can't be read");
  }
});
