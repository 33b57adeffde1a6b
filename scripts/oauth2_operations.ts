/**
 * The operations of the platform's API for OAuth2, and their reader. It reads the declarations of discord-api-spec, made from the
 * platform's own description of its API.
 *
 * @module
 */

import { resolve } from "node:path";
import ts from "npm:typescript@^6.0.0";

/** An operation of the platform's API. */
export interface OAuth2Operation {
  readonly method: string;
  /** The path, with the names of its ids in braces. */
  readonly path: `/${string}`;
  /** The needed scope; `"any"` for a token with any scope, `null` if the description names none. */
  readonly scope: string | null;
}

const commands = "/applications/{application_id}/commands";
const guildCommands = "/applications/{application_id}/guilds/{guild_id}/commands";
const entitlements = "/applications/{application_id}/entitlements";
const roleConnection = "/users/@me/applications/{application_id}/role-connection";

/** The operations. `deno task drift` compares them with the newest description. */
export const oauth2Operations: readonly OAuth2Operation[] = [
  ...operationsAt("identify", ["GET /users/@me"]),
  ...operationsAt("guilds", ["GET /users/@me/guilds"]),
  ...operationsAt("guilds.members.read", ["GET /users/@me/guilds/{guild_id}/member"]),
  ...operationsAt("connections", ["GET /users/@me/connections"]),
  ...operationsAt("role_connections.write", [
    `GET ${roleConnection}`,
    `PUT ${roleConnection}`,
    `DELETE ${roleConnection}`,
  ]),
  ...operationsAt("openid", ["GET /oauth2/userinfo"]),
  ...operationsAt("any", [
    "GET /oauth2/@me",
    "GET /users/@me/applications/{application_id}/entitlements",
    "GET /skus/{sku_id}/subscriptions",
    "GET /skus/{sku_id}/subscriptions/{subscription_id}",
    "POST /applications/{application_id}/attachment",
  ]),
  ...operationsAt("applications.commands.permissions.update", [
    `GET ${guildCommands}/permissions`,
    `GET ${guildCommands}/{command_id}/permissions`,
    `PUT ${guildCommands}/{command_id}/permissions`,
  ]),
  ...operationsAt("applications.commands.update", [
    `GET ${commands}`,
    `POST ${commands}`,
    `PUT ${commands}`,
    `GET ${commands}/{command_id}`,
    `PATCH ${commands}/{command_id}`,
    `DELETE ${commands}/{command_id}`,
    `GET ${guildCommands}`,
    `POST ${guildCommands}`,
    `PUT ${guildCommands}`,
    `GET ${guildCommands}/{command_id}`,
    `PATCH ${guildCommands}/{command_id}`,
    `DELETE ${guildCommands}/{command_id}`,
  ]),
  ...operationsAt("applications.entitlements", [
    `GET ${entitlements}`,
    `GET ${entitlements}/{entitlement_id}`,
    `DELETE ${entitlements}/{entitlement_id}`,
    `POST ${entitlements}/{entitlement_id}/consume`,
  ]),
  ...operationsAt(null, [
    "GET /guilds/{guild_id}/channels",
    "PUT /lobbies",
    "PATCH /lobbies/{lobby_id}/channel-linking",
    "DELETE /lobbies/{lobby_id}/members/@me",
    "POST /lobbies/{lobby_id}/members/@me/invites",
    "GET /lobbies/{lobby_id}/messages",
    "POST /lobbies/{lobby_id}/messages",
  ]),
];

function operationsAt(
  scope: string | null,
  operations: readonly `${string} /${string}`[],
): OAuth2Operation[] {
  return operations.map((operation) => {
    const [method = "", path = ""] = operation.split(" ");
    return { method, path: path as `/${string}`, scope };
  });
}

/** Writes an operation on one line, for a comparison. */
export function operationLine({ method, path, scope }: OAuth2Operation): string {
  return `operation ${method} ${path} (${scope ?? "no"} scope)`;
}

/**
 * Reads the operations from a folder of discord-api-spec.
 *
 * @throws {Error} If the folder has no declarations of operations.
 */
export function readOAuth2Operations(folder: string): OAuth2Operation[] {
  const path = resolve(folder, "build/discord-api-spec.ts");
  const source = ts.createSourceFile(path, ts.sys.readFile(path) ?? "", ts.ScriptTarget.ESNext);
  const paths = source.statements.find((statement) =>
    ts.isInterfaceDeclaration(statement) && statement.name.text === "Paths"
  );
  if (!paths || !ts.isInterfaceDeclaration(paths)) throw new Error(`${path} has no paths`);
  return propertiesOf(paths.members).flatMap(({ name: path, type: methods }) =>
    propertiesOf(membersOf(methods)).flatMap(({ name: method, type: operation }) => {
      const security = propertiesOf(membersOf(operation)).find(({ name }) => name === "security");
      const scopes = security && scopesOf(security.type);
      return scopes
        ? [{ method: method.toUpperCase(), path: path as `/${string}`, scope: nameOf(scopes) }]
        : [];
    })
  );
}

/** Returns the scopes of the OAuth2 alternative; `undefined` without this alternative. */
function scopesOf(security: ts.TypeNode): readonly string[] | undefined {
  if (!ts.isTupleTypeNode(security)) return undefined;
  const [oauth2] = security.elements.flatMap((alternative) =>
    propertiesOf(membersOf(alternative)).filter(({ name }) => name === "OAuth2")
  );
  if (!oauth2 || !ts.isTupleTypeNode(oauth2.type)) return undefined;
  return oauth2.type.elements.flatMap((element) =>
    ts.isLiteralTypeNode(element) && ts.isStringLiteral(element.literal)
      ? [element.literal.text]
      : []
  );
}

/** Returns the one scope, `"any"` for several, or `null` for none. */
function nameOf(scopes: readonly string[]): string | null {
  return scopes.length > 1 ? "any" : scopes[0] ?? null;
}

function membersOf(type: ts.Node): readonly ts.TypeElement[] {
  return ts.isTypeLiteralNode(type) ? type.members : [];
}

function propertiesOf(members: readonly ts.TypeElement[]): { name: string; type: ts.TypeNode }[] {
  return members.flatMap((member) =>
    ts.isPropertySignature(member) && member.type &&
      (ts.isStringLiteral(member.name) || ts.isIdentifier(member.name))
      ? [{ name: member.name.text, type: member.type }]
      : []
  );
}
