import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { type Config, type Environment, unknownSettings } from '../config/config.ts';
import { machineMemory } from '../config/settings-resources.ts';
import { type DoctorFinding, doubtful, good } from './findings.ts';

const gib = 2 ** 30;

/** Unknown settings, cores, memory and file descriptors. */
export function checkMachine(config: Config, env?: Environment): DoctorFinding[] {
  const cores = availableParallelism();
  const { workers } = config.engine;
  return [
    ...unknownSettings(env).map(({ name, nearest }) =>
      doubtful(name, `is no setting; did you mean ${nearest}?`),
    ),
    workers > cores
      ? doubtful(
          'cores',
          `${cores}, but WAJAH_ENGINE_WORKERS is ${workers}: calls wait for each other; lower it`,
        )
      : good('cores', `${cores}, ${workers} engine workers`),
    memory(config),
    ...descriptors(config),
  ];
}

function memory({ engine, matching }: Config): DoctorFinding {
  const wanted = matching.memoryBytes + engine.workers * 0.5 * gib;
  const found = `${(machineMemory() / gib).toFixed(1)} GiB, of which matching may use ${(matching.memoryBytes / gib).toFixed(1)}`;
  return wanted > machineMemory()
    ? doubtful('memory', `${found}; lower WAJAH_MATCH_MEMORY_MB`)
    : good('memory', found);
}

/** Sockets of callers, which a server may hold by the thousand, beside files, pipes of workers and the database. */
const neededDescriptors = 4096;

/** Node raises the soft limit to the hard one at its start. */
function descriptors({ database }: Config): DoctorFinding[] {
  const limit = descriptorLimit();
  if (limit === null) return [];
  const what = 'file descriptors';
  const wanted = neededDescriptors + (database?.connections ?? 0);
  if (limit >= wanted) return [good(what, `${limit}`)];
  return [
    doubtful(
      what,
      `${limit}: more callers than about ${Math.max(0, limit - 100)} at once are refused; raise the hard limit to ${wanted} (LimitNOFILE= of the unit, ulimit -H -n)`,
    ),
  ];
}

/** Null: unknown, as beside Linux. */
function descriptorLimit(): number | null {
  try {
    const [, limit] =
      /^Max open files\s+(\d+|unlimited)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return limit === 'unlimited' ? Number.POSITIVE_INFINITY : Number(limit);
  } catch {
    return null;
  }
}
