/**
 * Writes the API reference as Markdown pages, from the documentation in the source.
 *
 * @module
 */

import { dirname, relative } from "node:path";
import { fileURLToPath } from "node:url";
import {
  Application,
  Comment,
  type CommentDisplayPart,
  CommentTag,
  Converter,
  DeclarationReflection,
  IndexedAccessType,
  LiteralType,
  PageEvent,
  type ParameterReflection,
  type ProjectReflection,
  QueryType,
  ReferenceReflection,
  ReferenceType,
  type Reflection,
  ReflectionFlag,
  ReflectionGroup,
  ReflectionKind,
  ReflectionType,
  RendererEvent,
  TupleType,
  TypeOperatorType,
  UnionType,
} from "typedoc";
import config from "../../deno.json" with { type: "json" };
import { entryPoints } from "../package.ts";
import {
  apiMarkdown,
  checkApiMarkdown,
  type MemberGroup,
  withMemberList,
  withNoteOnNull,
  withShortSignatures,
} from "./api_markdown.ts";
import { formatComment, linkNames, type Names, parametersTag } from "./api_comments.ts";
import { ApiTheme, fieldsOf } from "./api_theme.ts";
import { type Guide, repository } from "./guides.ts";

/** A line of the sidebar, in the form of VitePress. */
export interface SidebarItem {
  readonly text: string;
  readonly link?: string;
  readonly items?: readonly SidebarItem[];
  readonly collapsed?: boolean;
}

/** An export and its modules. The pages are below the first module. */
type Exported = readonly [
  reflection: DeclarationReflection,
  modules: readonly DeclarationReflection[],
];

const root = fileURLToPath(new URL("../../", import.meta.url));

/** The public names of the modules, by the path of the source in the repository. */
const moduleNames: Readonly<Record<string, string>> = Object.fromEntries(
  entryPoints.map(({ name, path }) => [path.replace("./", ""), config.name + name.slice(1)]),
);

/**
 * The parts of the main module, by the folder of their source. The module is large, so each part has its own pages, at a path with the
 * name. Pages show the title.
 */
const topics: Readonly<Record<string, readonly [name: string, summary: string, title?: string]>> = {
  api: [
    "API",
    "Requests to the platform, on behalf of a user or of the application.",
    "Calling Discord",
  ],
  core: [
    "Errors",
    "The errors that this library throws. `LoginError`, with the code `login_failed`, is another one.",
  ],
  http: ["Requests", "Options of requests, and reports of them."],
  links: ["Links", "The platform's addresses, and the response of a consent page."],
  resources: ["Models", "The objects that the platform sends."],
  stores: ["Stores", "Stores for sessions and tokens."],
  tokens: ["Tokens", "Access tokens that are refreshed in time."],
};

/** The members of each group of a page. The groups of `LoginOptions` are the sections of a guide. */
type Groups = Readonly<Record<string, readonly string[]>>;

/** The groups of pages whose members need another order. Each member has a group, except for the constructor, which is always first. */
const memberGroups: Readonly<Record<string, Groups>> = {
  Bot: {
    "Methods": ["url", "toString"],
    "Properties": ["href"],
  },
  FakePlatform: {
    "Connections to your code": ["fetch", "handler", "platform", "requests"],
    "Logins": ["browser", "login", "authorize", "deny", "issueToken"],
    "Devices and Activities": ["authorizeDevice", "denyDevice", "authorizeActivity"],
    "Failures and time": ["failNext", "advance", "now"],
    "Changes and events": ["update", "removeApplication", "sendWebhookEvent", "webhookPublicKey"],
  },
  Login: {
    "Paths and logins": ["handle", "start", "finish"],
    "The session of a request": ["session", "publicSession", "update", "allows", "end"],
    "Sessions of a user": ["sessionsOf", "endSession", "endAll"],
    "Tokens of a user": ["tokensOf", "revoke", "forget"],
  },
  Permissions: {
    "Questions": ["has", "missing", "equals"],
    "Changes": ["add", "remove", "update"],
    "Presets": [
      ...["none", "all", "allChannel", "general", "membership", "text", "voice"],
      ...["stage", "stageModerator", "advanced", "elevated"],
    ],
    "Values": ["value", "toArray", "toString", "toJSON", "[iterator]"],
    "All names": ["flags", "presets"],
  },
  Session: {
    "The user": ["user", "member", "scopes", "has"],
    "Discord's API": ["api", "token"],
    "Times": ["startedAt", "endsAt"],
  },
  SessionClient: {
    "The session": ["state", "subscribe", "refresh"],
    "Logins": ["logIn", "logOut", "enter"],
    "Requests": ["fetch"],
  },
  User: {
    "The user": ["getCurrentUser", "getUserInfo", "getConnections", "getAuthorization"],
    "Guilds of the user": ["getUserGuilds", "eachUserGuild", "getGuildMember"],
    "Linked roles": [
      "getRoleConnection",
      "setRoleConnection",
      "deleteRoleConnection",
      "getRoleConnectionMetadata",
      "setRoleConnectionMetadata",
    ],
    "Purchases": ["getEntitlements", "getApplicationEntitlements"],
    "Permissions of commands": ["getCommandPermissions", "setCommandPermissions"],
    "Guilds of a bot": [
      "getGuild",
      "getGuildMemberById",
      "addGuildMember",
      "addMemberRole",
      "removeMemberRole",
      "leaveGuild",
    ],
    "Other operations": ["request"],
  },
};

