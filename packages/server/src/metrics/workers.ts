import { Counter, type Registry } from 'prom-client';

/** What a reason of a worker's end contains, and the cause that it is counted as; the first that fits counts. */
const causes: readonly [RegExp, string][] = [
  [/SIGKILL/, 'sigkill'],
  [/SIG[A-Z]+/, 'signal'],
  [/no answer/, 'timeout'],
  [/too much memory/, 'memory'],
  [/start/, 'start'],
];

/** Adds the ends of worker processes. @returns counts one, by the engine's reason */
export function workerFaults(registry: Registry): (reason: string) => void {
  const faults = new Counter({
    name: 'wajah_engine_worker_faults_total',
    help: 'Worker processes that ended, by cause: sigkill (short memory), signal (a crash), timeout, memory, start, other',
    labelNames: ['cause'],
    registers: [registry],
  });
  for (const cause of [...causes.map(([, name]) => name), 'other']) faults.inc({ cause }, 0);
  return (reason) => faults.inc({ cause: causes.find(([form]) => form.test(reason))?.[1] ?? 'other' });
}
