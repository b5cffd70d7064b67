// A server in a process of its own, for load.ts: arguments are the build of the server and the number of clients.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as Wajah from '../../../packages/server/dist/index.js';

/** The first message of the process. */
export interface Started {
  readonly url: string;
  readonly tokens: readonly string[];
}

/** The answer to any message. */
export interface Memory {
  /** Resident bytes of the server, and of its workers together. */
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
  process.send?.({ server: process.memoryUsage.rss(), workers: residentOfChildren() } satisfies Memory);
});
process.on('disconnect', () => void server.close());

function residentOfChildren(): number {
  let sum = 0;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8');
      if (Number(/PPid:\s+(\d+)/.exec(status)?.[1]) !== process.pid) continue;
      sum += Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024;
    } catch {
      // The process has ended.
    }
  }
  return sum;
}
