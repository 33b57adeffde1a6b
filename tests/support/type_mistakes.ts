/**
 * The usual mistakes of an application, and what the compiler says about them.
 *
 * @module
 */

/** A mistake of an application. */
export interface TypeMistake {
  /** One line of code. */
  readonly code: string;
  /** The last line of the compiler's message, in every version. */
  readonly lastLine: RegExp;
}

/** The names that every line may use, without a mistake. */
const header = `
declare const env: { readonly [name: string]: string | undefined };
declare const request: Request;
const clientId = "1024000000000000000", clientSecret = "s3cret", secret = "k3y";
const scope = ["identify"] as const, store = new MemoryStore();
const memberScope = ["identify", "guilds.members.read"] as const;
const login = new Login({ clientId, clientSecret, scope, secret, store });
declare const session: SessionOf<typeof login>;
`;

/** The mistakes, by their names. */
export const typeMistakes: Readonly<Record<string, TypeMistake>> = {
  "an unset variable for clientId": {
    code: "new Login({ clientId: env.DISCORD_CLIENT_ID, clientSecret, scope, secret });",
    lastLine: /^Type '(string \| )?undefined' is not assignable to type 'ClientId'\.$/,
  },
  "an unset variable for clientSecret": {
    code: "new Login({ clientId, clientSecret: env.DISCORD_CLIENT_SECRET, scope, secret });",
    lastLine: /^Type '(string \| )?undefined' is not assignable to type 'ClientSecret'\.$/,
  },
  "an unset variable for secret": {
    code: "new Login({ clientId, clientSecret, scope, secret: env.SESSION_SECRET });",
    lastLine: /^Type '(string \| )?undefined' is not assignable to type 'LoginSecret'\.$/,
  },
  "an unset variable in options that were made before": {
    code: "const made = { clientId: env.ID, clientSecret, scope, secret }; new Login(made);",
    lastLine: /^Type '(string \| )?undefined' is not assignable to type 'ClientId'\.$/,
  },
  "a number for an id": {
    code: "new Login({ clientId: 1024, clientSecret, scope, secret });",
    lastLine: /^Type 'number' is not assignable to type 'ClientId'\.$/,
  },
  "a missing option": {
    code: "new Login({ clientId, clientSecret, scope });",
    lastLine:
      /^Property 'secret' is missing in type '[^']+' but required in type 'LoginOptions<.+>'\.$/,
  },
  "several missing options": {
    code: "new Login({ clientId, scope });",
    lastLine:
      /^Type '[^']+' is missing the following properties from type 'LoginOptions<.+>': clientSecret, secret$/,
  },
  "a misspelled option": {
    code: "new Login({ clientId, clientSecret, scope, secret, callBackPath: '/auth' });",
    lastLine:
      /^Object literal may only specify known properties, but 'callBackPath' does not exist in type 'LoginOptions<.+>'\. Did you mean to write 'callbackPath'\?$/,
  },
  "an unset variable beside sessionUser and publicUser": {
    code:
      "new Login({ clientId: env.ID, clientSecret, scope, secret, sessionPath: '/session', sessionUser: ({ id }) => ({ id }), publicUser: ({ id }) => id });",
    lastLine: /^Type '(string \| )?undefined' is not assignable to type 'ClientId'\.$/,
  },
  "a missing option beside sessionUser": {
    code: "new Login({ clientId, clientSecret, scope, sessionUser: ({ id }) => ({ id }) });",
    lastLine:
      /^Property 'secret' is missing in type '.+' but required in type 'LoginOptions<.+>'\.$/,
  },
  "an unknown scope beside sessionUser": {
    code:
      "new Login({ clientId, clientSecret, scope: ['identify', 'guild'], secret, sessionUser: ({ id }) => ({ id }) });",
    lastLine: /^Type '"guild"' is not assignable to type '.+'\. Did you mean '"guilds"'\?$/,
  },
  "an unknown scope": {
    code: "new Login({ clientId, clientSecret, scope: ['identify', 'guild'], secret });",
    lastLine: /^Type '"guild"' is not assignable to type '.+'\. Did you mean '"guilds"'\?$/,
  },
  "a scope with two letters swapped": {
    code: "new Login({ clientId, clientSecret, scope: ['idenitfy'], secret });",
    lastLine: /^Type '"idenitfy"' is not assignable to type '.+'\. Did you mean '"identify"'\?$/,
  },
  "a text for the scopes": {
    code: "new Login({ clientId, clientSecret, scope: 'identify guilds', secret });",
    lastLine: /^Type 'string' is not assignable to type 'readonly Scope\[\]'\.$/,
  },
  "scopes without identify": {
    code: "new Login({ clientId, clientSecret, scope: ['guilds'], secret });",
    lastLine: /^Type '.+' is not assignable to type '"add identify, which every login needs"'\.$/,
  },
  "a misspelled scope instead of identify": {
    code: "new Login({ clientId, clientSecret, scope: ['idenfy'], secret });",
    lastLine: /^Type '.+' is not assignable to type '"add identify, which every login needs"'\.$/,
  },
  "members without their scope": {
    code: "new Login({ clientId, clientSecret, scope, secret, store, members: { guildId: '1' } });",
    lastLine:
      /^Type '.+' is not assignable to type '"add guilds.members.read, which the option members needs"'\.$/,
  },
  "members without their scope and without a store": {
    code: "new Login({ clientId, clientSecret, scope, secret, members: { guildId: '1' } });",
    lastLine:
      /^Property 'store' is missing in type '.+' but required in type 'NeededBy<"members", "store">'\.$/,
  },
  "an unset variable for the guild of members": {
    code:
      "new Login({ clientId, clientSecret, scope: memberScope, secret, store, members: { guildId: env.GUILD_ID } });",
    lastLine: /^Type '(string \| )?undefined' is not assignable to type 'string'\.$/,
  },
  "an unset variable for one of several guilds of members": {
    code:
      "new Login({ clientId, clientSecret, scope: memberScope, secret, store, members: [{ guildId: '1' }, { guildId: env.GUILD_ID }] });",
    lastLine: /^Type '(string \| )?undefined' is not assignable to type 'string'\.$/,
  },
  "members without a guild": {
    code: "new Login({ clientId, clientSecret, scope: memberScope, secret, store, members: {} });",
    lastLine:
      /^Property 'guildId' is missing in type '\{\}' but required in type 'MembersOptions'\.$/,
  },
  "a misspelled option of members": {
    code:
      "new Login({ clientId, clientSecret, scope: memberScope, secret, store, members: { guildId: '1', role: '2' } });",
    lastLine:
      /^Type '.+' is not assignable to type '"members has only guildId, roles and checkedFor"'\.$/,
  },
  "a number for the guild of members": {
    code:
      "new Login({ clientId, clientSecret, scope: memberScope, secret, store, members: { guildId: 1 } });",
    lastLine: /^Type 'number' is not assignable to type 'string'\.$/,
  },
  "a text for the roles of members": {
    code:
      "new Login({ clientId, clientSecret, scope: memberScope, secret, store, members: { guildId: '1', roles: '2' } });",
    lastLine: /^Type 'string' is not assignable to type 'readonly string\[\]'\.$/,
  },
  "a function for onLogin that needs another scope": {
    code:
      "new Login({ clientId, clientSecret, scope, secret, onLogin: ({ api }: ConfirmedLogin<'guilds'>) => void api });",
    lastLine: /^Type '"guilds"' is not assignable to type '"identify"'\.$/,
  },
  "sessionUser and sessionPath without publicUser": {
    code:
      "new Login({ clientId, clientSecret, scope, secret, sessionPath: '/session', sessionUser: ({ id, email }) => ({ id, email }) });",
    lastLine:
      /^Property 'publicUser' is missing in type '.+' but required in type 'NeededBy<"sessionUser", "publicUser">'\.$/,
  },
  "sessionUser and appPath without publicUser": {
    code:
      "new Login({ clientId, clientSecret, scope, secret, store, appPath: '/app', sessionUser: ({ id }) => id });",
    lastLine:
      /^Property 'publicUser' is missing in type '.+' but required in type 'NeededBy<"sessionUser", "publicUser">'\.$/,
  },
  "appPath without a store": {
    code: "new Login({ clientId, clientSecret, scope, secret, appPath: '/app' });",
    lastLine:
      /^Property 'store' is missing in type '.+' but required in type 'NeededBy<"appPath", "store">'\.$/,
  },
  "backgroundTokens without a store": {
    code: "new Login({ clientId, clientSecret, scope, secret, backgroundTokens: true });",
    lastLine:
      /^Property 'store' is missing in type '.+' but required in type 'NeededBy<"backgroundTokens", "store">'\.$/,
  },
  "idleTimeout without a store": {
    code: "new Login({ clientId, clientSecret, scope, secret, idleTimeout: 60 });",
    lastLine:
      /^Property 'store' is missing in type '.+' but required in type 'NeededBy<"idleTimeout", "store">'\.$/,
  },
  "a method that needs a store, without one": {
    code: "await new Login({ clientId, clientSecret, scope, secret }).endAll(clientId);",
    lastLine:
      /^Argument of type '.+' is not assignable to parameter of type '"needs the option store"'\.$/,
  },
  "a method that needs backgroundTokens, without a store": {
    code: "new Login({ clientId, clientSecret, scope, secret }).tokensOf(clientId);",
    lastLine:
      /^Argument of type '.+' is not assignable to parameter of type '"needs the option backgroundTokens"'\.$/,
  },
  "a Map for a store": {
    code: "new Login({ clientId, clientSecret, scope, secret, store: new Map() });",
    lastLine:
      /^Type 'Map<any, any>' is missing the following properties from type 'Store': load, save$/,
  },
  "a method whose scope is missing": {
    code: "session.api.getConnections();",
    lastLine: /^Type '"needs connections in scope"' is not assignable to type '"identify"'\.$/,
  },
  "a method whose scope is missing, and is a part of others": {
    code: "session.api.getUserGuilds();",
    lastLine: /^Type '"needs guilds in scope"' is not assignable to type '"identify"'\.$/,
  },
  "a call of the api of a session in a cookie": {
    code:
      "(await new Login({ clientId, clientSecret, scope, secret }).session(request))?.api?.getCurrentUser();",
    lastLine:
      /^Type '"[^"]+"' is not assignable to type '"no token without the option store or keepToken"'\.$/,
  },
  "a call of the api of a session in a cookie, by a login that has the scope": {
    code:
      "void (await new Login({ clientId, clientSecret, scope: ['identify', 'guilds'], secret }).session(request))?.api?.getUserGuilds();",
    // It does not say to add the scope.
    // TypeScript 5.4 shows the last line only for the first such call in a file.
    lastLine:
      /^Type '"needs guilds in scope"' is not assignable to type '"no token without the option store or keepToken"'\.$|type 'NeedsStoreOrKeepToken' is not assignable/,
  },
  "a Date in the user data of a session": {
    code:
      "new Login({ clientId, clientSecret, scope, secret, sessionUser: ({ id }) => ({ id, at: new Date() }) });",
    lastLine: /^Type '.+' is not assignable to type '"must return JSON, but `at` is not"'\.$/,
  },
  "a Map, a bigint and a Date in the user data of a session": {
    code:
      "new Login({ clientId, clientSecret, scope, secret, sessionUser: () => ({ m: new Map(), n: 1n, at: [new Date()] }) });",
    lastLine: /^Type '.+' is not assignable to type '"must return JSON, but `(m|n|at)` is not"'\.$/,
  },
  "a promise without await in the user data of a session": {
    code:
      "new Login({ clientId, clientSecret, scope, secret, sessionUser: (_, { api }) => ({ me: api.getCurrentUser() }) });",
    lastLine: /^Type '.+' is not assignable to type '"must return JSON, but `me` is not"'\.$/,
  },
  "a sessionUser that returns nothing": {
    code:
      "new Login({ clientId, clientSecret, scope, secret, sessionUser: ({ id }) => { void id; } });",
    lastLine: /^Type '.+' is not assignable to type '"must return JSON"'\.$/,
  },
  "a publicUser that returns a Set": {
    code:
      "new Login({ clientId, clientSecret, scope, secret, sessionPath: '/s', publicUser: ({ id }) => ({ id, all: new Set([id]) }) });",
    lastLine: /^Type '.+' is not assignable to type '"must return JSON, but `all` is not"'\.$/,
  },
  "a misspelled scope of start()": {
    code: "await login.start(request, { scope: ['guildss'] });",
    lastLine: /^Type '"guildss"' is not assignable to type '.+'\. Did you mean '"guilds"'\?$/,
  },
  "a misspelled scope of has()": {
    code: "session.has('guild');",
    lastLine: /^Argument of type '"guild"' is not assignable to parameter of type '"guilds"'\.$/,
  },
  "a misspelled scope of a link": {
    code: "new AuthUrl(clientId, ['identfy'], null);",
    lastLine: /^Type '"identfy"' is not assignable to type '.+'\. Did you mean '"identify"'\?$/,
  },
  "a misspelled scope of PlatformApi": {
    code: "new PlatformApi(clientId, null, ['identfy'], null);",
    lastLine: /^Type '"identfy"' is not assignable to type '.+'\. Did you mean '"identify"'\?$/,
  },
  "a misspelled scope of a bot": {
    code: "new Bot(clientId, 8, { scope: ['aplications.commands'] });",
    lastLine:
      /^Type '"aplications.commands"' is not assignable to type '.+'\. Did you mean '"applications.commands"'\?$/,
  },
  "two scopes in one string": {
    code: "new Login({ clientId, clientSecret, scope: ['identify guilds'], secret });",
    lastLine: /^Type '"identify guilds"' is not assignable to type '"one scope in each string"'\.$/,
  },
  "a call of a session in a cookie without a token": {
    code:
      "const plain = new Login({ clientId, clientSecret, scope, secret }); void (await plain.session(request))?.api?.getUserGuilds();",
    // TypeScript 5.4 shows the last line only for the first such call in a file.
    lastLine:
      /^Type '"needs guilds in scope"' is not assignable to type '"no token without the option store or keepToken"'\.$|type 'NeedsStoreOrKeepToken' is not assignable/,
  },
  "a misspelled permission in a dictionary": {
    code: "new Bot(clientId, { send_mesages: true });",
    lastLine:
      /^Object literal may only specify known properties, and 'send_mesages' does not exist in type '.*PermissionSwitches.*'\.$/,
  },
  "a change of a frozen result": {
    code: "session.user.username = 'ada';",
    lastLine: /^Cannot assign to 'username' because it is a read-only property\.$/,
  },
  "a change of the frozen user data of sessionUser": {
    code:
      "const own = new Login({ clientId, clientSecret, scope, secret, sessionUser: ({ id }) => ({ id, theme: 'dark' }) }); (await own.session(request))!.user.theme = 'light';",
    lastLine: /^Cannot assign to 'theme' because it is a read-only property\.$/,
  },
  "a change of a frozen list": {
    code: "session.scopes.push('guilds');",
    lastLine: /^Property 'push' does not exist on type 'readonly string\[\]'\.$/,
  },
  "a session without await": {
    code: "login.session(request).user;",
    lastLine: /^Property 'user' does not exist on type 'Promise<Session<.+> \| null>'\.$/,
  },
  "a condition without await": {
    code: "if (login.handle(request)) throw 0;",
    lastLine:
      /^This condition will always return true since this 'Promise<Response \| null>' is always defined\.$/,
  },
  "a wrong permission": {
    code: "new Permissions(['KICK_MEMBER']);",
    lastLine:
      /^Type '"KICK_MEMBER"' is not assignable to type 'PermissionLike'\. Did you mean '"KICK_MEMBERS"'\?$/,
  },
  "a wrong permission of a bot": {
    code: "new Bot(clientId, ['KICK_MEMBER']);",
    lastLine:
      /^Type '"KICK_MEMBER"' is not assignable to type 'PermissionLike'\. Did you mean '"KICK_MEMBERS"'\?$/,
  },
  "a misspelled permission in an option": {
    code: "installUrl(clientId, { permissions: 'SEND_MESAGES' });",
    lastLine:
      /^Type '"SEND_MESAGES"' is not assignable to type '.+'\. Did you mean '"SEND_MESSAGES"'\?$/,
  },
  "a wrong permission of has()": {
    code: "new Permissions('8').has('KICK_MEMBER');",
    lastLine:
      /^Argument of type '"KICK_MEMBER"' is not assignable to parameter of type 'PermissionInput'\.$/,
  },
};

