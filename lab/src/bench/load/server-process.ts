// A server in a process of its own, for load.ts: arguments are the build of the server and the number of clients.
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { pathToFileURL } from 'node:url';
import type * as Wajah from '../../../../packages/server/dist/index.js';
import { childrenOf, useOf } from './processes.ts';

/** The first message of the process. */
export interface Started {
  readonly url: string;
  readonly tokens: readonly string[];
}

/** The answer to any message: of the server, and of its workers together. */
export interface Usage {
  /** Resident bytes. */
  readonly memory: Shares;
  /** Seconds since the start. */
  readonly cpu: Shares;
}

interface Shares {
  readonly server: number;
  readonly workers: number;
}

const [build = '', clients = '1'] = process.argv.slice(2);
const { createLogger, loadConfig, startServer }: typeof Wajah = await import(
  pathToFileURL(join(build, 'index.js')).href
);
// Lines are made and not written: the standard output is that of the benchmark.
const logger = createLogger('info', { write: () => {} });
const server = await startServer(loadConfig(), logger);
const tokens: string[] = [];
for (let client = 0; client < Number(clients); client++) {
  const clientId = `client-${client}`;
  const { accessToken } = await server.context.accounts.create({ clientId, quota: { hits: -1 } });
  await server.context.clients.register({ clientId, trxId: '', signal: new AbortController().signal });
  tokens.push(accessToken);
}
process.send?.({ url: server.url, tokens } satisfies Started);

/** What the process is asked. */
export type Question = 'usage' | 'cpu' | 'loop' | 'watched';

/** What was measured between two questions. */
export interface Watched {
  /** Seconds. */
  readonly cpu: Shares;
  /** Milliseconds that a turn of the event loop took, beyond those of the clock: 99th percentile, and the longest. */
  readonly loop: { readonly p99: number; readonly max: number };
}

/** Milliseconds. */
const resolution = 1;
const loop = monitorEventLoopDelay({ resolution });
let before: Shares = { server: 0, workers: 0 };

/** Of `/proc`, which is read in steps of 10 ms, where another process is asked. */
const workers = () => useOf(childrenOf(process.pid));
const own = () => process.cpuUsage().user / 1e6 + process.cpuUsage().system / 1e6;

const answers: Readonly<Record<Question, () => unknown>> = {
  usage(): Usage {
    const [server, others] = [useOf([process.pid]), workers()];
    return {
      memory: { server: server.resident, workers: others.resident },
      cpu: { server: server.cpu, workers: others.cpu },
    };
  },
  // To look at the workers takes milliseconds, which the server did not use.
  cpu: () => (before = { workers: workers().cpu, server: own() }),
  loop() {
    loop.reset();
    return loop.enable();
  },
  watched(): Watched {
    const server = own();
    loop.disable();
    const ms = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - resolution);
    return {
      cpu: { server: server - before.server, workers: workers().cpu - before.workers },
      loop: { p99: ms(loop.percentile(99)), max: ms(loop.max) },
    };
  },
};
process.on('message', (question: Question) => process.send?.(answers[question]()));
process.on('disconnect', () => void server.close());
