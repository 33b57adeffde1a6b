/**
 * Collects the fake platform's routes, and finds the route of a request.
 *
 * Each file of endpoints or pages has its own table. Add a new endpoint to the table in its file, and the table of a new file
 * here.
 *
 * @module
 */

import { commandPermissionRoutes } from "./endpoints/command_permissions.ts";
import { commandRoutes } from "./endpoints/commands.ts";
import { deviceRoutes } from "./endpoints/device.ts";
import { discoveryRoutes } from "./endpoints/discovery.ts";
import { guildRoutes } from "./endpoints/guilds.ts";
import { oauthRoutes } from "./endpoints/oauth.ts";
import { openIdRoutes } from "./endpoints/openid.ts";
import { roleConnectionRoutes } from "./endpoints/role_connections.ts";
import { storeRoutes } from "./endpoints/store.ts";
import { userRoutes } from "./endpoints/users.ts";
import type { Handler, Routes } from "./http/call.ts";
import { activateRoutes } from "./pages/activate.ts";
import { authorizeRoutes } from "./pages/authorize.ts";

/** The routes below the API's base. */
export const apiRoutes: Routes = {
  ...oauthRoutes,
  ...deviceRoutes,
  ...openIdRoutes,
  ...userRoutes,
  ...guildRoutes,
  ...roleConnectionRoutes,
  ...storeRoutes,
  // The first matching route counts: "permissions" is not the id of a command.
  ...commandPermissionRoutes,
  ...commandRoutes,
};

/** The routes outside the API: the consent page, the activation page and the discovery documents. */
export const siteRoutes: Routes = {
  ...authorizeRoutes,
  ...activateRoutes,
  ...discoveryRoutes,
};

/** The route of a path. */
export interface RouteMatch {
  readonly template: string;
  readonly methods: Readonly<Record<string, Handler>>;
  readonly params: Readonly<Record<string, string>>;
}

/** Finds the first route with a matching template. A name in braces matches any one segment. */
export function findRoute(routes: Routes, path: string): RouteMatch | null {
  const decoded = decodePath(path);
  for (const [template, methods] of Object.entries(routes)) {
    const pattern = template.replaceAll(".", "\\.").replaceAll(/\{(\w+)\}/g, "(?<$1>[^/]+)");
    const match = new RegExp(`^${pattern}$`).exec(decoded);
    if (match !== null) return { template, methods, params: { ...match.groups } };
  }
  return null;
}

/** Returns the routes of the API, each as a method and a path template. */
export function apiRouteNames(): string[] {
  return Object.entries(apiRoutes).flatMap(([template, methods]) =>
    Object.keys(methods).map((method) => `${method} ${template}`)
  );
}

/** Decodes a path, since clients may write `@me` as `%40me`. An invalid path stays as it is. */
function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
