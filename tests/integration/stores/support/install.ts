import { installPackages } from "../../../../scripts/debian_packages.ts";

/** Installs the missing databases. If that fails, the tests fail too, because an untested store is not an example. */
export function setup(): void {
  installPackages([
    { name: "redis-server", program: "/usr/bin/redis-server" },
    { name: "mariadb-server", program: "/usr/sbin/mariadbd" },
    { name: "postgresql", program: "/usr/bin/pg_ctlcluster" },
  ]);
}
