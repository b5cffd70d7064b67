// A server in a process of its own, for load.ts: arguments are the build of the server and the number of clients.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as Wajah from '../../../packages/server/dist/index.js';
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
const server = await startServer(loadConfig(), createLogger('silent'));
const tokens: string[] = [];
for (let client = 0; client < Number(clients); client++) {
  const clientId = `client-${client}`;
  const { accessToken } = await server.context.accounts.create({ clientId, quota: { hits: -1 } });
  await server.context.clients.register({ clientId, trxId: '', signal: new AbortController().signal });
  tokens.push(accessToken);
}
process.send?.({ url: server.url, tokens } satisfies Started);
process.on('message', () => {
  const [server, workers] = [useOf([process.pid]), useOf(childrenOf(process.pid))];
  const usage: Usage = {
    memory: { server: server.resident, workers: workers.resident },
    cpu: { server: server.cpu, workers: workers.cpu },
  };
  process.send?.(usage);
});
process.on('disconnect', () => void server.close());
