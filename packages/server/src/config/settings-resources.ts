import { z } from 'zod';
import { machineCores, machineMemory } from '../lib/machine.ts';
import { measured } from '../sizing/measured.ts';
import { maskDatabaseUrl, parseDatabaseUrl } from './database-url.ts';
import { choice, command, define, group, integer, mebibytes, text, toggle } from './setting.ts';

/** PostgreSQL; null: the embedded database of the data directory. */
export const database = group(
  'Database',
  {
    url: define({
      name: 'WAJAH_DATABASE_URL',
      fallback: { text: 'none: the embedded database of the data directory', value: null },
      allowed: 'postgres://user:password@host:port/database, several hosts separated by commas',
      schema: z.string().transform((given) => {
        // The message of its error names the wrong part of the URL and never shows the password.
        parseDatabaseUrl('WAJAH_DATABASE_URL', given);
        return given;
      }),
      secret: maskDatabaseUrl,
      description:
        'PostgreSQL database that several servers share. Needs WAJAH_SECRET_KEY, the same for all of them.',
    }),
    connections: define({
      name: 'WAJAH_DATABASE_POOL',
      fallback: '10',
      ...integer(1, 1000),
      unit: 'connections',
      description: 'Maximum number of connections of one server; two more while large galleries are loaded.',
    }),
  },
  ({ url, ...rest }) => (url === null ? null : { url, ...rest }),
);

const mostWorkers = 64;

/** Workers by default: a core each beside that of the server, as many as there is memory for by their measured need. */
export function workersFor(cores: number, memoryBytes: number): number {
  const { server, bodies, system, worker } = measured.memoryMb;
  const held = Math.floor((memoryBytes / 1e6 - server - bodies - system) / worker);
  return Math.max(1, Math.min(cores - 1, held, mostWorkers));
}

export const engine = group('Engine', {
  workers: define({
    name: 'WAJAH_ENGINE_WORKERS',
    fallback: {
      text: `cores − 1 of the machine or the container's quota, as many as its memory holds, from 1 to ${mostWorkers}`,
      value: workersFor(machineCores(), machineMemory()),
    },
    ...integer(1, mostWorkers),
    description: 'Worker processes that analyse pictures; each loads its own copy of the models.',
  }),
  queue: define({
    name: 'WAJAH_ENGINE_QUEUE',
    fallback: '64',
    ...integer(0, 10_000),
    unit: 'pictures',
    description: 'Pictures that may wait for a worker; further calls are answered 503 at once.',
  }),
  deadlineMs: define({
    name: 'WAJAH_ENGINE_DEADLINE_MS',
    fallback: '10000',
    ...integer(100, 600_000),
    unit: 'ms',
    description:
      'Deadline for all pictures of a call together in milliseconds, from when the first one was received. A picture that would not be done by then is answered 503 and not begun.',
  }),
  launcher: define({
    name: 'WAJAH_ENGINE_LAUNCHER',
    fallback: { text: 'none', value: [] },
    ...command(),
    description:
      'Program that starts each worker with fewer rights, such as `/usr/bin/setpriv --no-new-privs --pdeathsig KILL`; the command of the worker is appended.',
  }),
});

export const packs = group('Engine', {
  use: define({
    name: 'WAJAH_PACK',
    fallback: { text: 'the choice of `wajah models use`, else what the start takes', value: null },
    ...text(64),
    description:
      'Model pack to run. Galleries enrolled with another one are refused. A start takes plus while nobody is enrolled, else the pack of the people.',
  }),
  pad: define({
    name: 'WAJAH_PAD_PACK',
    fallback: 'auto',
    ...choice(['auto', 'off']),
    description:
      'Whether a start that lacks a recommended model pack fetches it, once, from the addresses in its definition: pad, and plus while nobody is enrolled. It waits ten seconds at most, for pad the first one only: what comes later is used after a restart. `off`: nothing is ever fetched.',
  }),
  keptBytes: define({
    name: 'WAJAH_KEEP_PACKS_MB',
    fallback: { text: '16', value: 16 * 2 ** 20 },
    ...mebibytes(0, 1024),
    description:
      'MiB of a model pack up to which the store keeps a copy of it while people are enrolled with it, for backups and further servers. Of a larger one it keeps the addresses and SHA-256.',
  }),
  acceptNonCommercial: define({
    name: 'WAJAH_ACCEPT_NONCOMMERCIAL',
    fallback: 'false',
    ...toggle(),
    description:
      'Acknowledges the use of packs whose licences do not allow, or do not say that they allow, commercial use.',
  }),
});

export const matching = group('Matching', {
  memoryBytes: define({
    name: 'WAJAH_MATCH_MEMORY_MB',
    fallback: {
      text: "a quarter of the machine's or the container's memory, from 1024 to 24576",
      // More people than fit into it would not fit into V8's heap, which has their names.
      value: Math.min(24_576, Math.max(1024, Math.floor(machineMemory() / 4 / 2 ** 20))) * 2 ** 20,
    },
    ...mebibytes(1, 1_048_576),
    description:
      'MiB of memory for galleries: about 1.25 for a thousand faces of 224 dimensions. The least recently searched gallery is evicted first; searches of one that does not fit alone are refused (403).',
  }),
});
