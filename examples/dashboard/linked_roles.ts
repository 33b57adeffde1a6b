/** Linked roles: a server may give a role to people who have written greetings. @module */

import { User } from "@guildpass/sdk";
import type { Settings } from "./login.ts";

/** The scopes to ask for. They exclude PKCE. With `openid`, Discord signs the id of the person. */
export const linkedRolesScope = ["openid", "role_connections.write"] as const;

/** Tells Discord about the number that a server may demand. Once is enough. */
export async function registerNumber({ clientId, botToken, client }: Settings): Promise<void> {
  await new User(botToken, { ...client, tokenType: "Bot" }).setRoleConnectionMetadata(clientId, [{
    type: "integer_greater_than_or_equal",
    key: "greetings",
    name: "Greetings",
    description: "The minimum of written greetings",
  }]);
}

/** Tells Discord the number of a person. */
export async function sendNumber(user: User, clientId: string, greetings: number): Promise<void> {
  await user.setRoleConnection(clientId, { platform_name: "Greeter", metadata: { greetings } });
}