/** Returns a program with every mistake, each on one line. */
export function programOfMistakes(entryPoint: string): string {
  const lines = Object.values(typeMistakes).map(({ code }) =>
    `export async function _() { ${code} }`
  );
  return [
    `import { AuthUrl, Bot, type ConfirmedLogin, installUrl, Login, MemoryStore, Permissions, PlatformApi, type SessionOf } from "${entryPoint}";`,
    ...header.trim().split("\n"),
    ...lines.map((line, index) => line.replace("_", `mistake${index}`)),
  ].join("\n");
}

/** Returns what is wrong with the messages of a compiler for the program: a list of texts, without texts if every message is clear. */
export function unclearMessages(
  messages: readonly { readonly line: number; readonly text: string }[],
): string[] {
  const first = header.trim().split("\n").length + 2;
  const entries = Object.entries(typeMistakes);
  const elsewhere = messages.filter(({ line }) => !entries[line - first])
    .map(({ line, text }) => `line ${line}: ${text}`);
  return [
    ...elsewhere,
    ...entries.flatMap(([name, { lastLine }], index) => {
      const found = messages.filter(({ line }) => line === first + index);
      if (found.length !== 1) return [`${name}: ${found.length} messages`];
      const lines = found.flatMap(({ text }) => text.trimEnd().split("\n"));
      const last = lines.at(-1)?.trim() ?? "";
      return lines.length <= 4 && lastLine.test(last) ? [] : [`${name}: ${lines.join("\n")}`];
    }),
  ];
}
