/**
 * The routes of a React Router application with a login. One file handles the three paths of the login.
 *
 * @module
 */

import {
  index,
  route,
  type RouteConfig,
} from "@react-router/dev/routes";

const login = (path: string) =>
  route(path, "routes/login.ts", { id: path });

export default [
  index("routes/home.tsx"),
  route("members", "routes/members.tsx"),
  route("api/me", "routes/me.ts"),
  route("bye", "routes/bye.tsx"),
  ...["login", "callback", "logout"].map(login),
] satisfies RouteConfig;
