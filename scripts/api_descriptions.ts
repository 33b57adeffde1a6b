/**
 * Reads the platform's API from the source of the library and from the declarations of discord-api-types, in the same words.
 *
 * Nothing of the package runs: the TypeScript compiler reads its declarations, and the bits of permissions from its code.
 *
 * @module
 */

import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "npm:typescript@^6.0.0";
import { memberFlags, userFlags } from "../src/flags.ts";
import { operations } from "../src/api/operations.ts";
import { discord } from "../src/links/platform.ts";
import { knownScopes } from "../src/links/scopes.ts";
import { bitOfName, flags, namesOf } from "../src/permissions/names.ts";

/** Each thing of the API in plain words, for example `scope identify` or `field banner of the user`. */
export interface ApiDescriptions {
  readonly library: ReadonlySet<string>;
  readonly package: ReadonlySet<string>;
}

/** A model of the library, the package's type of the same object, and a noun for it. */
type Model = readonly [ours: string, theirs: string, noun: string];

/** The models. An object in a field needs no line: it is compared with the object in the same field of the package. */
const models: readonly Model[] = [
  ["UserObj", "APIUser", "user"],
  ["PartialGuildObj", "RESTAPIPartialCurrentUserGuild", "entry of the list of guilds"],
  ["GuildObj", "APIGuild", "guild"],
  ["RoleObj", "APIRole", "role"],
  ["EmojiObj", "APIEmoji", "emoji"],
  ["StickerObj", "APISticker", "sticker"],
  ["WelcomeScreenObj", "APIGuildWelcomeScreen", "welcome screen"],
  ["MemberObj", "APIGuildMember", "member"],
  ["ConnectionObj", "APIConnection", "connection"],
  ["AuthorizationObj", "RESTGetAPIOAuth2CurrentAuthorizationResult", "authorization"],
  ["ApplicationObj", "APIApplication", "application"],
  ["IntegrationTypeConfigObj", "APIApplicationIntegrationTypeConfiguration", "installation type"],
  ["EntitlementObj", "APIEntitlement", "entitlement"],
  [
    "CommandPermissionsObj",
    "APIGuildApplicationCommandPermissions",
    "permissions of a command",
  ],
  ["RoleConnectionObj", "APIApplicationRoleConnection", "role connection"],
  [
    "RoleConnectionMetadataObj",
    "APIApplicationRoleConnectionMetadata",
    "metadata of role connections",
  ],
  [
    "TokenObj",
    "RESTPostOAuth2AccessTokenWithBotAndGuildsAndWebhookIncomingScopeResult",
    "token response",
  ],
  ["WebhookObj", "APIWebhook", "webhook"],
  ["ApplicationAuthorizedObj", "APIWebhookEventApplicationAuthorizedData", "authorized event"],
  [
    "ApplicationDeauthorizedObj",
    "APIWebhookEventApplicationDeauthorizedData",
    "deauthorized event",
  ],
];

/** The models, and the types of the same objects in the platform's own description of its API, as discord-api-spec has them. */
const describedModels: readonly Model[] = [
  ["UserObj", "UserPIIResponse", "user"],
  ["PartialGuildObj", "MyGuildResponse", "entry of the list of guilds"],
  ["GuildObj", "GuildWithCountsResponse", "guild"],
  ["RoleObj", "GuildRoleResponse", "role"],
  ["EmojiObj", "EmojiResponse", "emoji"],
  ["StickerObj", "GuildStickerResponse", "sticker"],
  ["WelcomeScreenObj", "GuildWelcomeScreenResponse", "welcome screen"],
  ["MemberObj", "PrivateGuildMemberResponse", "member"],
  ["ConnectionObj", "ConnectedAccountResponse", "connection"],
  ["AuthorizationObj", "OAuth2GetAuthorizationResponse", "authorization"],
  ["ApplicationObj", "ApplicationResponse", "application"],
  ["EntitlementObj", "EntitlementResponse", "entitlement"],
  ["CommandPermissionsObj", "CommandPermissionsResponse", "permissions of a command"],
  ["RoleConnectionObj", "ApplicationUserRoleConnectionResponse", "role connection"],
  [
    "RoleConnectionMetadataObj",
    "ApplicationRoleConnectionsMetadataItemResponse",
    "metadata of role connections",
  ],
  ["UserInfoObj", "OAuth2GetOpenIDConnectUserInfoResponse", "user info"],
  ["SdkMessageObj", "LobbyMessageResponse", "message of the Social SDK"],
];

