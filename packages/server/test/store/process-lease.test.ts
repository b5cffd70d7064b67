import { randomBytes } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import { keyDigest, verifyMasterKey } from '../../src/security/keys/master-key.ts';
import { createLogger } from '../../src/server/logger.ts';
import { resealStore } from '../../src/services/resealing/reseal.ts';
import { noPostgres, PostgresServer } from '../support/postgres.ts';
import { openDatabaseStore } from '../support/store.ts';

const log = createLogger('silent');

async function twoServers() {
  const url = await (await PostgresServer.shared()).database();
  const open = async () => {
    const store = await openDatabaseStore(url);
    onTestFinished(() => store.close());
    return store;
  };
  const [present, next] = [randomBytes(32), randomBytes(32)];
  const [server, command] = [await open(), await open()];
  await verifyMasterKey([present], server.meta, 'the key');
  const replace = () => resealStore(command, next, present);
  const forget = async () =>
    (await PostgresServer.shared()).query('DELETE FROM limits', url.split('/').at(-1));
  return { server, command, present, next, replace, forget };
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
    const { server, present, replace, forget } = await twoServers();
    const lease = await server.takeLease(keyDigest(present), log);
    onTestFinished(() => lease.end());
    // Its first renewal is under way.
    await lease.renew();
    // As a server that was cut off from the database for a minute.
    await forget();
    await replace();
    await lease.renew();
    await expect(server.meta.set('a', 'b')).rejects.toThrow('restart this server with the new one');
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
