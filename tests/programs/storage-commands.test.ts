import { readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newDatabase, noPostgres } from '../../packages/server/test/support/postgres.ts';
import { temporaryDirectory } from '../../packages/server/test/support/temporary.ts';
import { wajah } from '../support/program.ts';

/** Facts of the acts of the operator, the newest first. */
async function actsOf(settings: Record<string, string>): Promise<object[]> {
  const { out } = await wajah(settings, 'audit', 'list', '--event', 'administered', '--json');
  return (JSON.parse(out) as { facts: object }[]).map(({ facts }) => facts);
}

describe('wajah backup', () => {
  it('writes a file that a server can be restored from', async () => {
    const dataDir = temporaryDirectory();
    expect((await wajah({ WAJAH_DATA_DIR: dataDir }, 'client', 'create', 'acme')).code).toBe(0);
    const restored = temporaryDirectory();
    const file = join(restored, 'wajah.db');
    const backup = await wajah({ WAJAH_DATA_DIR: dataDir }, 'backup', '--plain', file);
    expect(backup).toMatchObject({ code: 0, err: '' });
    expect((await wajah({ WAJAH_DATA_DIR: dataDir }, 'keys', 'rotate', '--at-once')).code).toBe(0);
    expect((await actsOf({ WAJAH_DATA_DIR: dataDir })).slice(0, 2)).toEqual([
      { operation: 'rotate-signing-key', at_once: true },
      { operation: 'backup', bytes: expect.any(Number) },
    ]);
    const again = await wajah({ WAJAH_DATA_DIR: dataDir }, 'backup', '--plain', file);
    expect(again).toMatchObject({ code: 1, err: expect.stringContaining('exists already') });
    renameSync(join(dataDir, 'secret.key'), join(restored, 'secret.key'));
    expect((await wajah({ WAJAH_DATA_DIR: restored }, 'client', 'list')).out).toMatch(/^acme /m);
  });
});

describe.skipIf(noPostgres)('with PostgreSQL', () => {
  it('wajah migrate-store moves an installation: users, tokens and keys keep working', async () => {
    const dataDir = temporaryDirectory();
    const embedded = { WAJAH_DATA_DIR: dataDir };
    await wajah(embedded, 'client', 'create', 'acme', '--faces', '7');
    const signing = readFileSync(join(dataDir, 'signing-key.json'), 'utf8');
    const url = await newDatabase();
    const key = readFileSync(join(dataDir, 'secret.key'), 'utf8').trim();
    const moved = await wajah(
      { ...embedded, WAJAH_DATABASE_URL: url },
      'migrate-store',
      '--from',
      'data',
      '--to',
      'database',
    );
    expect(moved).toMatchObject({ code: 0, out: expect.stringMatching(/clients +1/) });
    const shared = { WAJAH_DATABASE_URL: url, WAJAH_SECRET_KEY: key };
    expect((await wajah(shared, 'client', 'list')).out).toMatch(/^acme .* n_face=0 .* n_face=7 /m);
    expect((await actsOf(shared))[0]).toEqual({ operation: 'migrate-store', from: dataDir });
    expect((await wajah(shared, 'audit', 'verify')).code).toBe(0);

    const back = temporaryDirectory();
    const wrong = { ...shared, WAJAH_SECRET_KEY: 'ab'.repeat(32) };
    expect(await wajah(wrong, 'migrate-store', '--from', 'database', '--to', back)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^wajah: WAJAH_SECRET_KEY .* is not the key that these data .*\n$/m),
    });
    const returned = await wajah(shared, 'migrate-store', '--from', 'database', '--to', back);
    expect(returned.code).toBe(0);
    expect(JSON.parse(readFileSync(join(back, 'signing-key.json'), 'utf8'))).toEqual(JSON.parse(signing));
    expect((await wajah({ WAJAH_DATA_DIR: back, WAJAH_SECRET_KEY: key }, 'client', 'list')).out).toMatch(
      /^acme /m,
    );
    const again = await wajah(shared, 'migrate-store', '--from', 'database', '--to', back);
    expect(again).toMatchObject({
      code: 1,
      err: expect.stringMatching(/holds 1 client; name an empty store/),
    });
  });
});