/** The flags of the library, the package's type of the same flags, and a noun for their owner. */
const flagSets = [
  [userFlags, "UserFlags", "user"],
  [memberFlags, "GuildMemberFlags", "member"],
] as const;

/** The paths of the package that matter to a login. Of the others, only those that the library uses are compared. */
const loginPaths = /^\/(?:users\/@me|oauth2|\.well-known|applications\/\{id\}\/role-connections)\b/;

const root = fileURLToPath(new URL("../", import.meta.url));

/**
 * Describes both.
 *
 * @param folder The folder of discord-api-types.
 * @throws {Error} If it has no declarations, or the library does not export a model.
 */
export function describeApis(folder: string): ApiDescriptions {
  return compare(resolve(folder, "v10.d.ts"), (comparison) => comparison.describe());
}

/**
 * Describes the fields of the models in the library, and in the platform's own description of its API.
 *
 * @param folder The folder of discord-api-spec.
 * @throws {Error} If it has no declarations, or the library does not export a model.
 */
export function describeFields(folder: string): ApiDescriptions {
  const path = resolve(folder, "build/discord-api-spec.ts");
  return compare(path, (comparison) => comparison.describeFields());
}

function compare(
  declarations: string,
  describe: (comparison: Comparison) => ApiDescriptions,
): ApiDescriptions {
  const entries = { library: `${root}mod.ts`, package: declarations };
  const program = ts.createProgram(Object.values(entries), {
    allowImportingTsExtensions: true,
    lib: ["lib.es5.d.ts"],
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    noEmit: true,
    strict: true,
    types: [],
  });
  return describe(
    new Comparison(
      program,
      new Exports(program, entries.library),
      new Exports(program, entries.package),
    ),
  );
}

/** Describes the library and the package, one kind of thing after the other. */
class Comparison {
  readonly #program: ts.Program;
  readonly #checker: ts.TypeChecker;
  readonly #ours: Exports;
  readonly #theirs: Exports;
  readonly #library = new Set<string>();
  readonly #package = new Set<string>();
  /** The types of the library that are compared. */
  readonly #compared = new Set<ts.Type>();

  constructor(program: ts.Program, ours: Exports, theirs: Exports) {
    this.#program = program;
    this.#checker = program.getTypeChecker();
    this.#ours = ours;
    this.#theirs = theirs;
  }

  describe(): ApiDescriptions {
    this.#comparePermissions();
    this.#compareFlags();
    this.#compareScopes();
    this.#compareModels(models);
    this.#addOtherModels();
    this.#compareEvents();
    this.#compareEndpoints();
    return { library: this.#library, package: this.#package };
  }

  describeFields(): ApiDescriptions {
    this.#compareModels(describedModels);
    return { library: this.#library, package: this.#package };
  }

  /** Returns an export of the package. If there is none, only the name of the type is described. */
  #find(name: string): ts.Symbol | undefined {
    const symbol = this.#theirs.find(name);
    if (!symbol) this.#library.add(`type ${name}, which is compared with the library`);
    return symbol;
  }

  #addOurs(thing: string): void {
    this.#library.add(thing);
  }

