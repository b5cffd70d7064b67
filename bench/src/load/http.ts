import { setTimeout as pause } from 'node:timers/promises';
import { endpoints } from '../../../packages/contract/dist/index.js';
import { type BenchServer, startBenchServer } from './server.ts';
import { quantile, type Seen } from './simulation.ts';

/** Sends calls with one picture to a server: `lanes` at a time, or `perSecond` at random times. */
type Driver = (server: BenchServer, body: string, client: number, seen: Seen) => Promise<void>;

async function call(server: BenchServer, body: string, client: number, seen: Seen): Promise<void> {
  const began = performance.now();
  const headers = { accesstoken: server.tokens[client]!, 'content-type': 'application/json' };
  const answer = await fetch(server.url + endpoints.detectFaces.path, { method: 'POST', headers, body });
  await answer.arrayBuffer();
  if (answer.ok) seen.latencies.push(performance.now() - began);
  else seen.refused += 1;
}

const closedLoop =
  (lanes: number, seconds: number): Driver =>
  async (server, body, client, seen) => {
    const until = performance.now() + seconds * 1000;
    const lane = async () => {
      while (performance.now() < until) await call(server, body, client, seen);
    };
    await Promise.all(Array.from({ length: lanes }, lane));
  };

const openLoop =
  (perSecond: number, seconds: number): Driver =>
  async (server, body, client, seen) => {
    const until = performance.now() + seconds * 1000;
    const calls: Promise<void>[] = [];
    for (
      let next = performance.now();
      next < until;
      next += (-Math.log(1 - Math.random()) * 1000) / perSecond
    ) {
      await pause(Math.max(0, next - performance.now()));
      calls.push(call(server, body, client, seen));
    }
    await Promise.all(calls);
  };

async function measure(
  server: BenchServer,
  body: string,
  ...drivers: readonly Driver[]
): Promise<(Seen & { seconds: number })[]> {
  const began = performance.now();
  const all = drivers.map((): Seen => ({ latencies: [], refused: 0 }));
  await Promise.all(drivers.map((drive, client) => drive(server, body, client, all[client]!)));
  const seconds = (performance.now() - began) / 1000;
  return all.map((seen) => ({ ...seen, seconds }));
}

/**
 * Prints goodput and latency of a real server with a picture, under load from 1 to 10 times what it can serve.
 * @param seconds of each row
 */
export async function loadOverHttp(picture: Uint8Array, seconds: number): Promise<void> {
  const server = await startBenchServer({}, { clients: 2 });
  const body = JSON.stringify({ image: Buffer.from(picture).toString('base64'), max_faces: 1 });
  await measure(server, body, closedLoop(2, 3));
  const [peak] = await measure(server, body, closedLoop(2, seconds));
  const perSecond = peak!.latencies.length / peak!.seconds;
  console.log('| load | served a second ÷ peak | p99 ÷ peak | refused |\n| --- | --- | --- | --- |');
  const rows: [string, Driver][] = [
    ['closed loop, 2 in flight (peak)', closedLoop(2, seconds)],
    ['open loop, 0.9 ×', openLoop(0.9 * perSecond, seconds)],
    ['open loop, 4 ×', openLoop(4 * perSecond, seconds)],
    ['open loop, 10 ×', openLoop(10 * perSecond, seconds)],
    ['closed loop, 20 in flight', closedLoop(20, seconds)],
    ['closed loop, 100 in flight', closedLoop(100, seconds)],
  ];
  for (const [name, drive] of rows) {
    const [{ latencies, refused, seconds: took }] = (await measure(server, body, drive)) as [
      Seen & { seconds: number },
    ];
    const p99 = quantile(latencies, 0.99) / quantile(peak!.latencies, 0.99);
    console.log(
      `| ${name} | ${(latencies.length / took / perSecond).toFixed(2)} | ${p99.toFixed(1)} | ${refused} of ${latencies.length + refused} |`,
    );
  }
  const idle: Driver = async () => {};
  const [, alone] = await measure(server, body, idle, closedLoop(1, seconds));
  console.log(
    '\n| a client with one call in flight | served | refused | p95 ÷ alone |\n| --- | --- | --- | --- |',
  );
  for (const [name, flood] of [
    ['alone', idle],
    ['beside 20 in flight', closedLoop(20, seconds)],
    ['beside 4 × in an open loop', openLoop(4 * perSecond, seconds)],
  ] as const) {
    const [, one] = await measure(server, body, flood, closedLoop(1, seconds));
    const p95 = quantile(one!.latencies, 0.95) / quantile(alone!.latencies, 0.95);
    console.log(`| ${name} | ${one!.latencies.length} | ${one!.refused} | ${p95.toFixed(1)} |`);
  }
  await server.stop();
}
