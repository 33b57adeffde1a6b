/**
 * The guides that are parts of other guides now, and the pages at their old addresses.
 *
 * @module
 */

import { siteAddress } from "./guides.ts";

/** The new place of each former guide in `docs/`. */
export const moved: Readonly<Record<string, string>> = {
  beside_other_logins: "frameworks.html#beside-other-logins",
  choosing_a_store: "stores.html#choose-one",
  deno: "frameworks.html#deno",
  error_handlers: "errors.html#error-handlers",
  fake_platform: "testing_your_app.html#on-a-port-for-browsers-and-other-languages",
  fastify: "express.html#fastify",
  glossary: "features.html#glossary",
  many_processes: "keeping_people_logged_in.html#from-one-process-to-a-hundred",
  moving_more: "moving.html",
  names: "../CONTRIBUTING.html#names",
  operations: "using_tokens.html#every-other-operation",
  own_stores: "stores.html#write-your-own-store",
  pages_without_a_bundler: "single_page_apps.html#pages-without-a-bundler",
  production_checklist: "hosts.html#before-you-go-online",
  refreshing_tokens: "keeping_people_logged_in.html",
  runtimes: "features.html#runtimes",
  session_in_pages: "sessions.html#show-who-is-logged-in",
  tour: "features.html",
  versions: "features.html#versions-and-upgrades",
  webhook_events: "logging_out.html#when-a-person-removes-your-application",
};

/** Returns a page that leads to another one. */
export function redirectPage(target: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>This page has moved</title>
<meta name="robots" content="noindex">
<link rel="canonical" href="${new URL(`docs/${target}`, siteAddress)}">
<meta http-equiv="refresh" content="0; url=${target}">
</head>
<body><main><h1>This page has moved</h1><p><a href="${target}">Go to the new page</a></p></main></body>
</html>
`;
}
