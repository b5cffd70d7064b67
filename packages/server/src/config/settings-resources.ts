import { availableParallelism, totalmem } from 'node:os';
import { z } from 'zod';
import { maskDatabaseUrl, parseDatabaseUrl } from './database-url.ts';
import { choice, command, define, group, integer, mebibytes, path, someOf, text, toggle } from './setting.ts';

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

/** As ONNX Runtime names them. */
export const executionProviders = ['cpu', 'cuda', 'tensorrt', 'openvino', 'coreml', 'dml', 'webgpu'] as const;

export const engine = group('Engine', {
  workers: define({
    name: 'WAJAH_ENGINE_WORKERS',
    fallback: { text: 'cores − 1, at least 1', value: Math.max(1, availableParallelism() - 1) },
    ...integer(1, 64),
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
  executionProviders: define({
    name: 'WAJAH_EXECUTION_PROVIDERS',
    fallback: 'cpu',
    ...someOf(executionProviders),
    description:
      'Execution providers of ONNX Runtime in the order of preference. One that cannot be used on this machine is left out with a notice, and cpu is always the last. Only cpu is tested; `wajah doctor` says what is there.',
  }),
  cacheDir: define({
    name: 'WAJAH_CACHE_DIR',
    fallback: './.cache',
    ...path(),
    description:
      'Directory of converted models. May be deleted at any time: the next start converts them again.',
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
      'Whether a start that lacks a recommended model pack fetches it, once, from the addresses in its definition: pad, and plus while nobody is enrolled. It waits ten seconds at most, for pad the first one only. `off`: nothing is ever fetched.',
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
      text: "a quarter of the machine's or the container's memory, at least 1024",
      value: Math.max(1024, Math.floor(machineMemory() / 4 / 2 ** 20)) * 2 ** 20,
    },
    ...mebibytes(1, 1_048_576),
    description:
      'MiB of memory for galleries: about 1.25 for a thousand faces of 224 dimensions. The least recently searched gallery is evicted first; searches of one that does not fit alone are refused (403).',
  }),
});

/** Memory that this process may use, in bytes: the machine's, or the limit of its container (cgroups). */
export function machineMemory(): number {
  const limit = process.constrainedMemory() ?? 0;
  // 0 is unknown; without a limit Linux reports a number larger than any machine.
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}
