import { chmodSync, copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { openPostgresStore } from '../../src/store/postgres-store.ts';
import { noPostgres, PostgresServer } from '../support/postgres.ts';
import { openDatabaseStore } from '../support/store.ts';
import { temporaryDirectory } from '../support/temporary.ts';

describe.skipIf(noPostgres)('connections to the database', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await PostgresServer.start(['fsync=off'], { tls: 'localhost' });
  });

  /** The server's certificate, readable for us. */
  function certificate(): string {
    const file = join(temporaryDirectory(), 'server.crt');
    copyFileSync(join(server.directory, 'server.crt'), file);
    chmodSync(file, 0o600);
    return file;
  }

  it('are encrypted over TLS, and verify the host name', async () => {
    const url = await server.database();
    const named = url.replace('127.0.0.1', 'localhost');
    const mode = (base: string, parameters: string) => `${base}?sslmode=${parameters}`;
    for (const good of [
      mode(url, 'require'),
      mode(url, `verify-ca&sslrootcert=${certificate()}`),
      mode(named, `verify-full&sslrootcert=${certificate()}`),
    ]) {
      const store = await openDatabaseStore(good);
      await store.ping();
      await store.close();
    }
    const [connection] = await server.query<{ tls: number }>(
      "SELECT count(*) FILTER (WHERE NOT ssl) AS tls FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE application_name = 'wajah'",
    );
    expect(Number(connection?.tls)).toBe(0);
  });

  it('are refused with a certificate of an unknown authority or another name', async () => {
    const url = await server.database();
    await expect(openPostgresStore({ url: `${url}?sslmode=verify-full` })).rejects.toThrow(/certificate/);
    const other = `${url}?sslmode=verify-full&sslrootcert=${certificate()}`;
    await expect(openPostgresStore({ url: other })).rejects.toThrow(/altnames|IP/);
  });

  it('use the password of the user, and are refused with another one', async () => {
    await server.query("CREATE ROLE door LOGIN SUPERUSER PASSWORD 's@cret'");
    const rules = join(server.directory, 'data/pg_hba.conf');
    writeFileSync(rules, `host all door all scram-sha-256\n${readFileSync(rules, 'utf8')}`);
    server.restart();
    const url = await server.database();
    const store = await openDatabaseStore(url.replace('wajah@', 'door:s%40cret@'));
    await store.ping();
    await store.close();
    const other = () => openPostgresStore({ url: url.replace('wajah@', 'door:other@') });
    await expect(other()).rejects.toThrow(/password/);
  });
});
