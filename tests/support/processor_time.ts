import process from "node:process";

/** Returns the processor time of a function, in milliseconds. Other processes do not change it. */
export function processorTime(work: () => void): number {
  const begin = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(begin);
  return (user + system) / 1000;
}