/** The exports that the first page begins with. */
const mostUsed: readonly string[] = [
  ...["Login", "LoginOptions", "Session", "SessionClient", "User", "AuthUrl", "Bot", "Permissions"],
  ...["PlatformApi", "TokenSource", "FakePlatform", "GuildpassError"],
];

/** The exports that the row of an entry point names, or else its first functions and values. */
const mainExports: readonly string[] = [
  ...mostUsed,
  ...["createFakePlatform", "avatarUrl", "bannerUrl", "guildIconUrl"],
];

/** The types that signatures need, and users seldom name. */
const helperTypes: readonly string[] = [
  "ClientId",
  "FakeFields",
  "FlagsValue",
  "Lacking",
  "MembersOption",
  "NeedsStoreOrKeepToken",
  "NotInferred",
  "ReturnsJson",
  "RightMembers",
  "SessionApi",
  "SessionToken",
  "SessionWith",
  "SpelledScope",
  "SufficientScope",
  "UserIdWithStore",
];

const noteOnNull =
  "Many methods also accept `null` for `options?` and `params?`. The signatures don't show it.\n";

/** The options of the plugin that writes Markdown. */
const markdownOptions = {
  entryFileName: "index",
  // The paths begin with `sdk`, without `@guildpass`.
  excludeScopesInPaths: true,
  hideBreadcrumbs: true,
  useCustomAnchors: true,
  hidePageHeader: true,
  indexFormat: "table",
  theme: "api",
  expandObjects: true,
  // So the signature has the types of parameters without a description, which have no entry of their own.
  expandParameters: true,
  pageTitleTemplates: {
    index: "{projectName}",
    module: "{name}",
    member: ({ rawName }: { rawName: string }) => rawName.replace(/<[^]*/, ""),
  },
};

/**
 * Writes a page for every export, and returns the sidebars by the beginning of the path on the site.
 *
 * @param folder The folder of the pages, which is `/api/` on the site.
 * @param guides The guides that the pages link to.
 */