  /** Adds a thing of the package, without characters that format Markdown. */
  #addTheirs(thing: string): void {
    this.#package.add(thing.replace(/[^\w ,.:/{}@()-]/g, "?"));
  }

  #comparePermissions(): void {
    const symbol = this.#find("PermissionFlagsBits");
    if (!symbol) return;
    for (const [name, bit] of Object.entries(flags())) this.#addOurs(permissionAt(name, bit));
    for (const [name, bit] of readBits(symbol)) {
      // The package and the library keep former names. These are not differences.
      const ourName = bitOfName(name) === bit ? namesOf(bit)[0] : undefined;
      this.#addTheirs(permissionAt(ourName ?? toSnakeCase(name), bit));
    }
  }

  /** Compares bits, since the names of a flag differ. */
  #compareFlags(): void {
    for (const [namesOf, typeName, owner] of flagSets) {
      const symbol = this.#find(typeName);
      if (!symbol) continue;
      for (let bit = 0; bit < 60; bit++) {
        if (namesOf(1n << BigInt(bit)).length) this.#addOurs(`flag of the ${owner} (bit ${bit})`);
      }
      const type = this.#checker.getDeclaredTypeOfSymbol(symbol);
      for (const part of type.isUnion() ? type.types : [type]) {
        if (part.isNumberLiteral()) {
          this.#addTheirs(`flag of the ${owner} (bit ${Math.log2(part.value)})`);
        }
      }
    }
  }

  #compareScopes(): void {
    const symbol = this.#find("OAuth2Scopes");
    if (!symbol) return;
    for (const scope of knownScopes) this.#addOurs(`scope ${scope}`);
    for (const scope of literalsIn(this.#checker.getDeclaredTypeOfSymbol(symbol))) {
      this.#addTheirs(`scope ${scope}`);
    }
  }

  #compareEvents(): void {
    const symbol = this.#find("ApplicationWebhookEventType");
    if (!symbol) return;
    const event = this.#checker.getDeclaredTypeOfSymbol(this.#ours.get("WebhookEvent"));
    for (const type of literalsIn(this.#typeOfProperty(event, "type"))) {
      this.#addOurs(`event ${type}`);
    }
    for (const type of literalsIn(this.#checker.getDeclaredTypeOfSymbol(symbol))) {
      this.#addTheirs(`event ${type}`);
    }
  }

  #compareModels(models: readonly Model[]): void {
    const pairs = models.map(([ours, theirs, noun]) => ({
      type: this.#checker.getDeclaredTypeOfSymbol(this.#ours.get(ours)),
      symbol: this.#find(theirs),
      noun,
    }));
    // They keep their own nouns if other models contain them.
    for (const { type } of pairs) this.#compared.add(type);
    for (const { type, symbol, noun } of pairs) {
      if (symbol) {
        this.#compareFields(noun, "", type, this.#checker.getDeclaredTypeOfSymbol(symbol));
      }
    }
  }

  /** Adds the models of the library that no type of the package was compared with. */
  #addOtherModels(): void {
    for (const name of this.#ours.names().filter((name) => name.endsWith("Obj"))) {
      const type = this.#checker.getDeclaredTypeOfSymbol(this.#ours.get(name));
      if (!this.#compared.has(type)) this.#addOurs(`model ${name}`);
    }
  }

  #compareFields(noun: string, path: string, ours: ts.Type, theirs: ts.Type): void {
    const ourNames = this.#fieldsIn(ours);
    const theirNames = this.#fieldsIn(theirs);
    for (const name of ourNames) this.#addOurs(`field ${path}${name} of the ${noun}`);
    for (const name of theirNames) this.#addTheirs(`field ${path}${name} of the ${noun}`);
    for (const name of ourNames.filter((name) => theirNames.includes(name))) {
      const [ourPart] = this.#objectsIn(this.#typeOfProperty(ours, name));
      const theirPart = this.#typeOfProperty(theirs, name);
      if (!ourPart || this.#compared.has(ourPart) || !this.#fieldsIn(ourPart).length) continue;
      this.#compared.add(ourPart);
      this.#compareFields(noun, `${path}${name}.`, ourPart, theirPart);
    }
  }

  /** Returns the names of the fields of an object, a list of objects, or either of several objects. */
  #fieldsIn(type: ts.Type): string[] {
    const names = this.#objectsIn(type)
      .flatMap((object) => this.#checker.getPropertiesOfType(object))
      .map(({ name }) => name)
      // Such a name belongs to a symbol, which exists for the compiler only.
      .filter((name) => !name.startsWith("__@"));
    return [...new Set(names)];
  }

  #objectsIn(type: ts.Type): ts.Type[] {
    const found = this.#checker.getNonNullableType(type);
    if (found.isUnion()) return found.types.flatMap((part) => this.#objectsIn(part));
    const entry = this.#checker.isArrayLikeType(found) && found.getNumberIndexType();
    if (entry) return this.#objectsIn(entry);
    const parts = found.isIntersection() ? found.types : [found];
    return parts.every(({ flags }) => flags & ts.TypeFlags.Object) ? [found] : [];
  }

  #typeOfProperty(type: ts.Type, name: string): ts.Type {
    const [object = type] = this.#objectsIn(type)
      .filter((part) => this.#checker.getPropertyOfType(part, name));
    const union = this.#checker.getPropertyOfType(type, name) ??
      this.#checker.getPropertyOfType(object, name);
    if (!union) throw new Error(`There is no field ${name}`);
    return this.#checker.getTypeOfSymbol(union);
  }

  #compareEndpoints(): void {
    const routes = this.#find("Routes");
    const addresses = this.#find("OAuth2Routes");
    if (!routes || !addresses) return;
    const ours = new Set(this.#readOurEndpoints());
    for (const endpoint of ours) this.#addOurs(`endpoint ${endpoint}`);
    for (const endpoint of [...this.#readRoutes(routes), ...this.#readAddresses(addresses)]) {
      const path = endpoint.replace(/^\w+ /, "");
      if (ours.has(endpoint) || loginPaths.test(path)) this.#addTheirs(`endpoint ${endpoint}`);
    }
  }

  #readOurEndpoints(): string[] {
    const requests = Object.values(operations).map((operation) =>
      endpointAt("method" in operation ? operation.method : "GET", operation.path)
    );
    const paths = this.#program.getSourceFiles()
      .filter(({ fileName }) => fileName.startsWith(`${root}src/`))
      .flatMap(({ text }) => [...text.matchAll(/"(\/oauth2\/[^"]+)"/g)])
      .map(([, path = ""]) => path);
    return [...requests, ...paths, new URL(discord.authorizeUrl).pathname];
  }

  /** Reads the methods and paths, which only the comments have. */
  #readRoutes(routes: ts.Symbol): string[] {
    return this.#checker.getTypeOfSymbol(routes).getProperties()
      .map((route) => ts.displayPartsToString(route.getDocumentationComment(this.#checker)))
      .flatMap((comment) => [...comment.matchAll(/\b([A-Z]+)\s+`(\/[^`]*)`/g)])
      .map(([, method = "", path = ""]) => endpointAt(method, path));
  }

  #readAddresses(addresses: ts.Symbol): string[] {
    return this.#checker.getTypeOfSymbol(addresses).getProperties()
      .flatMap((address) => literalsIn(this.#checker.getTypeOfSymbol(address)))
      .map((address) => new URL(address).pathname.replace(/^\/api\/v\d+/, ""));
  }
}

/** The exports of a module. */
class Exports {
  readonly #path: string;
  readonly #symbols: ReadonlyMap<string, ts.Symbol>;

  constructor(program: ts.Program, path: string) {
    const checker = program.getTypeChecker();
    const source = program.getSourceFile(path);
    const module = source && checker.getSymbolAtLocation(source);
    if (!module) throw new Error(`${path} is missing, or exports nothing`);
    this.#path = path;
    this.#symbols = new Map(
      checker.getExportsOfModule(module).map((symbol) => [
        symbol.name,
        symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol,
      ]),
    );
  }

  names(): string[] {
    return [...this.#symbols.keys()];
  }

  find(name: string): ts.Symbol | undefined {
    return this.#symbols.get(name);
  }

  get(name: string): ts.Symbol {
    const symbol = this.find(name);
    if (!symbol) throw new Error(`${this.#path} exports no ${name}`);
    return symbol;
  }
}

/** Reads the bits from the code beside a declaration, which has their type only. */
function readBits(symbol: ts.Symbol): [name: string, bit: bigint][] {
  const declared = symbol.valueDeclaration?.getSourceFile().fileName ?? "";
  const path = declared.replace(/\.d\.ts$/, ".js");
  const bits = (ts.sys.readFile(path) ?? "").matchAll(/\b(\w+): 1n << (\d+)n\b/g);
  const found = [...bits].map((
    [, name = "", bit = ""],
  ): [string, bigint] => [name, 1n << BigInt(bit)]);
  if (!found.length) throw new Error(`${path} has no permission such as "Connect: 1n << 20n"`);
  return found;
}

function permissionAt(name: string, bit: bigint): string {
  return `permission ${name} (bit ${bit.toString(2).length - 1})`;
}

function toSnakeCase(name: string): string {
  return name.replace(/[a-z](?=[A-Z])|[A-Z](?=[A-Z][a-z])/g, "$&_").toLowerCase();
}

/** Returns the texts of a literal type, or of a union of literal types. */
function literalsIn(type: ts.Type): string[] {
  return (type.isUnion() ? type.types : [type])
    .flatMap((part) => part.isStringLiteral() ? [part.value] : []);
}

/** Returns a method and a path with `{id}` for each id. An OAuth path has one method, so it comes without. */
function endpointAt(method: string, template: string): string {
  const path = template.replace(/\{[^}]*\}/g, "{id}");
  return path.startsWith("/oauth2/") ? path : `${method} ${path}`;
}
