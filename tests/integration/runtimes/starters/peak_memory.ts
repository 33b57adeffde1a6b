import { readdirSync, readFileSync } from "node:fs";

/** Returns the peak memory of a process in bytes, or null on a system without /proc. */
export function peakMemory(id: number | "self"): number | null {
  const [, kibibytes] = /^VmHWM:\s+(\d+) kB$/m.exec(read(`/proc/${id}/status`)) ?? [];
  return kibibytes === undefined ? null : Number(kibibytes) * 1024;
}

/** Lists the processes that a process has started. */
export function childrenOf(parent: number): number[] {
  return readdirSync("/proc")
    .filter((name) => read(`/proc/${name}/status`).includes(`\nPPid:\t${parent}\n`))
    .map(Number);
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
