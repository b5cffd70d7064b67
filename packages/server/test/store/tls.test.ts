import { chmodSync, copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPostgresStore } from '../../src/store/postgres/open.ts';
import { noPostgres, PostgresServer } from '../support/postgres.ts';
import { temporaryDirectory } from '../support/temporary.ts';

describe.skipIf(noPostgres)('TLS to the database', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await PostgresServer.start(['fsync=off'], { tls: 'localhost' });
  });
  afterAll(() => server?.remove());

  /** The server's certificate, readable for us. */
  function certificate(): string {
    const file = join(temporaryDirectory(), 'server.crt');
    copyFileSync(join(server.directory, 'server.crt'), file);
    chmodSync(file, 0o600);
    return file;
  }

  it('encrypts, and verifies the host name', async () => {
    const url = await server.database();
    const named = url.replace('127.0.0.1', 'localhost');
    const mode = (base: string, parameters: string) => `${base}?sslmode=${parameters}`;
    for (const good of [
      mode(url, 'require'),
      mode(url, `verify-ca&sslrootcert=${certificate()}`),
      mode(named, `verify-full&sslrootcert=${certificate()}`),
    ]) {
      const store = await openPostgresStore({ url: good });
      await store.ping();
      await store.close();
    }
    const [connection] = await server.query<{ tls: number }>(
      "SELECT count(*) FILTER (WHERE NOT ssl) AS tls FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE application_name = 'wajah'",
    );
    expect(Number(connection?.tls)).toBe(0);
  });

  it('refuses a certificate of an unknown authority or another name', async () => {
    const url = await server.database();
    await expect(openPostgresStore({ url: `${url}?sslmode=verify-full` })).rejects.toThrow(/certificate/);
    const other = `${url}?sslmode=verify-full&sslrootcert=${certificate()}`;
    await expect(openPostgresStore({ url: other })).rejects.toThrow(/altnames|IP/);
  });
});