export async function writeApiPages(
  folder: URL,
  guides: readonly Guide[],
): Promise<Record<string, SidebarItem[]>> {
  const app = await Application.bootstrapWithPlugins({
    plugin: ["typedoc-plugin-markdown"],
    entryPoints: Object.keys(moduleNames).map((path) => root + path),
    sortEntryPoints: false,
    tsconfig: fileURLToPath(new URL("tsconfig.json", import.meta.url)),
    // `deno task check` checks the types.
    skipErrorChecking: true,
    name: "API reference",
    basePath: root,
    readme: "none",
    router: "member",
    out: fileURLToPath(folder),
    excludeInternal: true,
    excludePrivate: true,
    // The property of `User` that has a type alone.
    excludeProtected: true,
    // Members that errors have from JavaScript.
    excludeExternals: true,
    preservedTypeAnnotationTags: ["@throws"],
    kindSortOrder: ["Class", "Function", "Variable", "Interface", "TypeAlias"],
    groupOrder: [
      ...["Classes", "Functions", "Variables", "Interfaces", "Type Aliases"],
      ...["Constructors", "*"],
    ],
    logLevel: "Warn",
    ...markdownOptions,
  });
  app.renderer.defineTheme("api", ApiTheme);
  const pages = new ApiPages(app, guides);
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => pages.arrange(project));
  // After TypeDoc has made its own groups.
  app.converter.on(Converter.EVENT_RESOLVE_END, ({ project }) => pages.group(project), -1000);
  // After TypeDoc has given each page its path.
  app.renderer.on(RendererEvent.BEGIN, ({ project }) => showTitles(project));
  app.renderer.on(PageEvent.END, (page) => pages.complete(page));
  const project = await app.convert();
  if (!project) throw new Error("TypeDoc could not read the source");
  await app.generateOutputs(project);
  if (app.logger.hasErrors() || app.logger.hasWarnings()) {
    throw new Error("TypeDoc found mistakes in the documentation");
  }
  return sidebars(project, pages.urls);
}

/** The pages of TypeDoc, in this library's own order and with further texts. */
class ApiPages {
  /** The address of each written page. */
  readonly urls = new Map<Reflection, string>();
  readonly #app: Application;
  readonly #guides: readonly Guide[];
  /** The path in the repository of each source. */
  readonly #files = new Map<Reflection, string>();
  #exports: readonly Exported[] = [];
  /** The groups of pages that list all their members at the top. */
  readonly #grouped = new Map<Reflection, readonly MemberGroup[]>();

  constructor(app: Application, guides: readonly Guide[]) {
    this.#app = app;
    this.#guides = guides;
  }

