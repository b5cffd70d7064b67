import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { endpoints } from '../../../../packages/contract/dist/index.js';
import { Connections, requestOf } from '../load/connections.ts';
import { startDelay } from '../load/delay.ts';
import { closedLoop, openLoop, type Seen } from '../load/drivers.ts';
import { type BenchServer, ownBuild, type Settings, startBenchServer } from '../load/server.ts';
import { quantile } from '../speed/quantile.ts';
import { enrol, fill, galleryOf, loaded, quiet } from './people.ts';

/** Number of people of the galleries: of those that are searched, and of the small one that is written. */
const sizes = [10, 1000, 100_000] as const;
const [few, some, many] = sizes.map(galleryOf) as [string, string, string];

type Fields = Readonly<Record<string, unknown>>;

/** What is measured: an endpoint, the fields of the call with a number, and how many are in flight. */
const kinds: Readonly<
  Record<string, readonly [path: string, fields: (image: string, n: number) => Fields, clients: number]>
> = {
  verify: [endpoints.verifyFace.path, (image) => ({ facegallery_id: some, user_id: 'one', image }), 2],
  identify: [endpoints.identifyFace.path, (image) => ({ facegallery_id: some, image }), 2],
  'identify-many': [endpoints.identifyFace.path, (image) => ({ facegallery_id: many, image }), 2],
  liveness: [
    endpoints.verifyLiveness.path,
    (image) => ({ image, face_parameters: { angle: 'face front' } }),
    2,
  ],
  enrol: [
    endpoints.enrolFace.path,
    (image, n) => ({ facegallery_id: few, user_id: `new-${n}`, user_name: 'N', image, force_register: true }),
    2,
  ],
  list: [endpoints.listFaces.path, () => ({ facegallery_id: few, limit: 10 }), 8],
  envelope: [endpoints.getCounters.path, () => ({}), 8],
};

export const kindNames = Object.keys(kinds);

/** How calls are measured. */
export interface CallOptions {
  /** Of `kindNames`. */
  readonly kinds: readonly string[];
  /** Builds to compare, each `packages/server/dist` of a checkout, beside that of this checkout. */
  readonly others: readonly string[];
  /** Of each kind and round. */
  readonly seconds: number;
  readonly rounds: number;
  /** A server of PostgreSQL, or a pooler, whose user may create databases; undefined: the embedded store. */
  readonly postgres: string | undefined;
  /** Milliseconds that each round trip to it takes longer. */
  readonly delayMs: number;
  /** Enrolments a second beside the calls, whose CPU time counts as theirs. */
  readonly beside: number;
}

/** Calls of one kind at one build: medians of the rounds; times in milliseconds. */
export interface CallCost {
  readonly perSecond: number;
  readonly p50: number;
  readonly p95: number;
  /** CPU time of a call. */
  readonly server: number;
  readonly workers: number;
  /** Round trips to PostgreSQL of a call, and of what follows it; 0: the embedded store. */
  readonly trips: number;
  /** How long the event loop was held: 99th percentile of its turns, and the longest. */
  readonly loopP99: number;
  readonly loopMax: number;
}

/**
 * CPU time of calls by process, and how long they hold the event loop. Servers have one worker each, run side by side
 * and are measured in turn.
 * @returns by kind: of this build, then of the others
 */
export async function measureCalls(picture: Uint8Array, options: CallOptions) {
  const unknown = options.kinds.find((kind) => !(kind in kinds));
  if (unknown !== undefined) throw new Error(`--calls has ${unknown}; allowed: ${kindNames.join(', ')}`);
  const image = Buffer.from(picture).toString('base64');
  const stands: Stand[] = [];
  for (const build of [ownBuild, ...options.others]) stands.push(await openStand(build, image, options));
  const costs: Record<string, CallCost[]> = {};
  for (const kind of options.kinds) {
    const rounds: CallCost[][] = stands.map(() => []);
    for (let round = 0; round < options.rounds; round++) {
      for (const [i, stand] of stands.entries()) rounds[i]!.push(await measure(stand, kind, image, options));
    }
    costs[kind] = rounds.map(medians);
  }
  for (const { close } of stands) await close();
  return costs;
}

/** A server whose galleries are filled. */
interface Stand {
  readonly server: BenchServer;
  readonly token: string;
  readonly trips: () => number;
  readonly close: () => Promise<void>;
}

let stands = 0;

