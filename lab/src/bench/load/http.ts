import { endpoints } from '../../../../packages/contract/dist/index.js';
import { Connections, requestOf } from './connections.ts';
import { type CpuUse, watchCpu } from './cpu.ts';
import { closedLoop, type Driver, idle, openLoop } from './drivers.ts';
import { type BenchServer, startBenchServer } from './server.ts';
import { quantile, type Seen } from './simulation.ts';

/** What a client saw in a time. */
interface Measured extends Seen {
  /** Until the last answer. */
  readonly seconds: number;
  readonly cpu: CpuUse;
}

/** A server, and a request with a picture for each of its clients. */
interface Stand {
  readonly server: BenchServer;
  readonly requests: readonly Buffer[];
}

/** Pairs of `WAJAH_ENGINE_DEADLINE_MS` and `WAJAH_ENGINE_QUEUE`, the defaults first. */
const settings = [
  [10_000, 64],
  [2000, 8],
  [2000, 1000],
  [20_000, 8],
  [20_000, 1000],
] as const;

/** What a client with two calls in flight gets served and how fast is measured anew before each row, for so many rows' time. */
const peakShare = 0.5;

/**
 * Prints goodput and latency of a real server that verifies a face, under load from 1 to 10 times what it can serve.
 * Takes about 38 times as long as a row.
 * @param picture a JPEG with a face @param seconds of each row
 */
export async function loadOverHttp(picture: Uint8Array, seconds: number): Promise<void> {
  console.log(
    '| deadline, queue | load | served ÷ peak | per CPU second ÷ peak | p99 ÷ peak | refused | CPU, % |',
  );
  console.log('| --- | --- | --- | --- | --- | --- | --- |');
  for (const pair of settings) await overload(picture, seconds, pair);
  await fairness(picture, seconds);
  console.log(
    '\nCPU second: of the server and its workers. CPU, %: load generator / server / workers / other programs, of all cores.',
  );
}

async function overload(
  picture: Uint8Array,
  seconds: number,
  [deadlineMs, queue]: (typeof settings)[number],
): Promise<void> {
  const stand = await open(picture, deadlineMs, queue);
  const peakOf = () => measure(stand, closedLoop(2, peakShare * seconds));
  let before = await peakOf();
  const perSecond = rate(before);
  const loads: [string, Driver][] = [
    ['open loop, 4 ×', openLoop(4 * perSecond, seconds)],
    ['open loop, 10 ×', openLoop(10 * perSecond, seconds)],
  ];
  const patient: [string, Driver][] = [
    ['closed loop, 20 in flight', closedLoop(20, seconds)],
    ['closed loop, 100 in flight', closedLoop(100, seconds)],
  ];
  for (const [name, drive] of queue === settings[0][1] ? [...loads, ...patient] : loads) {
    const seen = await measure(stand, drive);
    const after = await peakOf();
    console.log(
      `| ${deadlineMs / 1000} s, ${queue} | ${name} | ${cellsOf(seen, [before, after]).join(' | ')} |`,
    );
    before = after;
  }
  await stand.server.stop();
}

/** @param peaks before and after */
function cellsOf(seen: Measured, peaks: readonly [Measured, Measured]): string[] {
  const mean = (of: (peak: Measured) => number) => (of(peaks[0]) + of(peaks[1])) / 2;
  const latencies = peaks.flatMap((peak) => peak.latencies);
  return [
    (rate(seen) / mean(rate)).toFixed(2),
    (servedPerCpuSecond(seen) / mean(servedPerCpuSecond)).toFixed(2),
    (quantile(seen.latencies, 0.99) / quantile(latencies, 0.99)).toFixed(1),
    share(seen),
    seen.cpu.shares,
  ];
}

async function fairness(picture: Uint8Array, seconds: number): Promise<void> {
  const stand = await open(picture, ...settings[0]);
  const perSecond = rate(await measure(stand, closedLoop(2, peakShare * seconds)));
  const one = closedLoop(1, seconds);
  console.log(
    '\n| a client with one call in flight | served a second | refused | p95 ÷ alone |\n| --- | --- | --- | --- |',
  );
  let before = await measure(stand, idle, one);
  for (const [name, flood] of [
    ['beside 20 in flight', closedLoop(20, seconds)],
    ['beside 4 × in an open loop', openLoop(4 * perSecond, seconds)],
    ['beside 10 × in an open loop', openLoop(10 * perSecond, seconds)],
  ] as const) {
    const seen = await measure(stand, flood, one);
    const after = await measure(stand, idle, one);
    const alone = [...before.latencies, ...after.latencies];
    const p95 = (quantile(seen.latencies, 0.95) / quantile(alone, 0.95)).toFixed(1);
    console.log(
      `| ${name} | ${rate(seen).toFixed(1)} (alone ${rate(after).toFixed(1)}) | ${share(seen)} | ${p95} |`,
    );
    before = after;
  }
  await stand.server.stop();
}

async function open(picture: Uint8Array, deadlineMs: number, queue: number): Promise<Stand> {
  const env = {
    WAJAH_ENGINE_DEADLINE_MS: `${deadlineMs}`,
    WAJAH_ENGINE_QUEUE: `${queue}`,
  };
  const server = await startBenchServer(env, { clients: 2 });
  const image = Buffer.from(picture).toString('base64');
  const connections = new Connections(server.url);
  const requests: Buffer[] = [];
  for (const [index, token] of server.tokens.entries()) {
    const user = { facegallery_id: `client-${index}@trial`, user_id: 'u' };
    const enrolment = requestOf(endpoints.enrolFace.path, token, { ...user, user_name: 'U', image });
    const { status } = await connections.send(enrolment);
    if (status !== 200) throw new Error(`the picture cannot be enrolled: ${status}`);
    requests.push(requestOf(endpoints.verifyFace.path, token, { ...user, image }));
  }
  connections.close();
  const stand = { server, requests };
  await measure(stand, closedLoop(2, 2));
  return stand;
}

/** @param drivers of each client @returns what the last of them saw */
async function measure({ server, requests }: Stand, ...drivers: readonly Driver[]): Promise<Measured> {
  const connections = new Connections(server.url);
  const seen = drivers.map((): Seen => ({ latencies: [], refused: 0 }));
  const cpu = await watchCpu(server);
  const began = performance.now();
  await Promise.all(drivers.map((drive, client) => drive(connections, requests[client]!, seen[client]!)));
  const seconds = (performance.now() - began) / 1000;
  connections.close();
  return { ...seen.at(-1)!, seconds, cpu: await cpu() };
}

function rate({ latencies, seconds }: Measured): number {
  return latencies.length / seconds;
}

/** Does not depend on what other programs leave to the server. */
function servedPerCpuSecond({ latencies, cpu }: Measured): number {
  return latencies.length / cpu.seconds;
}

function share({ latencies, refused }: Seen): string {
  return `${refused} of ${latencies.length + refused}`;
}
