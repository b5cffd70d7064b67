import { cpus } from 'node:os';

/** The processor, its cores and Node, in words. */
export function machine(): string {
  const [cpu] = cpus();
  return `${cpu?.model.trim() ?? 'unknown processor'}, ${cpus().length} cores, Node ${process.version}`;
}
