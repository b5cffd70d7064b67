// A server in a process of its own, for load.ts: arguments are the build of the server and the number of clients.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as Wajah from '../../../packages/server/dist/index.js';

/** Clock ticks a second, of `/proc`. */
const ticks = 100;

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
  const { user, system } = process.cpuUsage();
  const workers = children();
  const sum = (of: (pid: string) => number) => workers.reduce((all, pid) => all + of(pid), 0);
  const usage: Usage = {
    memory: { server: process.memoryUsage.rss(), workers: sum(residentOf) },
    cpu: { server: (user + system) / 1e6, workers: sum(cpuOf) },
  };
  process.send?.(usage);
});
process.on('disconnect', () => void server.close());

/** Process ids of the workers. */
function children(): string[] {
  return readdirSync('/proc').filter(
    (name) => /^\d+$/.test(name) && Number(/PPid:\s+(\d+)/.exec(read(name, 'status'))?.[1]) === process.pid,
  );
}

function residentOf(pid: string): number {
  return Number(/VmRSS:\s+(\d+)/.exec(read(pid, 'status'))?.[1] ?? 0) * 1024;
}

/** User and system time are the 12th and 13th fields after the name, which is in brackets. */
function cpuOf(pid: string): number {
  const fields = read(pid, 'stat').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / ticks;
}

function read(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    // The process has ended.
    return '';
  }
}
