/**
 * An application as a user of Jest may have it: it takes no platform and no `fetch`.
 *
 * @module
 */

import { sampleApplication } from "@guildpass/sdk/testing";
import { Login } from "@guildpass/sdk/login";

const { id: clientId, secret: clientSecret } = sampleApplication;
const secret = "a secret for a test of 32 characters";
const login = new Login({ clientId, clientSecret, secret, scope: ["identify"] });

export async function handle(request: Request): Promise<Response> {
  const response = await login.handle(request);
  if (response) return response;
  const session = await login.session(request);
  return session ? new Response(`Hello, ${session.user.username}`) : await login.start(request);
}
