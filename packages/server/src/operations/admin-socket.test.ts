import { existsSync } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { atEnd, temporaryDirectory } from '../../test/support/temporary.ts';
import { OperatorError } from '../errors.ts';
import { connectAdmin, openAdminSocket, placeSocket } from './admin-socket.ts';
import { type OperationParts, performBy } from './command.ts';
import { type AdminOperations, createAdminOperations, operationsOf } from './table.ts';

async function serve(over: Partial<AdminOperations>, below = '') {
  const root = temporaryDirectory();
  const dataDir = join(root, below);
  await mkdir(dataDir, { recursive: true });
  const defects: unknown[] = [];
  const place = placeSocket(dataDir);
  atEnd(() => place.release());
  const server = await openAdminSocket(place.path, over as AdminOperations, (error) => defects.push(error));
  atEnd(() => server.close());
  return { dataDir, server, place, defects };
}

async function dial(path: string) {
  const remote = await connectAdmin(path);
  atEnd(() => remote.close());
  return operationsOf(performBy(remote.call));
}

describe('the admin socket', () => {
  it('passes input and answers, in order', async () => {
    const { server } = await serve({
      createToken: async ({ clientId, days }) => ({ id: `${clientId}/${days}`, token: 't', expiresAt: null }),
      listTokens: async ({ clientId }) => [
        {
          id: clientId,
          name: 'ñ',
          createdAt: 'c',
          expiresAt: null,
          revokedAt: null,
          scopes: ['read'],
          binding: null,
        },
      ],
    });
    const admin = await dial(server.path);
    const both = Promise.all([
      admin.createToken({ clientId: 'a', name: 'n', days: null }),
      admin.listTokens({ clientId: 'b\n{}' }),
    ]);
    expect(await both).toMatchObject([{ id: 'a/null' }, [{ id: 'b\n{}', name: 'ñ' }]]);
    expect((await stat(server.path)).mode & 0o777).toBe(0o600);
  });

  it('answers refusals with their message, defects without', async () => {
    const { server, defects } = await serve({
      deleteClient: () => Promise.reject(new OperatorError('There is no client "x".')),
      listClients: () => Promise.reject(new TypeError('secret inner thing')),
    });
    const admin = await dial(server.path);
    await expect(admin.deleteClient({ clientId: 'x' })).rejects.toThrow('There is no client "x".');
    await expect(admin.listClients({})).rejects.toThrow('failed on the running server');
    expect(defects).toHaveLength(1);
  });

  it.each([
    ['{', 'failed'],
    ['null', 'failed'],
    ['{"operation":"toString","input":{}}', 'does not know the operation'],
    ['{"operation":"setQuota","input":{"clientId":1}}', 'setQuota: '],
  ])('survives the line %s', async (line, said) => {
    const { setQuota } = createAdminOperations({} as OperationParts);
    const { server } = await serve({ listClients: async () => [], setQuota });
    const reply = await new Promise<string>((resolve, reject) => {
      const socket = connect(server.path, () => socket.write(`${line}\n`));
      socket.once('data', (data) => resolve(data.toString()));
      socket.once('error', reject);
      atEnd(() => socket.destroy());
    });
    expect(reply).toContain(said);
    expect(await (await dial(server.path)).listClients({})).toEqual([]);
  });

  it('is in the temporary directory when the path of the data directory is too long', async () => {
    const { dataDir, server, place } = await serve({ listClients: async () => [] }, 'long-'.repeat(30));
    expect(server.path.startsWith(dataDir)).toBe(false);
    expect(await (await dial(server.path)).listClients({})).toEqual([]);
    await server.close();
    place.release();
    expect(existsSync(dirname(server.path))).toBe(false);
  });

  it('closes while a connection is open', async () => {
    const { server } = await serve({ listClients: () => new Promise(() => {}) });
    const admin = await dial(server.path);
    const waiting = expect(admin.listClients({})).rejects.toThrow('closed the connection');
    await server.close();
    await waiting;
  });
});
