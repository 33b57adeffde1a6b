/**
 * Makes the guide `docs/scopes.md` from the operations and the scopes of the library, so that it can't become outdated:
 *
 * ```sh
 * deno task scopes         # fails if the guide differs
 * deno task scopes --keep  # writes the guide
 * ```
 *
 * @module
 */

import { fileURLToPath } from "node:url";
import { operations } from "../src/api/operations.ts";
import { approvalScopes, type KnownScope, knownScopes } from "../src/links/scopes.ts";
import { includesScope } from "../src/resources/token.ts";
import { scopeDescriptions } from "../src/testing/world/scopes.ts";
import { run } from "./command.ts";
import { oauth2Operations } from "./oauth2_operations.ts";

const guide = new URL("../docs/scopes.md", import.meta.url);

/** The additions of each scope, besides the methods of `User` that need it: a sentence with a period, or a phrase. */
const additions: Readonly<Record<KnownScope, string>> = {
  "activities.invites.write": "",
  "activities.read": "",
  "activities.write": "",
  "applications.builds.read": "",
  "applications.builds.upload": "",
  "applications.commands":
    "[`installUrl`](inviting_a_bot.md#install-the-application-for-a-person) can add your " +
    "application's commands to a server or account.",
  "applications.commands.permissions.update":
    "See [who may use a command](inviting_a_bot.md#set-who-may-use-a-command).",
  "applications.commands.update":
    "You can [register commands](using_tokens.md#register-a-command-from-a-worker) with `request`. " +
    "Get this scope through `ClientCredentials`, not a login link.",
  "applications.entitlements": "To read one entitlement, use `request`.",
  "applications.store.update": "",
  "bot":
    "Lets the user add your bot to a server. [`token.guild`](inviting_a_bot.md#add-the-bot-with-the-login) is that server.",
  "connections": "",
  "dm_channels.read": "",
  "email": "`user.email` and `user.verified`",
  "gdm.join": "",
  "guilds": "",
  "guilds.join":
    "Your bot can call [`addGuildMember`](people_and_servers.md#add-people-to-a-server-at-the-" +
    "login-guildsjoin) with the user's token.",
  "guilds.members.read": "",
  "identify": "Also includes all `user` fields that don't need another scope.",
  "identify.premium": "`user.premium_type`, which is 0 without this scope",
  "messages.read": "RPC",
  "openid": "[`token.id_token`](login_by_hand.md#verify-the-id_token)",
  "relationships.read": "",
  "role_connections.write": "See [linked roles](linked_roles.md).",
  "rpc": "RPC",
  "rpc.activities.write": "RPC",
  "rpc.notifications.read": "RPC",
  "rpc.screenshare.read": "RPC",
  "rpc.screenshare.write": "RPC",
  "rpc.video.read": "RPC",
  "rpc.video.write": "RPC",
  "rpc.voice.read": "RPC",
  "rpc.voice.write": "RPC",
  "sdk.social_layer":
    "For [lobbies](using_tokens.md#the-operations-that-take-an-oauth2-token), use `request`.",
  "sdk.social_layer_presence": "",
  "voice": "",
  "webhook.incoming":
    "With [`token.webhook`](people_and_servers.md#post-to-a-channel-webhookincoming), you can post to one channel.",
};

if (import.meta.main) {
  if (Deno.args.includes("--keep")) {
    Deno.writeTextFileSync(guide, scopesPage());
    await run([Deno.execPath(), "fmt", "--quiet", fileURLToPath(guide)]);
  } else if (!isUpToDate(Deno.readTextFileSync(guide))) {
    console.error("docs/scopes.md differs from the source: write it with deno task scopes --keep");
    Deno.exitCode = 1;
  }
}

/** Returns true if a text is the guide, apart from the spaces, line breaks and widths of the formatter. */
export function isUpToDate(text: string): boolean {
  const [found, expected] = [text, scopesPage()].map((page) =>
    page.replace(/-{3,}/g, "---").replace(/\s+/g, " ")
  );
  return found === expected;
}

/** Returns the guide. */
export function scopesPage(): string {
  const open = knownScopes.filter((scope) => !approvalScopes.includes(scope));
  const closed = knownScopes.filter((scope) => approvalScopes.includes(scope));
  return `# Scopes and what they allow

Each scope adds a line to Discord's consent page.
“—” means this library has no method for the scope. [The list of operations](using_tokens.md#the-operations-that-take-an-oauth2-token) shows the scope each call needs.

If a token's \`scope\` doesn't include what a call needs, the call throws a \`MissingScopeError\` and sends no request. Add the scope to the \`Login\`, or [request it later](asking_for_more.md).

## Scopes for every application

${table(["Scope", "What users read", "What it allows"], open.map(rowOfScope))}

## Scopes that need Discord's approval

Without approval, the consent page looks normal, but clicking “Authorize” fails with \`invalid_scope\`. Some of these scopes
work for testers you invite. The library exports this list as \`approvalScopes\`. Scopes marked “RPC” are for programs that talk to
the Discord client on the user's computer, not for this library.

${table(["Scope", "What users read", "What it allows"], closed.map(rowOfScope))}

## Calls that need no scope

- With any user's token: ${methodsWhere((operation) => isForEveryToken(operation)).join(", ")}.
- With a bot's token, \`new User(botToken, { tokenType: "Bot" })\`: ${
    methodsWhere((operation) => !isForEveryToken(operation) && operation.scope === null).join(", ")
  }.

## What no scope allows

No scope lets you read messages or see friends, voice channels or a server's other members. See
[what you can do instead](people_and_servers.md#what-no-scope-can-do-messages-friends-voice).
`;
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  return [heads, heads.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");
}

function rowOfScope(scope: KnownScope): string[] {
  const included = knownScopes.filter((other) => other !== scope && includesScope([scope], other));
  const methods = methodsWhere((operation) => operation.scope === scope);
  const opened = [
    methods.join(", "),
    included.length > 0
      ? `Everything that ${included.map(code).join(" and ")} allow${included.length > 1 ? "" : "s"}`
      : "",
    additions[scope],
  ].filter((part) => part !== "");
  const separator = additions[scope].endsWith(".") ? ". " : ", ";
  return [code(scope), scopeDescriptions[scope] ?? "", opened.join(separator) || "—"];
}

/** The part of an operation that this page shows. */
interface ShownOperation {
  readonly path: string;
  readonly scope: string | null;
  readonly method?: string;
  readonly forBots?: boolean;
}

/** Returns the methods of `User` for the operations that match, in the order of the source. */
function methodsWhere(matches: (operation: ShownOperation) => boolean): string[] {
  return Object.entries<ShownOperation>(operations)
    .filter(([, operation]) => matches(operation))
    .map(([name]) => code(name));
}

/** Returns true for an operation that needs a token, and no scope or bot. */
function isForEveryToken({ scope, forBots, path }: ShownOperation): boolean {
  return scope === null && !forBots &&
    oauth2Operations.some((operation) => withoutNames(operation.path) === withoutNames(path));
}

function withoutNames(path: string): string {
  return path.replace(/\{\w+\}/g, "{}");
}

function code(text: string): string {
  return `\`${text}\``;
}
