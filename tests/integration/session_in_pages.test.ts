import { afterAll, afterEach, beforeEach, expect, test, vi } from "vitest";
import { Window } from "happy-dom";
import type { SessionClient } from "../../src/browser/mod.ts";
import { documentOf, removeBlocks, runBlock } from "../support/doc_blocks.ts";

const { blockWith, blocks } = documentOf("docs/sessions.md");
const page = "https://app.example/";
const session = { user: { username: "ada" }, scopes: ["identify"], endsAt: Date.now() + 60_000 };

/** The response of the server. */
let respond: (url: string) => Response;

beforeEach(() => {
  const window = new Window({ url: page });
  vi.stubGlobal("document", window.document);
  vi.stubGlobal("location", window.location);
  vi.stubGlobal("BroadcastChannel", undefined); // the tests are not tabs of one browser
  vi.stubGlobal("addEventListener", window.addEventListener.bind(window));
  respond = () => Response.json(session);
  vi.stubGlobal("fetch", (input: Request | URL) => {
    return Promise.resolve(respond(input instanceof Request ? input.url : String(input)));
  });
});

afterEach(() => vi.unstubAllGlobals());
afterAll(removeBlocks);

const isHidden = (id: string) => document.getElementById(id)?.hidden;

test("The script of a plain page shows each status, logs out, and reports a failure", async () => {
  const ids = ["name", "login", "logout", "retry"];
  document.body.innerHTML = ids.map((id) => `<p id="${id}"></p>`).join("");
  await runBlock(blockWith("// session.ts"));
  let open = () => {};
  const opened = new Promise<void>((resolve) => open = resolve);
  const { fetch } = globalThis;
  vi.stubGlobal("fetch", (url: URL) => opened.then(() => fetch(url)));
  await runBlock(blockWith("// page.ts"));
  expect([isHidden("login"), isHidden("logout"), isHidden("retry")]).toEqual([true, true, true]);
  open();
  const name = document.getElementById("name");
  await expect.poll(() => name?.textContent).toBe("ada");
  expect([isHidden("login"), isHidden("logout"), isHidden("retry")]).toEqual([true, false, true]);
  respond = (url) => url.endsWith("/session") ? Response.json(session) : new Response(null);
  document.getElementById("logout")?.click();
  await expect.poll(() => name?.textContent).toBe("You are still logged in: try again");
  respond = () => new Response(null, { status: 204 });
  document.getElementById("logout")?.click();
  await expect.poll(() => isHidden("login")).toBe(false);
  expect([name?.textContent, isHidden("logout")]).toEqual(["", true]);
  document.getElementById("retry")?.click();
  await expect.poll(() => isHidden("retry")).toBe(false);
  const assign = vi.spyOn(location, "assign").mockReturnValue();
  document.getElementById("login")?.click();
  const [[address] = []] = assign.mock.calls;
  expect(String(address)).toBe(`${page}login?returnTo=${encodeURIComponent(page)}`);
});

test.each([
  [JSON.stringify(session), "logged_in"],
  ["null", "logged_out"],
  [null, "unknown"],
])("A page with the first state %s is %s", async (json, status) => {
  document.body.innerHTML = json === null
    ? ""
    : `<script type="application/json" id="session">${json}</script>`;
  const block = blockWith("// first_state.ts");
  const file = block.file.replace(".ts", `_${status}.ts`);
  const { session } = await runBlock<{ session: SessionClient }>({ ...block, file });
  expect(session.state.status).toBe(status);
});

test("The request for things sends a path of the server", async () => {
  await runBlock(blockWith("// session.ts"));
  const { things } = await runBlock<{ things(): Promise<string[]> }>(blockWith("// things.ts"));
  respond = (url) => Response.json([url]);
  expect(await things()).toEqual([`${page}api/things`]);
  respond = () => new Response(null, { status: 500 });
  await expect(things()).rejects.toThrow("500");
});

test("A frontend reads the session from the API", async () => {
  const { session } = await runBlock<{ session: SessionClient }>(
    blockWith("// frontend_session.ts"),
  );
  respond = (url) => Response.json({ ...session, user: url, scopes: [], endsAt: 1e15 });
  expect((await session.refresh()).user).toBe("https://api.site.example/session");
  expect(blocks).toHaveLength(10);
});