async function openStand(
  build: string,
  image: string,
  { kinds, postgres, delayMs }: CallOptions,
): Promise<Stand> {
  const data = mkdtempSync(join(tmpdir(), 'wajah-calls-'));
  const database = postgres ? await newDatabase(postgres, `wajah_bench_${++stands}`, delayMs) : undefined;
  const settings = {
    WAJAH_DATA_DIR: data,
    WAJAH_ENGINE_WORKERS: '1',
    WAJAH_SPOOF_THRESHOLD: '1',
    WAJAH_UNCLEAR_SPOOF: 'accept',
    ...database?.settings,
  };
  const first = await startBenchServer(settings, { data, build });
  const [token = ''] = first.tokens;
  await enrol(first, token, sizes, image);
  await first.stop();
  const used = kinds.includes('identify-many') ? sizes : sizes.slice(0, -1);
  for (const size of used) await fill(settings, galleryOf(size), size - 1, build);
  const server = await startBenchServer(settings, { data, clients: 0, build });
  const identify = (facegallery_id: string) =>
    requestOf(endpoints.identifyFace.path, token, { facegallery_id, image });
  await loaded(server, used.map(galleryOf).map(identify));
  await quiet(server);
  const close = async () => {
    await server.stop();
    await database?.close();
    rmSync(data, { recursive: true });
  };
  return { server, token, trips: database?.trips ?? (() => 0), close };
}

/** An empty database, which is dropped when it is closed. */
async function newDatabase(
  postgres: string,
  name: string,
  delayMs: number,
): Promise<{ readonly settings: Settings; readonly trips: () => number; close(): Promise<void> }> {
  const ask = async (...statements: string[]) => {
    const client = new Client({ connectionString: postgres });
    await client.connect();
    for (const sql of statements) await client.query(sql);
    await client.end();
  };
  const drop = `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`;
  await ask(drop, `CREATE DATABASE ${name}`);
  const url = new URL(postgres);
  const line = await startDelay(url.hostname, Number(url.port), delayMs / 2);
  url.host = `127.0.0.1:${line.port}`;
  url.pathname = name;
  return {
    trips: line.trips,
    settings: { WAJAH_DATABASE_URL: url.href, WAJAH_SECRET_KEY: '5'.repeat(64) },
    async close() {
      line.close();
      await ask(drop);
    },
  };
}

async function measure(
  { server, token, trips }: Stand,
  kind: string,
  image: string,
  { seconds, beside }: CallOptions,
): Promise<CallCost> {
  const [path, fields, clients] = kinds[kind]!;
  const enrolment = () => requestOf(endpoints.enrolFace.path, token, kinds['enrol']![1](image, sent++));
  const request = kind === 'enrol' ? enrolment : requestOf(path, token, fields(image, 0));
  const connections = new Connections(server.url);
  const others = new Connections(server.url);
  const run = async (duration: number) => {
    const seen = noSeen();
    const enrolments = beside > 0 ? openLoop(beside, duration)(others, enrolment, noSeen()) : null;
    await Promise.all([closedLoop(clients, duration)(connections, request, seen), enrolments]);
    return seen.latencies;
  };
  await run(warmSeconds);
  await server.watch('cpu');
  const [began, before] = [performance.now(), trips()];
  const latencies = await run(seconds);
  const took = performance.now() - began;
  const { cpu } = await server.watched();
  const calls = latencies.length;
  const tripsOfCall = (trips() - before) / calls;
  // The clock of the loop takes CPU time.
  await server.watch('loop');
  await run(seconds);
  const { loop } = await server.watched();
  connections.close();
  others.close();
  return {
    perSecond: calls / (took / 1000),
    p50: quantile(latencies, 0.5),
    p95: quantile(latencies, 0.95),
    server: (1000 * cpu.server) / calls,
    workers: (1000 * cpu.workers) / calls,
    trips: tripsOfCall,
    loopP99: loop.p99,
    loopMax: loop.max,
  };
}

const noSeen = (): Seen => ({ latencies: [], refused: 0 });

/** Before each measurement: the first hundred calls are compiled while they run. */
const warmSeconds = 3;

/** Of the enrolments so far. */
let sent = 0;

function medians(rounds: readonly CallCost[]): CallCost {
  const of = (name: keyof CallCost) =>
    quantile(
      rounds.map((round) => round[name]),
      0.5,
    );
  return {
    perSecond: of('perSecond'),
    p50: of('p50'),
    p95: of('p95'),
    server: of('server'),
    workers: of('workers'),
    trips: of('trips'),
    loopP99: of('loopP99'),
    loopMax: of('loopMax'),
  };
}

/** @param builds names of the builds @returns a row for each kind and build, and the ratios of this build to each other */
export function callsTable(
  costs: Readonly<Record<string, readonly CallCost[]>>,
  builds: readonly string[],
): string {
  const head = [
    'call',
    'build',
    'calls/s',
    'p50',
    'p95',
    'server',
    'workers',
    'round trips',
    'loop p99',
    'longest',
  ];
  const rows = Object.entries(costs).flatMap(([kind, all]) =>
    all.map((cost, i) => {
      const { perSecond, p50, p95, server, workers, trips, loopP99, loopMax } = cost;
      const share = i === 0 ? '' : ` (${(all[0]!.server / server).toFixed(2)} ×)`;
      return [
        kind,
        builds[i]!,
        perSecond.toFixed(1),
        p50.toFixed(1),
        p95.toFixed(1),
        `${server.toFixed(2)}${share}`,
        workers.toFixed(2),
        trips.toFixed(1),
        loopP99.toFixed(1),
        loopMax.toFixed(1),
      ];
    }),
  );
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
