// The most memory a process has had so far, in bytes, where the system tells it
import { readdirSync, readFileSync } from "node:fs";

export function peakMemory(id: number | "self"): number | null {
  const [, kibibytes] = /^VmHWM:\s+(\d+) kB$/m.exec(read(`/proc/${id}/status`)) ?? [];
  return kibibytes === undefined ? null : Number(kibibytes) * 1024;
}

/** The processes that a process has started. */
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
