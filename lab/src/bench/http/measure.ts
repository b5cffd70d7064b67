import { endpoints } from '../../../../packages/contract/dist/index.js';
import { Connections, requestOf } from '../load/connections.ts';
import { watchCpu } from '../load/cpu.ts';
import { closedLoop, type Driver, openLoop, type Seen } from '../load/drivers.ts';
import { type BenchServer, startBenchServer } from '../load/server.ts';
import { quantile } from '../speed/quantile.ts';

/** Calls of `verify-face` that are sent at a time. */
export const CLIENTS = [1, 2, 4, 8, 16, 100] as const;
/** Shares of the measured capacity at which calls arrive: ordinary load, and overload. */
export const LOADS = [0.3, 0.6, 0.9, 4, 10] as const;

/** A number of clients or a load; latencies in milliseconds. */
export interface Row {
  readonly perSecond: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly refused: number;
  /** CPU of all cores, percent: load generator / server / workers / other programs. */
  readonly cpu: string;
}

/** What a server with a number of workers did. */
export interface Served {
  readonly workers: number;
  /** By the numbers of `CLIENTS`. */
  readonly clients: readonly Row[];
  /** By the shares of `LOADS`, of the largest throughput of `clients`. */
  readonly loads: readonly Row[];
}

/** Measures a server that verifies one picture. @param seconds of each number of clients; loads take three times as long */
export async function measureServer(workers: number, picture: Uint8Array, seconds: number): Promise<Served> {
  const env = { WAJAH_ENGINE_WORKERS: `${workers}` };
  const server = await startBenchServer(env);
  const request = await verificationOf(server, picture);
  await drive(server, request, closedLoop(2 * workers, 2));
  const clients: Row[] = [];
  for (const count of CLIENTS) clients.push(await drive(server, request, closedLoop(count, seconds)));
  const capacity = Math.max(...clients.map(({ perSecond }) => perSecond));
  const loads: Row[] = [];
  for (const share of LOADS)
    loads.push(await drive(server, request, openLoop(share * capacity, 3 * seconds)));
  await server.stop();
  return { workers, clients, loads };
}

async function verificationOf({ url, tokens }: BenchServer, picture: Uint8Array): Promise<Buffer> {
  const image = Buffer.from(picture).toString('base64');
  const user = { facegallery_id: 'client-0@trial', user_id: 'u' };
  const connections = new Connections(url);
  const enrolment = requestOf(endpoints.enrolFace.path, tokens[0]!, { ...user, user_name: 'U', image });
  const { status } = await connections.send(enrolment);
  connections.close();
  if (status !== 200) throw new Error(`the picture cannot be enrolled: ${status}`);
  return requestOf(endpoints.verifyFace.path, tokens[0]!, { ...user, image });
}

async function drive(server: BenchServer, request: Buffer, driver: Driver): Promise<Row> {
  const seen: Seen = { latencies: [], refused: 0 };
  const connections = new Connections(server.url);
  const cpu = await watchCpu(server);
  const began = performance.now();
  await driver(connections, request, seen);
  const perSecond = seen.latencies.length / ((performance.now() - began) / 1000);
  connections.close();
  const [p50, p95, p99] = [0.5, 0.95, 0.99].map((share) => quantile(seen.latencies, share));
  return { perSecond, p50: p50!, p95: p95!, p99: p99!, refused: seen.refused, cpu: (await cpu()).shares };
}
