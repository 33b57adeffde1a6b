import { describe, expect, test } from "vitest";
import { openEditor } from "../support/editor.ts";

const program = `
  import { Login, MemoryStore } from "../mod.ts";
  declare const isServer: boolean;
  const application = { clientId: "1", clientSecret: null, secret: "s3cret" };
  const login = new Login({
    ...application,
    scope: ["identify", "guilds"],
    store: isServer ? new MemoryStore() : undefined,
  });
  const session = await login.session(new Request("https://app.example/"));
  const token = session!.token;
  const keeping = new Login({
    ...application,
    scope: ["identify"],
    keepToken: isServer ? true : undefined,
  });
  const kept = (await keeping.session(new Request("https://app.example/")))!.token;
  await login.start(new Request("https://app.example/"), { scope: ["connections"] });
  const mayReadEmail = session!.has("email");
  export { kept, mayReadEmail, token };
`;

// On a busy machine, the first test waits long for the compiler.
describe("An editor", { timeout: 120_000 }, () => {
  test("completes the known scopes of a login", () => {
    const typing = openEditor(program.replace('"guilds"', '""'));
    const offered = typing.completionsAfter('scope: ["identify", "');
    expect(offered).toContain("identify");
    expect(offered).toContain("guilds.members.read");
  });

  test("completes the known scopes of a further consent", () => {
    const typing = openEditor(program.replace('"connections"', '""'));
    expect(typing.completionsAfter('{ scope: ["')).toContain("role_connections.write");
  });

  test("completes the known scopes in has() of a session", () => {
    const typing = openEditor(program.replace('"email"', '""'));
    expect(typing.completionsAfter('has("')).toContain("role_connections.write");
  });

  test("completes the known scopes of a link, a bot and a PlatformApi", () => {
    const typing = openEditor(`
      import { AuthUrl, Bot, PlatformApi } from "../mod.ts";
      new AuthUrl("1", [""], null);
      new Bot("1", 8, { scope: [""] });
      new PlatformApi("1", null, [""], null);
    `);
    expect(typing.completionsAfter('AuthUrl("1", ["')).toContain("role_connections.write");
    expect(typing.completionsAfter('{ scope: ["')).toContain("role_connections.write");
    expect(typing.completionsAfter('null, ["')).toContain("role_connections.write");
  });

  test("completes the known scopes of a token of the fake platform, and names a misspelled one", () => {
    const typing = openEditor(`
      import { createFakePlatform } from "../src/testing/mod.ts";
      const fake = createFakePlatform();
      fake.issueToken({ scopes: ["guilds", ""] });
      fake.issueToken({ scopes: ["identfy"] });
      fake.issueToken({ scopes: ["identify", "of.my.platform"] });
      fake.issueToken({ scopes: "guilds connections".split(" ") });
    `);
    expect(typing.completionsAfter('["guilds", "')).toContain("role_connections.write");
    expect(typing.errors).toEqual([
      `Type '"identfy"' is not assignable to type '"identify" & Scope'. Did you mean '"identify"'?`,
    ]);
  });

  test("shows the text and the example of the class over new Login", () => {
    const { text } = openEditor(program).hover("new Login");
    expect(text).toMatch(/^Logs users in with Discord/);
    expect(text).toContain("await login.handle(request)");
  });

  test("shows the text of each method", () => {
    const { text } = openEditor(program).hover("await login.session");
    expect(text).toMatch(/^Returns the session of a request/);
  });

  test("shows the type of the session over session()", () => {
    expect(openEditor(program).hover("await login.session").type)
      .toMatch(
        /: Promise<Session<SessionUser, TokenSource<.+> \| null, .+> \| null>$/,
      );
  });

  test("accepts a login in its own onError, if the function has a return type", () => {
    const editor = openEditor(`
      import { Login } from "../mod.ts";
      const application = { clientId: "1", clientSecret: null, secret: "s3cret", scope: ["identify"] } as const;
      export const login = new Login({
        ...application,
        async onError(_error, request): Promise<Response> {
          const session = await login.session(request);
          return new Response(session ? "Not added" : "Not logged in", { status: 400 });
        },
      });
      export const untyped = new Login({
        ...application,
        onError: async (_error, request) =>
          new Response((await untyped.session(request)) ? "Not added" : "Not logged in"),
      });
    `);
    expect(editor.errors[0]).toMatch(/^'untyped' implicitly has type 'any'/);
    expect(editor.errors.join()).not.toContain("'login'");
  });

  test("shows an option without the types of the others", () => {
    const typing = openEditor(`
      import { Login } from "../src/login/mod.ts";
      new Login({ clientId: "1", clientSecret: null, scope: ["identify"], secret: "s3cret", prompt: "none", timeout: 5 });
    `);
    expect(typing.hover("{ clientId").type)
      .toBe("(property) BaseLoginOptions.clientId: ClientId");
    expect(typing.hover("prompt").type)
      .toBe('(property) BaseLoginOptions.prompt?: "none" | "consent" | null | undefined');
    expect(typing.hover("timeout").type)
      .toBe("(property) ClientOptions.timeout?: number | null | undefined");
  });

  test("shows the state of a SessionClient without the options of its login, and rejects a change of it", () => {
    const editor = openEditor(`
      import { Login, MemoryStore } from "../mod.ts";
      import { SessionClient } from "../src/browser/mod.ts";
      const login = new Login({
        clientId: "1", clientSecret: null, secret: "s3cret", scope: ["identify"],
        store: new MemoryStore(), sessionPath: "/session", publicUser: ({ id }) => ({ id }),
      });
      const client = new SessionClient<typeof login>({ url: "/session" });
      const state = client.state;
      const news = await client.refresh();
      if (state.status === "logged_in") state.user.id = "2";
      export { news };
    `);
    for (const name of ["state", "news"]) {
      expect(editor.hover(`const ${name}`).type.replace(/\s+/g, " "))
        .toBe(`const ${name}: SessionState<{ id: string; }>`);
    }
    expect(editor.errors).toEqual(["Cannot assign to 'id' because it is a read-only property."]);
  });

  test("underlines scopes without identify, and a function without JSON", () => {
    const editor = openEditor(`
      import { Login } from "../src/login/mod.ts";
      const base = { clientId: "1", clientSecret: null, secret: "s3cret" };
      new Login({ ...base, scope: ["guilds"] });
      new Login({ ...base, scope: ["identify"], sessionUser: () => ({ at: new Date() }) });
    `);
    expect(editor.underlined).toEqual(["scope", "sessionUser"]);
  });

  test("says why the api of a session in a cookie is null, where code calls it", () => {
    const editor = openEditor(`
      import { Login } from "../src/login/mod.ts";
      const login = new Login({ clientId: "1", clientSecret: null, scope: ["identify"], secret: "s3cret" });
      const session = (await login.session(new Request("https://app.example/")))!;
      export const api = session.api;
      await session.api.getCurrentUser();
      if (session.api) await session.api.getCurrentUser();
      if (session.has("guilds")) await session.api?.getUserGuilds();
    `);
    expect(editor.hover("const api").type).toBe("const api: NeedsStoreOrKeepToken | null");
    expect(editor.hover("session.api").text).toContain("set the option `store`, or `keepToken");
    expect(editor.errors.map((text) => text.split("\n")[0])).toEqual([
      "The 'this' context of type 'NeedsStoreOrKeepToken | null' is not assignable to method's 'this' of type 'UserWith<\"identify\">'.",
      "'session.api' is possibly 'null'.",
      "The 'this' context of type 'NeedsStoreOrKeepToken' is not assignable to method's 'this' of type 'UserWith<\"identify\">'.",
      "The 'this' context of type 'NeedsStoreOrKeepToken' is not assignable to method's 'this' of type 'UserWith<\"guilds\">'.",
    ]);
  });

  test.each([true, false])(
    "shows that a token may be missing where the store or keepToken may be: exactOptionalPropertyTypes %s",
    (exactOptionalPropertyTypes) => {
      const editor = openEditor(program, { exactOptionalPropertyTypes });
      expect(editor.errors).toEqual([]);
      expect(editor.hover("const token").type).toMatch(/^const token: TokenSource<[^>]+> \| null$/);
      expect(editor.hover("const kept").type).toBe('const kept: TokenObj<"identify"> | null');
    },
  );
});
