import { expect, test } from "vitest";
import { knownScopes } from "../src/links/scopes.ts";
import { permissionNames } from "../src/permissions/names.ts";
import { openEditor } from "./support/editor.ts";

const editor = openEditor(`
import { AuthUrl, Bot, Permissions, PlatformApi } from "../mod.ts";
new AuthUrl("1", ["identify", "brand.new"], "");
new Bot("1", 8, { scope: ["brand.new"] });
new PlatformApi("1", "s", ["guilds", "brand.new"], null).clientCredentials(["email", "brand.new"]);
new Permissions(["connect"]);
new Permissions({});
new Permissions("8" as string);
`);

test("An editor offers the known scopes of a link and of a token, and other scopes compile", () => {
  const scopes = [...knownScopes].sort();
  expect(editor.completionsAfter('new AuthUrl("1", ["')).toEqual(scopes);
  expect(editor.completionsAfter('scope: ["')).toEqual(scopes);
  expect(editor.completionsAfter('new PlatformApi("1", "s", ["')).toEqual(scopes);
  expect(editor.completionsAfter('clientCredentials(["')).toEqual(scopes);
  expect(editor.errors).toEqual([]);
});

test("An editor shows the user of a SessionClient, and not the options of its Login", () => {
  const typing = openEditor(`
    import { SessionClient } from "../src/browser/mod.ts";
    import { Login } from "../src/login/mod.ts";
    const plain = new SessionClient({ url: "/session" });
    export const { state, enter } = plain;
    const login = new Login({
      clientId: "1",
      clientSecret: null,
      scope: ["identify"],
      secret: "s3cret",
      sessionPath: "/session",
      publicUser: ({ username }) => username,
    });
    export const own = new SessionClient<typeof login>({ url: "/session" }).state;
  `);
  expect(typing.hover("const plain").type).toBe("const plain: SessionClient<DefaultLogin>");
  expect(typing.hover("{ state").type).toBe("const state: SessionState<SessionUser>");
  expect(typing.hover("state, enter").type).toBe("const enter: Enter<SessionUser>");
  expect(typing.hover("const own").type).toBe("const own: SessionState<string>");
});

test("An editor offers the names of permissions in a list and in a dictionary", () => {
  const names = permissionNames.filter((name) => name !== null);
  expect(editor.completionsAfter('new Permissions(["')).toEqual(expect.arrayContaining(names));
  expect(editor.completionsAfter("new Permissions({")).toEqual(expect.arrayContaining(names));
});

test("An editor shows over a constructor what it creates", () => {
  expect(editor.hover("new AuthUrl").text).toMatch(/^Creates an authorization link/);
  expect(editor.hover("new Bot").text).toMatch(/^Creates an invitation link/);
  expect(editor.hover("new Permissions").text).toMatch(/^Creates a permission set/);
});
