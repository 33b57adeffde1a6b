// @vitest-environment happy-dom
/// <reference lib="dom" />

import { build, type Plugin } from "esbuild";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { compile } from "svelte/compiler";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

const guide = readFileSync("../../../docs/sessions.md", "utf8");

/** Returns the only code block of the guide with a language and a text. */
function blockOf(language: string, text: string): string {
  const blocks = [...guide.matchAll(/^```(\w+)\n([^]*?)^```$/gm)]
    .filter(([, name, code = ""]) => name === language && code.includes(text));
  expect(blocks).toHaveLength(1);
  return blocks[0]?.[2] ?? "";
}

/** The modules that each page imports, by name. */
const modules: Readonly<Record<string, string>> = {
  "./session.ts": blockOf("ts", "// session.ts"),
  "./use_session.tsx": blockOf("tsx", "useSyncExternalStore"),
  "./use_vue_session.js": blockOf("js", "shallowRef"),
  "./use_solid_session.js": blockOf("js", "solid-js"),
  "./account.svelte": blockOf("svelte", "$session"),
};

/** The script that shows the account in an element, for each framework. */
const pages = {
  React: `import { createElement, StrictMode } from "react";
    import { createRoot } from "react-dom/client";
    import { Account } from "./use_session.tsx";
    createRoot(root).render(createElement(StrictMode, null, createElement(Account)));`,
  Svelte: `import { mount } from "svelte";
    import Account from "./account.svelte";
    mount(Account, { target: root });`,
  Vue: `import { createApp, h } from "vue";
    import { session } from "./session.ts";
    import { useSession } from "./use_vue_session.js";
    createApp({
      setup() {
        const state = useSession();
        return () => {
          const { status, user } = state.value;
          if (status === "logged_out") return h("button", "Log in with Discord");
          if (user) return h("button", { onClick: () => session.logOut() }, "Log out " + user.username);
        };
      },
    }).mount(root);`,
  Solid: `import { createEffect, createRoot } from "solid-js";
    import { session } from "./session.ts";
    import { useSession } from "./use_solid_session.js";
    createRoot(() => {
      const state = useSession();
      createEffect(() => {
        const { status, user } = state();
        root.innerHTML = "<button></button>";
        root.firstChild.textContent = user ? "Log out " + user.username :
          status === "logged_out" ? "Log in with Discord" : "";
        root.firstChild.onclick = () => session.logOut();
      });
    });`,
};

const sources: Plugin = {
  name: "the code blocks of the guide",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^\.\// }, ({ path }) => {
      return path in modules ? { path, namespace: "guide" } : undefined;
    });
    onResolve({ filter: /^@guildpass\/sdk\/browser$/ }, () => {
      return { path: resolve("../../../src/browser/mod.ts") };
    });
    onLoad({ filter: /./, namespace: "guide" }, ({ path }) => {
      const code = modules[path] ?? "";
      const isSvelte = path.endsWith(".svelte");
      return {
        contents: isSvelte ? compile(code, { generate: "client" }).js.code : code,
        loader: isSvelte ? "js" : path.endsWith("x") ? "tsx" : "ts",
        resolveDir: ".",
      };
    });
  },
};

/** Bundles the script of a page. */
async function bundle(contents: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: resolve(".") },
    bundle: true,
    write: false,
    jsx: "automatic",
    conditions: ["browser"],
    define: {
      "process.env.NODE_ENV": '"development"',
      __VUE_OPTIONS_API__: "false",
      __VUE_PROD_DEVTOOLS__: "false",
      __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: "false",
    },
    plugins: [sources],
    logLevel: "error",
  });
  return outputFiles[0]?.text ?? "";
}

let requests: string[];

beforeEach(() => {
  Reflect.get(globalThis, "happyDOM").setURL("https://app.example/");
  requests = [];
  vi.stubGlobal("BroadcastChannel", undefined); // the tests are not tabs of one browser
  vi.stubGlobal("fetch", ({ url, method }: Request) => {
    requests.push(`${method} ${new URL(url).pathname}`);
    const user = { username: "ada" };
    const session = { user, scopes: ["identify"], endsAt: Date.now() + 60_000 };
    return Promise.resolve(
      method === "POST" ? new Response(null, { status: 204 }) : Response.json(session),
    );
  });
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test.each(Object.entries(pages))(
  "A page with %s shows who is logged in, and logs out",
  async (_, page) => {
    const complain = vi.spyOn(console, "error");
    const warn = vi.spyOn(console, "warn");
    const root = document.createElement("main");
    document.body.replaceChildren(root);
    new Function("root", await bundle(page))(root);
    await expect.poll(() => root.textContent).toBe("Log out ada");
    expect(requests).toEqual(["GET /session"]);
    root.querySelector("button")?.click();
    await expect.poll(() => root.textContent).toBe("Log in with Discord");
    expect(requests).toEqual(["GET /session", "POST /logout"]);
    expect([complain.mock.calls, warn.mock.calls]).toEqual([[], []]);
  },
);
