import { describe, expectTypeOf, test } from "vitest";
import {
  MemoryStore,
  PlatformApi,
  type Scope,
  type SpelledScope,
  type Store,
  type TokenObj,
  TokenSource,
  User,
  type UserObj,
} from "../../mod.ts";
import { type FinishedLogin, Login, type Session, type SessionUser } from "../../src/login/mod.ts";

const REDIRECT = "https://app.example/callback";

/** A token of a login that asked for these scopes. */
async function login<const Asked extends Scope>(
  scope: readonly SpelledScope<Asked>[] & readonly Scope[],
): Promise<TokenObj<Asked>> {
  return await new PlatformApi<Asked>("1", null, scope, REDIRECT).accessToken("c0de");
}

describe("The scopes of a login", () => {
  test("are those of its token, and of the user that is made with it", () => {
    const api = new PlatformApi("1", null, ["identify", "guilds"], REDIRECT);
    expectTypeOf(api).toEqualTypeOf<PlatformApi<"identify" | "guilds">>();
    expectTypeOf(api.accessToken).returns.resolves
      .toEqualTypeOf<TokenObj<"identify" | "guilds">>();
    const user = async () => new User(await api.accessToken("c0de"));
    expectTypeOf(user).returns.resolves.toEqualTypeOf<User<"identify" | "guilds">>();
  });

  test("are still known after a refresh", () => {
    const api = new PlatformApi("1", null, ["identify", "guilds"], REDIRECT);
    const tokens = async (token: TokenObj<"email">, unknown: TokenObj) => ({
      whole: await api.refresh(token),
      text: await api.refresh("r3fresh"),
      unknown: await api.refresh(unknown),
      device: await (await api.startDeviceLogin()).token(),
      own: await api.clientCredentials(["applications.commands.update"]),
    });
    expectTypeOf(tokens).returns.resolves.toEqualTypeOf<{
      whole: TokenObj<"email">;
      text: TokenObj<"identify" | "guilds">;
      unknown: TokenObj;
      device: TokenObj<"identify" | "guilds">;
      own: TokenObj<"applications.commands.update">;
    }>();
  });

  test("decide what compiles", () => {
    const calls = async () => {
      const user = new User(await login(["identify"]));
      await user.getCurrentUser();
      // @ts-expect-error the scope guilds was not asked for
      await user.getUserGuilds();

      const all = new User(await login(["identify", "guilds", "brand.new"]));
      await all.getCurrentUser();
      await all.getUserGuilds();

      const other = new User(await login(["guilds"]));
      await other.getUserGuilds();
      // @ts-expect-error the scope identify was not asked for
      await other.getCurrentUser();
    };
    expectTypeOf(calls).toBeFunction();
  });

  test("decide which of the other operations compile", () => {
    const calls = async () => {
      const none = new User(await login(["email"]));
      // @ts-expect-error the scope guilds was not asked for
      none.eachUserGuild();
      // @ts-expect-error the scope guilds.members.read was not asked for
      await none.getGuildMember("1");
      // @ts-expect-error the scope connections was not asked for
      await none.getConnections();
      // @ts-expect-error the scope openid was not asked for
      await none.getUserInfo();
      // @ts-expect-error the scope role_connections.write was not asked for
      await none.getRoleConnection("1");
      // @ts-expect-error the scope role_connections.write was not asked for
      await none.setRoleConnection("1", {});
      // @ts-expect-error the scope role_connections.write was not asked for
      await none.deleteRoleConnection("1");
      await none.getAuthorization();

      new User(await login(["guilds"])).eachUserGuild();
      await new User(await login(["guilds.members.read"])).getGuildMember("1");
      await new User(await login(["connections"])).getConnections();
      await new User(await login(["openid"])).getUserInfo();
      const linked = new User(await login(["role_connections.write"]));
      await linked.getRoleConnection("1");
      await linked.setRoleConnection("1", {});
      await linked.deleteRoleConnection("1");
    };
    expectTypeOf(calls).toBeFunction();
  });

  test("decide which token adds a person to a guild", () => {
    const calls = async (bot: User, text: string) => {
      await bot.addGuildMember("1", "2", { access_token: text });
      await bot.addGuildMember("1", "2", {
        access_token: await login(["identify", "guilds.join"]),
      });
      // @ts-expect-error the scope guilds.join was not asked for
      await bot.addGuildMember("1", "2", { access_token: await login(["identify"]) });
    };
    expectTypeOf(calls).toBeFunction();
  });

  test("may be others that grant the same", () => {
    const calls = async () => {
      await new User(await login(["sdk.social_layer"])).getCurrentUser();
      await new User(await login(["openid", "sdk.social_layer_presence"])).getCurrentUser();
      await new User(await login(["sdk.social_layer"])).getUserGuilds();
      new User(await login(["sdk.social_layer"])).eachUserGuild();
      // @ts-expect-error this scope has no guilds
      await new User(await login(["sdk.social_layer_presence"])).getUserGuilds();
    };
    expectTypeOf(calls).toBeFunction();
  });
});

