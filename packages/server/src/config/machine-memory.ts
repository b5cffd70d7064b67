import { totalmem } from 'node:os';

/** Bytes that this process may use: the machine's memory, or the container's where that has less (cgroups). */
export function machineMemory(): number {
  const limit = process.constrainedMemory() ?? 0;
  // 0 is unknown; without a limit Linux says a number larger than any machine.
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}
