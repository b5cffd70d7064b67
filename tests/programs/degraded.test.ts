import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { endpoints } from '@wajah/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { long } from '../../packages/server/test/support/long.ts';
import { noPostgres, PostgresServer } from '../../packages/server/test/support/postgres.ts';
import { newClient, picture } from '../support/enrolling.ts';
import { cleanUp, serve, temporaryDirectory } from '../support/program.ts';

type Server = Awaited<ReturnType<typeof serve>>;

/** HTTP codes by call. */
type Answers = Readonly<Record<string, number>>;

const calls = {
  health: [endpoints.health, {}],
  ready: [endpoints.ready, {}],
  counters: [endpoints.getCounters, {}],
  list: [endpoints.listFaces, {}],
  verify: [endpoints.verifyFace, { user_id: 'ani' }],
  identify: [endpoints.identifyFace, {}],
  detect: [endpoints.detectFaces, {}],
  enrol: [endpoints.enrolFace, { user_id: 'budi', user_name: 'Budi', force_register: true }],
  remove: [endpoints.deleteFace, { user_id: 'nobody' }],
} as const;

describe.runIf(long && !noPostgres)('a server in a degraded mode answers', () => {
  let postgres: PostgresServer;
  let server: Server;
  let client: Awaited<ReturnType<typeof newClient>>;
  const table: string[] = [];

  beforeAll(async () => {
    postgres = await PostgresServer.start();
    const settings = {
      WAJAH_DATABASE_URL: await postgres.database(),
      WAJAH_SECRET_KEY: randomBytes(32).toString('hex'),
      WAJAH_DATA_DIR: temporaryDirectory(),
    };
    server = await serve(settings);
    client = await newClient(settings, 'alice');
    await client.enrol(server.url, 'ani', 'ani');
  });
  afterAll(async () => {
    console.info(['', `| mode | ${Object.keys(calls).join(' | ')} |`, ...table].join('\n'));
    await cleanUp();
    postgres?.remove();
  });

  async function answers(mode: string): Promise<Answers> {
    const image = await picture('ani');
    const entries: [string, number][] = [];
    for (const [name, [{ path, methods }, fields]] of Object.entries(calls)) {
      const method = methods.at(-1)!;
      const answer = await fetch(server.url + path, {
        method,
        headers: { accesstoken: client.token, 'content-type': 'application/json' },
        ...(method !== 'GET' && {
          body: JSON.stringify({ facegallery_id: 'alice@trial', image, ...fields }),
        }),
      });
      entries.push([name, answer.status]);
      expect(await answer.json()).toMatchObject({ status: expect.any(String) });
    }
    table.push(`| ${mode} | ${entries.map(([, http]) => http).join(' | ')} |`);
    return Object.fromEntries(entries);
  }

  const working = {
    health: 200,
    ready: 200,
    counters: 200,
    list: 200,
    verify: 200,
    identify: 200,
    detect: 200,
  };

  it('everything, when nothing is wrong', async () => {
    expect(await answers('none')).toMatchObject({ ...working, enrol: 200, remove: 404 });
  });

  it('while the database takes no writes', async () => {
    const name = `ALTER DATABASE test_1 SET default_transaction_read_only`;
    const reconnect = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'test_1'";
    await postgres.query(`${name} = on`);
    await postgres.query(reconnect);
    expect(await answers('the database takes no writes')).toMatchObject({ health: 200, enrol: 503 });
    await postgres.query(`${name} = off`);
    await postgres.query(reconnect);
    await expect.poll(() => isReady(server)).toBe(true);
    expect(await answers('it takes writes again')).toMatchObject(working);
  });

  it('while the database is away', async () => {
    postgres.stop('immediate');
    expect(await answers('the database is away')).toMatchObject({ health: 200, ready: 503, verify: 503 });
    postgres.start();
    await expect.poll(() => isReady(server)).toBe(true);
    expect(await answers('it is back')).toMatchObject(working);
  });

  it('while its only worker is stopped', async () => {
    for (const pid of childrenOf(server.pid)) process.kill(pid, 'SIGSTOP');
    const stopped = await answers('the only worker is stopped');
    expect(stopped).toMatchObject({ health: 200, counters: 200, list: 200, remove: 404 });
    await expect.poll(() => isReady(server)).toBe(true);
    expect(await answers('it was replaced')).toMatchObject(working);
  });
});

async function isReady({ url }: Server): Promise<boolean> {
  return (await fetch(url + endpoints.ready.path)).ok;
}

function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return new RegExp(`PPid:\\s+${parent}\\b`).test(readFileSync(`/proc/${pid}/status`, 'utf8'));
      } catch {
        return false;
      }
    })
    .map(Number);
}