describe("Where they are not known, everything compiles:", () => {
  test("with a token that is text", () => {
    const user = new User("t0ken");
    expectTypeOf(user).toEqualTypeOf<User>();
    expectTypeOf(() => [user.getCurrentUser(), user.getUserGuilds()]).toBeFunction();
  });

  test("with a list that is only known to have scopes", () => {
    const calls = async (scopes: Scope[], texts: readonly string[]) => {
      const user = new User(await login(scopes));
      await Promise.all([user.getCurrentUser(), user.getUserGuilds()]);
      const other = new User(await login(texts));
      await Promise.all([other.getCurrentUser(), other.getUserGuilds()]);
    };
    expectTypeOf(calls).toBeFunction();
  });

  test("with a token that was restored from JSON", () => {
    const calls = async (text: string) => {
      const parsed = new User(JSON.parse(text));
      const token: TokenObj = JSON.parse(text);
      const user = new User(token);
      await Promise.all([parsed.getUserGuilds(), user.getCurrentUser(), user.getUserGuilds()]);
    };
    expectTypeOf(calls).toBeFunction();
  });
});

describe("A TokenSource", () => {
  const store = new MemoryStore();

  test("has the scopes of its PlatformApi, and its User has them, too", () => {
    const api = new PlatformApi("1", "s", ["identify", "connections"], "https://app.example/");
    const source = new TokenSource(api, store, "ada");
    expectTypeOf(source).toEqualTypeOf<TokenSource<"identify" | "connections">>();
    expectTypeOf(source.token()).resolves.toEqualTypeOf<TokenObj<"identify" | "connections">>();
    expectTypeOf(source.renew("t0ken")).resolves
      .toEqualTypeOf<TokenObj<"identify" | "connections">>();
    const user = new User(source);
    expectTypeOf(user).toEqualTypeOf<User<"identify" | "connections">>();
    expectTypeOf(() => user.getCurrentUser()).toBeFunction();
    // @ts-expect-error The tokens do not have this scope.
    expectTypeOf(() => user.getUserGuilds()).toBeFunction();
  });

  test("takes only a token that has them all", () => {
    const source = new TokenSource<"identify">({} as PlatformApi, store, "ada");
    expectTypeOf(source.save).toBeCallableWith({} as TokenObj<"identify" | "guilds">);
    expectTypeOf(source.save).toBeCallableWith({} as TokenObj);
    // @ts-expect-error The token lacks the scope.
    expectTypeOf(() => source.save({} as TokenObj<"guilds">)).toBeFunction();
  });

  test("of an application whose scopes are not known compiles with everything", () => {
    const source = new TokenSource({} as PlatformApi, store, "ada");
    expectTypeOf(source).toEqualTypeOf<TokenSource>();
    const user = new User(source);
    expectTypeOf(() => [user.getCurrentUser(), user.getUserGuilds()]).toBeFunction();
  });

  test("of something else than a PlatformApi has the scopes that are said", () => {
    const api = { refresh: () => Promise.reject(), revoke: () => Promise.reject() };
    expectTypeOf(new TokenSource(api, store, "ada")).toEqualTypeOf<TokenSource>();
    expectTypeOf(new TokenSource<"identify">(api, store, "ada"))
      .toEqualTypeOf<TokenSource<"identify">>();
  });
});

