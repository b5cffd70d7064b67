import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { text } from 'node:stream/consumers';
import { endpoints } from '../../../../packages/contract/dist/index.js';
import { type BenchServer, ownBuild, startBenchServer } from './server.ts';

const autocannon = createRequire(import.meta.url).resolve('autocannon');

/**
 * Prints calls without pictures, of this build and of others in turn: calls a second, the best of three rounds, and CPU
 * time of the server for a call, the least of them. The load generator runs on the same cores.
 */
export async function callsWithoutPictures(others: readonly string[], seconds: number): Promise<void> {
  const builds = [...others, ownBuild];
  const servers = await Promise.all(builds.map((build) => startBenchServer({}, { build })));
  const names = builds.map((build) => (build === ownBuild ? 'this build' : build));
  console.log(
    `| calls a second (CPU time of a call) | ${names.join(' | ')} |\n| --- |${' --- |'.repeat(builds.length)}`,
  );
  for (const { id, path } of [endpoints.getCounters, endpoints.listGalleries]) {
    const rounds: Round[][] = servers.map(() => []);
    for (const round of [0, 1, 2, 3]) {
      for (const [index, server] of servers.entries()) {
        const measured = await measure(server, path, round === 0 ? 2 : seconds / 3);
        if (round > 0) rounds[index]!.push(measured);
      }
    }
    const cells = rounds.map((all) => {
      const rate = Math.max(...all.map(({ perSecond }) => perSecond));
      const cpu = Math.min(...all.map(({ microseconds }) => microseconds));
      return `${Math.round(rate)} (${Math.round(cpu)} µs)`;
    });
    console.log(`| ${id} | ${cells.join(' | ')} |`);
  }
  await Promise.all(servers.map((server) => server.stop()));
}

interface Round {
  readonly perSecond: number;
  /** CPU time of the server for a call. */
  readonly microseconds: number;
}

async function measure(server: BenchServer, path: string, seconds: number): Promise<Round> {
  const { url, tokens } = server;
  const options = ['-j', '-c', '32', '-d', `${seconds}`, '-H', `accesstoken=${tokens[0]}`, url + path];
  const before = await server.usage();
  const child = spawn(process.execPath, [autocannon, ...options], { stdio: ['ignore', 'pipe', 'ignore'] });
  const [out] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  const after = await server.usage();
  const { requests, non2xx, errors } = JSON.parse(out) as Result;
  if (non2xx + errors > 0) throw new Error(`${non2xx + errors} calls of ${path} failed`);
  const microseconds = (1e6 * (after.cpu.server - before.cpu.server)) / requests.total;
  return { perSecond: requests.average, microseconds };
}

/** What autocannon reports. */
interface Result {
  readonly requests: { readonly average: number; readonly total: number };
  readonly non2xx: number;
  readonly errors: number;
}
