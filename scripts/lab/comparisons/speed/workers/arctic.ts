/**
 * The Worker that is written by hand, with arctic for the link and the exchange.
 *
 * @module
 */

import { Discord } from "arctic";
import { createWorker, type Worker } from "./by_hand.ts";
import { application } from "./platform.ts";
import { readUser } from "./requests_by_hand.ts";

const { clientId, clientSecret, redirectUri, scope } = application;
const discord = new Discord(clientId, clientSecret, redirectUri);

/** The Worker. */
const worker: Worker = createWorker({
  link(state, codeVerifier) {
    const { href } = discord.createAuthorizationURL(state, codeVerifier, [...scope]);
    return Promise.resolve(href);
  },
  async exchange(code, codeVerifier) {
    const tokens = await discord.validateAuthorizationCode(code, codeVerifier);
    return {
      accessToken: tokens.accessToken(),
      expiresIn: (tokens.accessTokenExpiresAt().getTime() - Date.now()) / 1000,
    };
  },
  readUser: (accessToken) => readUser(fetch, accessToken),
});

export default worker;
