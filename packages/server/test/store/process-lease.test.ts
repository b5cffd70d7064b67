import { randomBytes } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import { OperatorError } from '../../src/errors.ts';
import { keyDigest, verifyMasterKey } from '../../src/security/keys/master-key.ts';
import { createLogger } from '../../src/server/logger.ts';
import { resealStore } from '../../src/services/resealing/reseal.ts';
import { noPostgres, PostgresServer } from '../support/postgres.ts';
import { openDatabaseStore } from '../support/store.ts';

const log = createLogger('silent');

async function twoServers(postgres?: PostgresServer) {
  const database = postgres ?? (await PostgresServer.shared());
  const url = await database.database();
  const open = async () => {
    const store = await openDatabaseStore(url);
    onTestFinished(() => store.close());
    return store;
  };
  const [present, next] = [randomBytes(32), randomBytes(32)];
  const [server, command] = [await open(), await open()];
  await verifyMasterKey([present], server.meta, 'the key');
  const replace = () => resealStore(command, next, present);
  const ask = <Row>(sql: string) => database.query<Row>(sql, url.split('/').at(-1));
  /** As those of servers that were cut off from the database for a minute. */
  const endLeases = () =>
    ask(`UPDATE meta SET value = '2000-01-01T00:00:00.000Z' WHERE key LIKE 'process:%'`);
  return { server, command, present, next, replace, ask, endLeases };
}

describe.skipIf(noPostgres)('the master key of a database', () => {
  it('is replaced only while no process has a lease', async () => {
    const { server, command, present, next, replace } = await twoServers();
    const lease = await server.takeLease(keyDigest(present), log);
    await expect(replace()).rejects.toThrow('1 server or command uses the database: stop all of them');
    await lease.end();
    await replace();
    await expect(server.takeLease(keyDigest(present), log)).rejects.toThrow('was replaced');
    await (await command.takeLease(keyDigest(next), log)).end();
  });

  it('that was replaced stops every statement of a process whose lease was lost', async () => {
    const { server, present, replace, endLeases } = await twoServers();
    const lease = await server.takeLease(keyDigest(present), log);
    onTestFinished(() => lease.end());
    // Its first renewal is under way.
    await lease.renew();
    await endLeases();
    await replace();
    await expect(lease.renew()).rejects.toThrow('restart this server with the new one');
    await expect(server.meta.set('a', 'b')).rejects.toThrow('restart this server with the new one');
    expect((await lease.lost).message).toContain('the master key was replaced meanwhile');
  });

  it('no process takes a lease while it is being replaced', async () => {
    const { server, command, present } = await twoServers();
    await command.alone(async () => {
      await expect(server.takeLease(keyDigest(present), log)).rejects.toThrow(
        'a command has the database for itself',
      );
    });
  });
});

describe.skipIf(noPostgres)('the lease of a process', () => {
  it('is there after a crash of the database', async () => {
    const postgres = await PostgresServer.start();
    const { server, command, present, replace } = await twoServers(postgres);
    const lease = await server.takeLease(keyDigest(present), log);
    await lease.renew();
    postgres.restart('immediate');
    // Connections of before break at their next statement.
    for (const { ping } of [server, command]) await expect.poll(ping).toBe(undefined);
    await expect(replace()).rejects.toThrow('1 server or command uses the database: stop all of them');
    await lease.renew();
    await server.meta.set('a', 'b');
    await lease.end();
    await replace();
  });

  it('is there at a standby that takes over', async () => {
    const primary = await PostgresServer.start(['synchronous_standby_names=*']);
    const standby = await primary.standby();
    const { server, command, present, next } = await twoServers(primary);
    const lease = await server.takeLease(keyDigest(present), log);
    await lease.renew();
    await Promise.all([server.close(), command.close()]);
    primary.stop('immediate');
    standby.promote();
    const later = await openDatabaseStore(standby.url('test_1'));
    onTestFinished(() => later.close());
    await expect(resealStore(later, next, present)).rejects.toThrow('1 server or command uses the database');
  });

  /** What happens to a database while a process cannot reach it: what that has in memory may not be stored. */
  const returns: Readonly<
    Record<string, (made: Awaited<ReturnType<typeof twoServers>>) => Promise<unknown>>
  > = {
    'after a command had the database for itself': async ({ command, endLeases }) => {
      await endLeases();
      await command.alone(async () => {});
    },
    'to a database that was restored': ({ ask }) => ask(`DELETE FROM meta WHERE key LIKE 'process:%'`),
    'to a database of an earlier moment': ({ endLeases }) => endLeases(),
  };

  it.each(Object.entries(returns))('stops every statement of one that returns %s', async (_, change) => {
    const made = await twoServers();
    const lease = await made.server.takeLease(keyDigest(made.present), log);
    onTestFinished(() => lease.end());
    await lease.renew();
    await change(made);
    await expect(lease.renew()).rejects.toThrow('restart this server');
    await expect(made.server.meta.set('a', 'b')).rejects.toThrow('restart this server');
    await expect(lease.lost).resolves.toBeInstanceOf(OperatorError);
    expect(await made.ask(`SELECT key FROM meta WHERE key LIKE 'process:%' AND value > '2001'`)).toEqual([]);
  });

  it('is renewed after it has run out, where nothing happened meanwhile', async () => {
    const { server, present, ask } = await twoServers();
    const lease = await server.takeLease(keyDigest(present), log);
    await lease.renew();
    // The clock of the database has jumped ahead.
    await ask(`UPDATE meta SET value = '2999-01-01T00:00:00.000Z' WHERE key LIKE 'process:%'`);
    await lease.renew();
    await server.meta.set('a', 'b');
    await lease.end();
    expect(await ask(`SELECT key FROM meta WHERE key LIKE 'process:%'`)).toEqual([]);
  });

  it('of a process that was killed is removed a day later', async () => {
    const { server, present, ask, endLeases } = await twoServers();
    await ask(`INSERT INTO meta VALUES ('process:killed', '')`);
    await endLeases();
    const lease = await server.takeLease(keyDigest(present), log);
    expect(await ask(`SELECT key FROM meta WHERE key LIKE 'process:%'`)).toHaveLength(1);
    await lease.end();
  });
});
