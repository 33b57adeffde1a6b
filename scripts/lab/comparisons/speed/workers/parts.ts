/**
 * The Worker that is written by hand, with the parts of this library for the link, the exchange and the user.
 *
 * @module
 */

import { AuthUrl, PlatformApi, User } from "../../../../../mod.ts";
import { createWorker, type Worker } from "./by_hand.ts";
import { application } from "./platform.ts";

const { clientId, clientSecret, redirectUri, scope } = application;
const authUrl = new AuthUrl(clientId, scope, redirectUri);
const api = new PlatformApi(clientId, clientSecret, scope, redirectUri);

/** The Worker. */
const worker: Worker = createWorker({
  link: (state, codeVerifier) => authUrl.makeUrl({ state, codeVerifier }),
  async exchange(code, codeVerifier) {
    const { access_token, expires_in } = await api.accessToken(code, { codeVerifier });
    return { accessToken: access_token, expiresIn: expires_in ?? 604_800 };
  },
  readUser: (accessToken) => new User(accessToken).getCurrentUser(),
});

export default worker;
