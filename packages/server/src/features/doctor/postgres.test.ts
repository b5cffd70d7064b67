import { randomBytes } from 'node:crypto';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { noPostgres, PostgresServer } from '../../../test/support/postgres.ts';
import { temporaryDirectory } from '../../../test/support/temporary.ts';
import type { Environment } from '../../config/config.ts';
import { type Finding, textOf } from '../../config/finding.ts';
import { keyDigest } from '../../security/keys/master-key.ts';
import { openPostgresStore } from '../../store/postgres-store.ts';
import { runDoctor } from './doctor.ts';

const key = randomBytes(32);

describe.skipIf(noPostgres)('wajah doctor with PostgreSQL', () => {
  const folder = temporaryDirectory();
  let server: PostgresServer;
  let url: string;

  beforeAll(async () => {
    // The role "strict" needs a password, the others do not.
    chmodSync(folder, 0o755);
    const rules = join(folder, 'pg_hba.conf');
    writeFileSync(
      rules,
      'host all strict all scram-sha-256\nhost all,replication all all trust\nlocal all all trust\n',
      {
        mode: 0o644,
      },
    );
    server = await PostgresServer.start([`hba_file=${rules}`, 'max_connections=20']);
    await server.query(
      "CREATE ROLE strict LOGIN PASSWORD 'right'; CREATE ROLE weak LOGIN; CREATE ROLE hasty LOGIN SUPERUSER",
    );
    await server.query('ALTER ROLE hasty SET synchronous_commit = off');
    url = await server.database();
    const store = await openPostgresStore({ url });
    await store.meta.set('master_key_check', keyDigest(key));
    await store.close();
    const name = url.split('/').at(-1);
    await server.query(
      'GRANT USAGE ON SCHEMA public TO weak; GRANT SELECT ON wajah_migrations, meta TO weak',
      name,
    );
  });

  const diagnose = (env: Environment) =>
    runDoctor({ WAJAH_DATABASE_URL: url, WAJAH_SECRET_KEY: key.toString('hex'), ...env }, ['store']);
  const as = (user: string) => url.replace('wajah@', `${user}@`);

  it('finds nothing wrong in a sound installation, and in an empty database', async () => {
    const wrong = (found: Finding[]) => found.filter(({ severity }) => severity !== 'good');
    expect(wrong(await diagnose({ WAJAH_DATABASE_POOL: '5' }))).toEqual([]);
    const empty = { WAJAH_DATABASE_POOL: '5', WAJAH_DATABASE_URL: await server.database() };
    expect(wrong(await diagnose(empty))).toEqual([]);
  });

  it('a server connects with the password of the URL', async () => {
    await server.query('GRANT wajah TO strict');
    const store = await openPostgresStore({ url: as('strict:right') });
    expect(await store.info()).toMatchObject({ kind: 'postgres' });
    await store.close();
    expect((await diagnose({ WAJAH_DATABASE_URL: as('strict:right') })).map(({ id }) => id)).toContain(
      'rights',
    );
  });

  const broken: [
    name: string,
    env: () => Environment | Promise<Environment>,
    severity: string,
    id: string,
    found: RegExp,
  ][] = [
    [
      'a database that is not there',
      () => ({ WAJAH_DATABASE_URL: server.url('x', 1) }),
      'bad',
      'database',
      /nothing listens there; is the database running/,
    ],
    [
      'a host name that is not known',
      () => ({ WAJAH_DATABASE_URL: 'postgres://wajah@no-such-host.invalid/x' }),
      'bad',
      'database',
      /the host name (is not known|cannot be looked up)/,
    ],
    [
      'a wrong password',
      () => ({ WAJAH_DATABASE_URL: as('strict:wrong') }),
      'bad',
      'database',
      /the password is wrong/,
    ],
    [
      'a password that is not in the URL',
      () => ({ WAJAH_DATABASE_URL: as('strict') }),
      'bad',
      'database',
      /the database asks for a password, and the URL has none/,
    ],
    [
      'a database name that does not exist',
      () => ({ WAJAH_DATABASE_URL: server.url('nowhere') }),
      'bad',
      'database',
      /there is no such database/,
    ],
    [
      'a server without the TLS of the URL',
      () => ({ WAJAH_DATABASE_URL: `${url}?sslmode=require` }),
      'bad',
      'database',
      /WAJAH_DATABASE_URL: the server has no TLS, and sslmode of the URL asks for it; switch it on there \(ssl = on\), or/,
    ],
    [
      'a database that takes no connections',
      async () => {
        await server.query('CREATE DATABASE closed ALLOW_CONNECTIONS false');
        return { WAJAH_DATABASE_URL: server.url('closed') };
      },
      'bad',
      'database',
      /WAJAH_DATABASE_URL: the database takes no connections; its owner allows them by/,
    ],
    [
      'a standby',
      async () => ({ WAJAH_DATABASE_URL: (await server.standby()).url(url.split('/').at(-1)!) }),
      'bad',
      'database',
      /WAJAH_DATABASE_URL: the database cannot be used \(no server of the database takes writes\)/,
    ],
    [
      'a user without rights',
      () => ({ WAJAH_DATABASE_URL: as('weak') }),
      'bad',
      'rights',
      /may not read and write .*; grant SELECT, INSERT, UPDATE, DELETE/,
    ],
    [
      'a setting that loses acknowledged writes',
      () => ({ WAJAH_DATABASE_URL: as('hasty') }),
      'bad',
      'synchronous_commit',
      /off: a crash loses the latest acknowledged writes/,
    ],
    [
      'a pool larger than max_connections',
      () => ({ WAJAH_DATABASE_POOL: '50' }),
      'bad',
      'connections',
      /WAJAH_DATABASE_POOL is 50, PostgreSQL allows 20.*lower the pool to at most 15/,
    ],
    [
      'a pool that leaves no room for a second server',
      () => ({ WAJAH_DATABASE_POOL: '12' }),
      'doubtful',
      'connections',
      /enough for 1 servers .*lower WAJAH_DATABASE_POOL/,
    ],
    [
      'a missing key',
      () => ({ WAJAH_SECRET_KEY: '' }),
      'bad',
      'key',
      /WAJAH_SECRET_KEY is not set; with WAJAH_DATABASE_URL every server needs the same key/,
    ],
    [
      'the key of another installation',
      () => ({ WAJAH_SECRET_KEY: randomBytes(32).toString('hex') }),
      'bad',
      'key',
      /is not the key .*; give the right one/,
    ],
  ];

  it.each(broken)('finds %s, and says what to do', async (_, env, severity, id, found) => {
    const findings = await diagnose(await env());
    expect(findings.map((one) => [one.severity, one.id, textOf(one)])).toContainEqual([
      severity,
      id,
      expect.stringMatching(found),
    ]);
  });
});