describe("What has more scopes", () => {
  test("goes wherever fewer are wanted, and not the other way round", () => {
    expectTypeOf<User<"identify" | "guilds">>().toExtend<User<"identify">>();
    expectTypeOf<User<"identify">>().not.toExtend<User<"identify" | "guilds">>();
    expectTypeOf<User<"guilds">>().not.toExtend<User<"identify">>();
    expectTypeOf<TokenObj<"identify" | "guilds">>().toExtend<TokenObj<"identify">>();
    expectTypeOf<TokenSource<"identify" | "guilds">>().toExtend<TokenSource<"identify">>();
    expectTypeOf<TokenSource<"guilds">>().not.toExtend<TokenSource<"identify">>();
    expectTypeOf<TokenObj<"identify">>().not.toExtend<TokenObj<"identify" | "guilds">>();
  });

  test("goes wherever none are named, in both directions", () => {
    expectTypeOf<User<"identify">>().toExtend<User>();
    expectTypeOf<User>().toExtend<User<"identify">>();
    expectTypeOf<TokenObj<"identify">>().toExtend<TokenObj>();
    expectTypeOf<TokenObj>().toExtend<TokenObj<"identify">>();
    expectTypeOf<PlatformApi<"identify">>().toExtend<PlatformApi>();
    expectTypeOf<TokenSource<"identify">>().toExtend<TokenSource>();
    expectTypeOf<TokenSource>().toExtend<TokenSource<"identify">>();
    expectTypeOf<PlatformApi>().toExtend<PlatformApi<"identify">>();
  });
});

describe("A session", () => {
  const application = { clientId: "1", clientSecret: null, secret: "x".repeat(32) };
  const request = new Request("https://app.example/");

  test("has the scopes of its login in the token that it keeps", () => {
    const calls = async () => {
      const login = new Login({ ...application, scope: ["identify"], keepToken: true });
      const session = await login.session(request);
      expectTypeOf(session).toEqualTypeOf<Session<SessionUser, TokenObj<"identify">> | null>();
      if (!session) return;
      const user = new User(session.token);
      await user.getCurrentUser();
      // @ts-expect-error the scope guilds was not asked for
      await user.getUserGuilds();
    };
    expectTypeOf(calls).toBeFunction();
  });

  test("has them in the source of its tokens", () => {
    const calls = async (store: Store) => {
      const login = new Login({ ...application, scope: ["identify", "guilds"], store });
      const session = await login.session(request);
      expectTypeOf(session)
        .toEqualTypeOf<Session<SessionUser, TokenSource<"identify" | "guilds">> | null>();
      if (session) await new User(session.token).getUserGuilds();
      expectTypeOf(login.finish(request)).resolves
        .toEqualTypeOf<FinishedLogin<"identify" | "guilds">>();
    };
    expectTypeOf(calls).toBeFunction();
  });

  test("has no token unless it is asked to keep one, and of the user what is kept", () => {
    const calls = async () => {
      const sessionUser = ({ id, email }: UserObj) => ({ id, email });
      const login = new Login({ ...application, scope: ["identify", "email"], sessionUser });
      const session = await login.session(request);
      expectTypeOf(session)
        .toEqualTypeOf<Session<{ id: string; email: string | null }, null> | null>();
    };
    expectTypeOf(calls).toBeFunction();
  });

  test("goes wherever any login is wanted", () => {
    const name = async (login: Login) => (await login.session(request))?.user.username;
    const calls = () => name(new Login({ ...application, scope: ["identify"] }));
    expectTypeOf(calls).returns.resolves.toEqualTypeOf<string | undefined>();
  });
});
