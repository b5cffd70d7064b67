import { randomBytes } from 'node:crypto';
import { endpoints } from '@wajah/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { noPostgres, PostgresServer } from '../../packages/server/test/support/postgres.ts';
import { temporaryDirectory } from '../../packages/server/test/support/temporary.ts';
import { newClient, picture } from '../support/enrolling.ts';
import { childrenOf, serve } from '../support/program.ts';

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

describe.runIf(!noPostgres)('a server in a degraded mode answers', () => {
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
  afterAll(() => {
    console.info(['', `| mode | ${Object.keys(calls).join(' | ')} |`, ...table].join('\n'));
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

  const sql = (mode: 'on' | 'off') => async () => {
    await postgres.query(`ALTER DATABASE test_1 SET default_transaction_read_only = ${mode}`);
    await postgres.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'test_1'");
  };
  const signal = (name: NodeJS.Signals) => () => {
    for (const pid of childrenOf(server.pid)) process.kill(pid, name);
  };
  const stored = { health: 200, counters: 200, list: 200, remove: 404 };
  const rows: [mode: string, begin: () => unknown, expected: object, end: () => unknown][] = [
    ['nothing is wrong', () => {}, { ...working, enrol: 200, remove: 404 }, () => {}],
    ['the database takes no writes', sql('on'), { health: 200, enrol: 503 }, sql('off')],
    [
      'the database is away',
      async () => {
        postgres.stop('immediate');
        // An answer about readiness is given again for a moment.
        await expect.poll(async () => (await fetch(`${server.url}/ready`)).status).toBe(503);
      },
      { health: 200, ready: 503, verify: 503 },
      () => postgres.start(),
    ],
    ['its only worker is stopped', signal('SIGSTOP'), stored, () => {}],
    ['its only worker is killed', signal('SIGKILL'), stored, () => {}],
  ];

  it.each(rows)('while %s, and all calls afterwards', async (mode, begin, expected, end) => {
    await begin();
    expect(await answers(mode)).toMatchObject(expected);
    await end();
    // A connection that was ended is noticed by the call that uses it, which is answered 503.
    await expect.poll(() => answers('it is over'), { interval: 200 }).toMatchObject(working);
  });
});
