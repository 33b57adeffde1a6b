/**
 * Opens the page of the guide to pages without a bundler in real browsers, with the file of the packed package and the guide's content
 * security policy.
 *
 * @module
 */

import { pageFile } from "../../../scripts/bundle_page_file.ts";
import { type BrowserName, openBrowser } from "../../support/browsers.ts";
import type { Project } from "./project.ts";

const link =
  "https://discord.com/oauth2/authorize?client_id=1024000000000000000&scope=bot&permissions=3072";

/**
 * Opens the page, and waits for its link.
 *
 * @throws {Error} If the link is wrong, or if the page needs more than the guide allows.
 */
export async function openPageOfGuide(name: BrowserName, project: Project): Promise<string> {
  await using site = await serveGuide(project);
  const page = await openBrowser(name);
  try {
    await page.goto(`${site.origin}/`);
    const found = await page.execute(`
      const invite = document.querySelector("#invite");
      return new Promise((resolve) => {
        const look = () => invite.href ? resolve(invite.href) : setTimeout(look, 20);
        look();
        setTimeout(resolve, 60_000, "no link");
      });`);
    if (found !== link) throw new Error(`The page has ${found}, and not ${link}`);
  } finally {
    await page.close();
  }
  return `${site.requested.size} files`;
}

/** Serves the blocks of the guide, and the file of the package as the guide names it. */
async function serveGuide(
  { directory }: Project,
): Promise<AsyncDisposable & { origin: string; requested: ReadonlySet<string> }> {
  const guide = await Deno.readTextFile(
    new URL("../../../docs/pages_without_a_bundler.md", import.meta.url),
  );
  const block = (language: string) =>
    new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, "ms").exec(guide)?.[1] ?? "";
  const [name = "", policy = ""] = block("http").trim().split(": ");
  const files = new Map([
    ["/", { type: "text/html", body: block("html") }],
    ["/invite.js", { type: "text/javascript", body: block("js") }],
    ["/guildpass.js", {
      type: "text/javascript",
      body: await Deno.readTextFile(`${directory}/node_modules/@guildpass/sdk/${pageFile}`),
    }],
  ]);
  const requested = new Set<string>();
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, (request) => {
    const { pathname } = new URL(request.url);
    const file = files.get(pathname);
    if (!file) return new Response(null, { status: 404 });
    requested.add(pathname);
    return new Response(file.body, { headers: { "content-type": file.type, [name]: policy } });
  });
  return {
    origin: `http://127.0.0.1:${server.addr.port}`,
    requested,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}
