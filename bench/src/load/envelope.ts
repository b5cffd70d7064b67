import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { text } from 'node:stream/consumers';
import { endpoints } from '../../../packages/contract/dist/index.js';
import { type BenchServer, ownBuild, startBenchServer } from './server.ts';

const autocannon = createRequire(import.meta.url).resolve('autocannon');

/** Prints calls a second that need no picture, of this build and of others, in turn. */
export async function callsWithoutPictures(others: readonly string[], seconds: number): Promise<void> {
  const builds = [...others, ownBuild];
  const servers = await Promise.all(builds.map((build) => startBenchServer({}, { build })));
  console.log(
    '| calls a second | ' +
      builds.map((build) => (build === ownBuild ? 'this build' : build)).join(' | ') +
      ' |',
  );
  console.log(`| --- |${' --- |'.repeat(builds.length)}`);
  for (const { id, path } of [endpoints.getCounters, endpoints.listGalleries]) {
    const rates: number[] = [];
    for (const round of [0, 1, 2]) {
      for (const [index, server] of servers.entries()) {
        const rate = await rateOf(server, path, round === 0 ? 2 : seconds);
        if (round > 0) rates[index] = Math.max(rates[index] ?? 0, rate);
      }
    }
    console.log(`| ${id} | ${rates.map((rate) => Math.round(rate)).join(' | ')} |`);
  }
  await Promise.all(servers.map((server) => server.stop()));
}

async function rateOf({ url, tokens }: BenchServer, path: string, seconds: number): Promise<number> {
  const options = ['-j', '-c', '32', '-d', `${seconds}`, '-H', `accesstoken=${tokens[0]}`, url + path];
  const child = spawn(process.execPath, [autocannon, ...options], { stdio: ['ignore', 'pipe', 'ignore'] });
  const [out] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  const result = JSON.parse(out) as { requests: { average: number }; non2xx: number };
  if (result.non2xx > 0) throw new Error(`${result.non2xx} calls of ${path} failed`);
  return result.requests.average;
}
