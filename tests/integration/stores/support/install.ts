import { installPackages } from "../../../../scripts/debian_packages.ts";

/** Installs the databases that are missing. Where that fails, so do the tests: an untested store is no example. */
export function setup(): void {
  installPackages([
    { name: "redis-server", program: "/usr/bin/redis-server" },
    { name: "postgresql", program: "/usr/bin/pg_ctlcluster" },
  ]);
}
