/**
 * Makes the certificate with which the fake platform replaces the real hosts.
 *
 * @module
 */

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { platformHosts } from "./redirect.ts";

/** Makes a certificate for the platform's hosts, valid for a day. */
export function makeCertificate(): { readonly key: string; readonly cert: string } {
  const folder = mkdtempSync(join(tmpdir(), "guildpass-clients-"));
  try {
    const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
    const names = platformHosts.map((host) => `DNS:${host}`).join(",");
    execFileSync("openssl", [
      ...["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"],
      ...["-days", "1", "-subj", "/CN=discord.com", "-addext", `subjectAltName=${names}`],
      ...["-keyout", key, "-out", cert],
    ], { stdio: "pipe" });
    return { key: readFileSync(key, "utf8"), cert: readFileSync(cert, "utf8") };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
