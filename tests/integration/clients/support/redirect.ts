/**
 * Redirects the TLS connections of this process to the platform to a server on loopback, and refuses all others. So the
 * clients keep their hard-coded addresses, and reach nothing else.
 *
 * @module
 */

import { syncBuiltinESMExports } from "node:module";
import tls from "node:tls";

/** The hosts of the platform. */
export const platformHosts = ["discord.com", "cdn.discordapp.com"] as const;

/** Redirects connections until it is told to stop. */
export function redirectTls(port: number, certificate: string): () => void {
  const { connect } = tls;
  // Every client passes one object, through node:https or fetch.
  const redirected = (options: tls.ConnectionOptions, ready?: () => void): tls.TLSSocket => {
    const host = options.servername || options.host || "";
    if (!platformHosts.some((one) => one === host)) {
      throw new Error(`${host} is not a host of the platform`);
    }
    return connect(
      { ...options, host: "127.0.0.1", port, servername: host, ca: certificate },
      ready,
    );
  };
  tls.connect = redirected as typeof tls.connect;
  syncBuiltinESMExports();
  return () => {
    tls.connect = connect;
    syncBuiltinESMExports();
  };
}