  /** Names the modules as users import them, gives each export one page, and formats the tags. */
  arrange(project: ProjectReflection): void {
    const reflections = Object.values(project.reflections);
    for (const reflection of reflections) this.#files.set(reflection, takeFile(reflection));
    for (const module of project.children ?? []) {
      module.name = moduleNames[this.#files.get(module) ?? ""] ?? module.name;
    }
    this.#exports = moveToOwners(project, this.#files);
    const names: Names = new Map(
      this.#exports.map(([reflection]) => [reflection.name, reflection]),
    );
    project.comment = new Comment([
      { kind: "text", text: "Most applications use " },
      ...mostUsed.flatMap((name, index): CommentDisplayPart[] => [
        { kind: "text", text: index > 0 ? ", " : "" },
        { kind: "code", text: `\`${name}\`` },
      ]),
      { kind: "text", text: "." },
    ]);
    const base = names.get("GuildpassError");
    for (const [reflection] of this.#exports) {
      showValues(reflection);
      if (!isError(reflection) || reflection === base || !base) continue;
      const link = { kind: "inline-tag", tag: "@linkcode", text: base.name, target: base } as const;
      const text = { kind: "text", text: ", which has an example of a `switch`" } as const;
      reflection.comment?.blockTags.push(new CommentTag("@see", [link, text]));
    }
    for (const reflection of Object.values(project.reflections)) {
      const { comment } = reflection;
      if (comment) {
        formatComment(comment, names);
        linkNames(comment, names, this.#ownerOf(reflection));
      }
    }
    for (const reflection of Object.values(project.reflections)) {
      if (!(reflection instanceof DeclarationReflection)) continue;
      showAsProperty(reflection);
      showConstraint(reflection, this.#ownerOf(reflection));
    }
  }

  /** Returns the export that a reflection belongs to. */
  #ownerOf(reflection: Reflection): DeclarationReflection | undefined {
    const isExport = ([one]: Exported) => one === reflection;
    const found = this.#exports.find(isExport)?.[0];
    return found ?? (reflection.parent && this.#ownerOf(reflection.parent));
  }

  /** Groups the members of large pages. */
  group(project: ProjectReflection): void {
    for (const reflection of Object.values(project.reflections)) {
      if (reflection.isParameter()) nameObject(reflection);
      if (reflection.kindOf(ReflectionKind.Property)) {
        listFields(reflection as DeclarationReflection);
      }
      // Those of a property, whose type is a function.
      const parameters = reflection.comment && parametersTag(reflection.comment);
      if (!parameters || !reflection.comment) continue;
      const { blockTags } = reflection.comment;
      // In the order of a method.
      const examples = blockTags.filter(({ tag }) => tag === "@example");
      const results = blockTags.filter(({ tag }) => tag === "@returns");
      const others = blockTags.filter((one) => !examples.includes(one) && !results.includes(one));
      reflection.comment.blockTags = [parameters, ...results, ...examples, ...others];
    }
    const guide = this.#guides.find(({ path }) => path === "docs/login_options.md");
    const all = { ...memberGroups, LoginOptions: groupsOf(guide?.markdown ?? "") };
    for (const [name, groups] of Object.entries(all)) {
      const found = project.getReflectionsByKind(ReflectionKind.ClassOrInterface)
        .filter((reflection) => reflection.name === name);
      if (found.length !== 1) throw new Error(`There are ${found.length} pages of ${name}`);
      for (const reflection of found) {
        groupMembers(reflection as DeclarationReflection, groups);
        if (name === "LoginOptions") this.#linkGuides(reflection as DeclarationReflection, guide);
      }
    }
    for (const module of project.getReflectionsByKind(ReflectionKind.Module)) {
      separateHelpers(module as DeclarationReflection);
    }
    for (const [reflection] of this.#exports) {
      // Users read errors, and don't create them.
      if (isError(reflection)) moveConstructorToEnd(reflection);
      const { name, groups = [] } = reflection;
      for (const group of constructorsOf(reflection)) group.title = "Constructor";
      const hasMethods = groups.some(({ title }) => title === "Methods");
      if (!reflection.kindOf(ReflectionKind.Class) && !(name in all) && !hasMethods) continue;
      this.#grouped.set(
        reflection,
        groups.map((
          { title, children },
        ) => [title, children.map((child) => shownName(child, name))]),
      );
    }
  }

  /** Adds the guides that the row of an option links to. */
  #linkGuides({ children = [] }: DeclarationReflection, guide: Guide | undefined): void {
    for (const { name, comment } of children) {
      const [row = ""] = new RegExp(`^\\| \`${name}\` .*`, "m").exec(guide?.markdown ?? "") ?? [];
      const links = [...row.matchAll(/\]\((\w+\.md)(#[\w-]+)?\)/g)].flatMap(
        ([, file = "", heading = ""]) => {
          const target = this.#guides.find(({ path }) => path === `docs/${file}`);
          return target ? [`[${target.title}](../../../../docs/${file}${heading})`] : [];
        },
      );
      const text = `\n\nGuide: ${links.join(", ")}`;
      if (links.length > 0) comment?.summary.push({ kind: "text", text });
    }
  }

  /** Adds the path of the source, the imports, the other exports of a module, and the guides to a page. */
  complete(page: PageEvent): void {
    const reflection = page.model as DeclarationReflection;
    this.urls.set(reflection, page.url);
    const own = this.#exports.filter(([{ parent }]) => parent === reflection);
    const others = this.#exports.filter(([, [, ...others]]) => others.includes(reflection));
    const part = reflection.kindOf(ReflectionKind.Project) ? "Entry point" : "Topic";
    const [title = "", text = ""] = apiMarkdown(page.contents ?? "", part).split(/\n([^]*)/);
    const exported = own.length > 0 ? own : this.#exports.filter(([one]) => one === reflection);
    // The exports of the main module have their pages below its topics and other modules.
    const main = this.#exports.filter(([{ name, kind }, modules]) =>
      modules.includes(reflection) && mostUsed.includes(name) && !(kind & onlyTypes)
    );
    const body = withMemberList(text, this.#grouped.get(reflection) ?? []);
    const contents = [
      `---\nsource: ${this.#files.get(reflection) || "mod.ts"}\n---\n`,
      title,
      exported.length > 0
        ? importLines(own.length > 0 ? exported.filter(([one]) => !isHelper(one)) : exported)
        : importLines(main, [reflection]),
      withShortSignatures(withNoteOnNull(body)),
      alsoExported(others, own.length > 0, (target) => this.#linkTo(target, page)),
      reflection.isProject() ? noteOnNull : "",
      guideLinks(reflection, this.#guides, page.url),
      own.length === 0 && exported.length > 0 ? this.#sourceLink(reflection) : "",
    ].join("\n");
    const local = contents
      // Hovers need the whole address of a guide.
      .replaceAll(
        /\]\(https:\/\/guildpass\.github\.io\/sdk\/(docs\/\w+)\.html/g,
        (_, guide) => `](${relative(dirname(`api/${page.url}`), guide)}.md`,
      )
      // For TypeDoc, the member `data` is the second one after the type parameter `Data`, which has no heading here.
      .replaceAll(/(\.md#\w+)-1\)/g, "$1)");
    page.contents = reflection.isProject()
      ? this.#withMainExports(local, page)
      : withCodes(local, own.map(([one]) => one));
    checkApiMarkdown(page.url, page.contents);
  }

  /** Names the main exports of each entry point in its row. */
  #withMainExports(markdown: string, page: PageEvent): string {
    return markdown.replace(/^(\| \[(@.*?)\].*) \|$/gm, (_, row, name) => {
      const exports = this.#exports.filter(([, [owner]]) => owner?.name === name)
        .map(([reflection]) => reflection);
      const main = exports.filter((one) => mainExports.includes(one.name));
      const values = exports.filter((one) => one.kindOf(ReflectionKind.SomeValue));
      const links = (main.length > 0 ? main : values.slice(0, 3))
        .map((one) => this.#linkTo(one, page));
      return `${row} Main exports: ${links.join(", ")}. |`;
    });
  }

  #sourceLink(reflection: Reflection): string {
    return `\n[Source](${repository}/blob/main/${this.#files.get(reflection)})\n`;
  }

  #linkTo(target: Reflection, { url }: PageEvent): string {
    const address = this.#app.renderer.router?.getFullUrl(target) ?? "";
    return `[${target.name}](${relative(dirname(url), address)})`;
  }
}

/** Returns the repository path of a reflection's source, and removes it, because every member would show it. */
function takeFile(reflection: Reflection): string {
  if (!reflection.isDeclaration() && !reflection.isSignature()) return "";
  const [source] = reflection.sources ?? [];
  delete reflection.sources;
  return source?.fileName ?? "";
}

/**
 * Gives each export one page, below the module whose folder its source lies in, or else below the first module.
 */
function moveToOwners(
  project: ProjectReflection,
  files: ReadonlyMap<Reflection, string>,
): Exported[] {
  const exports = new Map<DeclarationReflection, DeclarationReflection[]>();
  for (const module of project.children ?? []) {
    for (const child of [...module.children ?? []]) {
      const target = child instanceof ReferenceReflection ? child.getTargetReflectionDeep() : child;
      if (child !== target) project.removeReflection(child);
      if (!(target instanceof DeclarationReflection)) continue;
      exports.set(target, [...exports.get(target) ?? [], module]);
    }
  }
  for (const [target, modules] of exports) {
    const file = files.get(target) ?? "";
    const isBeside = (module: Reflection) => {
      const path = files.get(module) ?? "";
      return path === file || (dirname(path) !== "src" && file.startsWith(`${dirname(path)}/`));
    };
    modules.sort((one, other) => Number(isBeside(other)) - Number(isBeside(one)));
    const [owner] = modules;
    if (owner) move(target, files.get(owner) === "mod.ts" ? topicOf(file, owner) : owner);
  }
  return [...exports];
}

/** Returns the part of the main module for the exports of a source. */
function topicOf(file: string, module: DeclarationReflection): DeclarationReflection {
  const [name, text] = topics[file.split("/")[1] ?? ""] ?? [];
  if (!name || !text) throw new Error(`Could not find a topic for ${file}`);
  const existing = module.children?.find((child) => child.name === name);
  if (existing) return existing;
  const topic = new DeclarationReflection(name, ReflectionKind.Module, module);
  topic.comment = new Comment(
    text.split(/(`\w+`)/).map((part) => ({ kind: part[0] === "`" ? "code" : "text", text: part })),
  );
  module.project.registerReflection(topic, undefined, undefined);
  module.addChild(topic);
  return topic;
}

/** Returns the options in each section of a guide. */
function groupsOf(guide: string): Groups {
  const sections = guide.split(/^## /m).map((section) => {
    const [title = ""] = section.split("\n");
    return [title, [...section.matchAll(/^\| `(\w+)`/gm)].map(([, name = ""]) => name)] as const;
  });
  return Object.fromEntries(sections.filter(([, names]) => names.length > 0));
}

/**
 * Replaces the groups of TypeDoc. Keeps that of the constructor, as the first one.
 *
 * @throws If a member has no group, or a group has no such member.
 */
function groupMembers(reflection: DeclarationReflection, groups: Groups): void {
  const members = new Map(reflection.children?.map((child) => [child.name, child]));
  const grouped = Object.entries(groups).map(([title, names]) => {
    const group = new ReflectionGroup(title, reflection);
    group.children = names.map((name) => {
      const member = members.get(name);
      if (!member) throw new Error(`${reflection.name} has no member ${name}`);
      members.delete(name);
      return member;
    });
    return group;
  });
  members.delete("constructor");
  if (members.size > 0) {
    throw new Error(`${reflection.name} has members without a group: ${[...members.keys()]}`);
  }
  reflection.groups = [...constructorsOf(reflection), ...grouped];
}

/** Returns the name of a member in the list of its page. A constructor has the name of its class. */
function shownName({ name }: Reflection, owner: string): string {
  return name === "constructor" ? `new ${owner}` : name;
}

function isError({ name }: Reflection): boolean {
  return name.endsWith("Error");
}

function isHelper({ name }: Reflection): boolean {
  return helperTypes.includes(name);
}

/** Moves the helper types of a module to a group at the end. */
function separateHelpers(module: DeclarationReflection): void {
  const helpers = new ReflectionGroup("Helper types", module);
  helpers.children = module.children?.filter(isHelper) ?? [];
  if (helpers.children.length === 0) return;
  for (const group of module.groups ?? []) {
    group.children = group.children.filter((child) => !isHelper(child));
  }
  const others = module.groups?.filter(({ children }) => children.length > 0) ?? [];
  module.groups = [...others, helpers];
}

/** Shows the title of a topic instead of its name. */
function showTitles(project: ProjectReflection): void {
  const titles = new Map(Object.values(topics).map(([name, , title]) => [name, title]));
  for (const module of project.getReflectionsByKind(ReflectionKind.Module)) {
    module.name = titles.get(module.name) ?? module.name;
  }
}

/** Shows the names in a list instead of the type of its items, such as `typeof knownScopes[number]`. */
function showValues(reflection: DeclarationReflection): void {
  const { type } = reflection;
  const isNonNullable = type instanceof ReferenceType && type.name === "NonNullable";
  const items = isNonNullable ? type.typeArguments?.[0] : type;
  if (!(items instanceof IndexedAccessType && items.objectType instanceof QueryType)) return;
  const list = items.objectType.queryType.reflection;
  const listType = list instanceof DeclarationReflection ? list.type : undefined;
  const tuple = listType instanceof TypeOperatorType ? listType.target : listType;
  if (!(tuple instanceof TupleType)) throw new Error(`${reflection.name} is not an item of a list`);
  reflection.type = new UnionType(
    tuple.elements.filter((one) => one instanceof LiteralType && one.value !== null),
  );
}

/** Adds the code of each class of errors to the table of a topic. */
function withCodes(markdown: string, exports: readonly DeclarationReflection[]): string {
  const codes = new Map(
    exports.filter(isError).flatMap((reflection) => {
      const { type } = reflection.children?.find(({ name }) => name === "code") ?? {};
      const first = type instanceof UnionType ? type.types[0] : type;
      return first instanceof LiteralType ? [[reflection.name, `\`${first.value}\``] as const] : [];
    }),
  );
  if (codes.size < 2) return markdown;
  return markdown.replace(
    /^\| Class \|.*\n.*\n/m,
    "| Class | Code | Description |\n| --- | --- | --- |\n",
  )
    .replace(
      /^\| \[(\w+)\]\(classes\S+ \|/gm,
      (cell, name) => `${cell} ${codes.get(name) ?? "any"} |`,
    );
}

function moveConstructorToEnd(reflection: DeclarationReflection): void {
  const constructors = constructorsOf(reflection);
  const others = reflection.groups?.filter((group) => !constructors.includes(group)) ?? [];
  reflection.groups = [...others, ...constructors];
}

function constructorsOf({ groups = [] }: DeclarationReflection): ReflectionGroup[] {
  return groups.filter(({ title }) => title === "Constructors");
}

function move(reflection: DeclarationReflection, parent: DeclarationReflection): void {
  (reflection.parent as DeclarationReflection).removeChild(reflection);
  reflection.parent = parent;
  parent.addChild(reflection);
}

/** Makes a property of a getter, which a reader uses like one. */
function showAsProperty(reflection: DeclarationReflection): void {
  const { getSignature, setSignature } = reflection;
  if (!reflection.kindOf(ReflectionKind.Accessor) || !getSignature) return;
  reflection.kind = ReflectionKind.Property;
  if (getSignature.type) reflection.type = getSignature.type;
  if (getSignature.comment) reflection.comment = getSignature.comment;
  if (!setSignature) reflection.setFlag(ReflectionFlag.Readonly);
  delete reflection.getSignature;
  delete reflection.setSignature;
}

/** Lists the fields of a property that has options. */
function listFields({ type, comment }: DeclarationReflection): void {
  const fields = fieldsOf(type);
  if (fields.length > 0) comment?.summary.push({ kind: "text", text: "\n\nFields: " }, ...fields);
}

/** Shows the possible types of a property instead of the name of a type parameter. */
function showConstraint(
  reflection: DeclarationReflection,
  owner: DeclarationReflection | undefined,
): void {
  const { type } = reflection;
  if (!reflection.kindOf(ReflectionKind.Property) || !(type instanceof ReferenceType)) return;
  const parameter = owner?.typeParameters?.find(({ name }) => name === type.name);
  if (parameter?.type) reflection.type = parameter.type;
}

/** Names an object whose members are parameters. TypeDoc names it after its first member, and gives it the member's description. */
function nameObject(parameter: ParameterReflection): void {
  const { type, comment, name } = parameter;
  if (name === "__namedParameters") {
    // As in `response: Response` and `options: LoginOptions`.
    const [word = "options"] = type instanceof ReferenceType && /[A-Z][a-z]+$/.exec(type.name) ||
      [];
    parameter.name = word.toLowerCase();
  }
  const members = type instanceof ReflectionType ? type.declaration.children ?? [] : [];
  const member = members.find((child) => child.name === name);
  if (!member) return;
  parameter.name = "options";
  if (comment) member.comment ??= comment;
  delete parameter.comment;
}

/** The kinds of exports that JavaScript does not have. */
const onlyTypes = ReflectionKind.Interface | ReflectionKind.TypeAlias;

/** Returns the lines that import exports from the module of their pages: first the values, and then the types. */
function importLines(exports: readonly Exported[], [owner] = exports[0]?.[1] ?? []): string {
  const lines = [false, true].flatMap((areTypes) => {
    const names = exports
      .map(([reflection]) => reflection)
      .filter((reflection) => reflection.kindOf(onlyTypes) === areTypes)
      .map(({ name }) => name);
    const keyword = areTypes ? "import type" : "import";
    return names.length > 0 ? [`${keyword} {${fill(names)}} from "${owner?.name}";`] : [];
  });
  return lines.length > 0 ? `\n\`\`\`ts\n${lines.join("\n")}\n\`\`\`\n` : "";
}

/** Lists names in one line, or in several that are not much longer than the text of a page. */
function fill(names: readonly string[]): string {
  const line = ` ${names.join(", ")} `;
  if (line.length < 50) return line;
  const lines = names.join(", ").match(/.{1,68}(?: |$)/g) ?? [];
  return `\n${lines.map((line) => `  ${line.trim()}\n`).join("")}`.replace(/\n$/, ",\n");
}

/** Lists the exports of a module with pages below another module. The main module has too many types to name them. */
function alsoExported(
  exports: readonly Exported[],
  namesTypes: boolean,
  linkTo: (target: Reflection) => string,
): string {
  const byOwner = Map.groupBy(exports, ([, [owner]]) => owner);
  const lines = [...byOwner].map(([owner, found]) => {
    const named = found.filter(([target]) => namesTypes || !target.kindOf(onlyTypes));
    const left = found.length - named.length;
    const types = left > 0 ? [`${left} ${left > 1 ? "types" : "type"}`] : [];
    const names = [...named.map(([target]) => linkTo(target)), ...types];
    return `- From ${owner && linkTo(owner)}: ${names.join(", ")}\n`;
  });
  return lines.length ? `\n## Also exported\n\n${lines.join("")}` : "";
}

/** Links to the guides that import most from a module, or mention an export or the parts of a topic most. */
function guideLinks(
  reflection: DeclarationReflection,
  guides: readonly Guide[],
  url: string,
): string {
  const { name, children = [] } = reflection;
  // Members such as `url` and `session` are also words of other code.
  const isModule = reflection.kindOf(ReflectionKind.Module) || reflection.isProject();
  const parts = isModule ? children : [];
  const names = [name, ...parts.map(({ name }) => name)].map((name) => name.replace(/\W/g, "\\$&"));
  const pattern = name.startsWith("@")
    ? `"${name}"`
    : `(?<![\\w.@/"-])(?:${names.join("|")})(?![\\w"-])`;
  const lines = guidesWith(new RegExp(pattern, "g"), new RegExp(`\\b${names[0]}s?\\b`, "i"), guides)
    .map(({ path, title }) => `- [${title}](${relative(dirname(`api/${url}`), path)})`);
  return lines.length ? `\n## Guides\n\n${lines.join("\n")}\n` : "";
}

/** The weight of a match in the title of a guide, compared with one in its code. */
const titleWeight = 10;

/** Returns the guides with the most matches in their code and title. Leaves out those with less than a third of the first one's. */
function guidesWith(pattern: RegExp, inTitle: RegExp, guides: readonly Guide[]): Guide[] {
  const found = guides
    .map((guide) => {
      const code = guide.markdown.match(/```[^]*?```|`[^`]+`/g) ?? [];
      const inCode = code.join("\n").match(pattern)?.length ?? 0;
      return { guide, count: inCode && inCode + (inTitle.test(guide.title) ? titleWeight : 0) };
    })
    .sort((one, other) => other.count - one.count);
  const least = Math.max(1, (found[0]?.count ?? 0) / 3);
  return found.filter(({ count }) => count >= least).slice(0, 4).map(({ guide }) => guide);
}

/** Returns the sidebar of each module and topic: all modules and topics, and the pages of that one. */
function sidebars(
  project: ProjectReflection,
  urls: ReadonlyMap<Reflection, string>,
): Record<string, SidebarItem[]> {
  const modules = project.children ?? [];
  const topicsOf = ({ children = [] }: DeclarationReflection) =>
    children.filter((child) => child.kindOf(ReflectionKind.Module));
  const itemOf = (reflection: DeclarationReflection, open?: Reflection): SidebarItem => {
    const isOpen = reflection === open || topicsOf(reflection).some((topic) => topic === open);
    const groups = isOpen && reflection.groups || [];
    const items = groups.flatMap((group) => groupItems(group, groups[0]?.title, open));
    const link = `/api/${urls.get(reflection)}`;
    return { text: reflection.name, link, ...(items.length > 0 ? { items } : {}) };
  };
  const groupItems = (
    { title, children }: ReflectionGroup,
    first?: string,
    open?: Reflection,
  ): readonly SidebarItem[] => {
    const items = children
      .filter((child) => child instanceof DeclarationReflection && urls.has(child))
      .map((child) => itemOf(child as DeclarationReflection, open));
    if (items.length === 0) return [];
    if (title === "Modules") return items;
    // The group of the current page opens by itself.
    return [{ text: title, items, collapsed: title !== first || items.length > 8 }];
  };
  const sidebar = (open?: Reflection) => [{
    text: project.name,
    link: "/api/",
    items: modules.map((module) => {
      const text = module.name.replace(`${config.name}/`, "/");
      return { ...itemOf(module, open), text };
    }),
  }];
  return Object.fromEntries([
    ["/api/", sidebar()],
    ...modules.flatMap((module) => [module, ...topicsOf(module)]).map((module) => [
      `/api/${urls.get(module)?.replace("index.md", "")}`,
      sidebar(module),
    ]),
  ]);
}
