import process from "node:process";

/** Returns the time that the processor works for a function, in milliseconds. Other processes do not change it. */
export function processorTime(work: () => void): number {
  const begin = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(begin);
  return (user + system) / 1000;
}
