import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newDatabase, noPostgres, PostgresServer } from '../../packages/server/test/support/postgres.ts';
import { temporaryDirectory } from '../../packages/server/test/support/temporary.ts';
import { newClient } from '../support/enrolling.ts';
import { Run, type Settings, serve, wajah } from '../support/program.ts';
import { root } from '../support/sources.ts';

const models = join(root, '../shared/models');
const program = join(root, 'packages/server/bin/wajah.js');
const canIsolate = spawnSync('unshare', ['-n', 'true']).status === 0;

/** A server with people who are enrolled with plus, as a default installation has it. */
async function enrolled(settings: Settings): Promise<Awaited<ReturnType<typeof newClient>>> {
  for (const id of ['plus', 'pad'])
    expect((await wajah(settings, 'models', 'pull', id, '--from', models)).code).toBe(0);
  const server = await serve(settings);
  const acme = await newClient(settings, 'acme');
  await acme.enrol(server.url, 'budi', 'budi');
  const { status } = await wajah(settings, 'gallery', 'list', 'acme').then(({ out }) => ({ status: out }));
  expect(status).toMatch(/plus 2/);
  await server.stop('SIGTERM');
  return acme;
}

/** The lines of the drill, in one shell on a machine without network, where there is nothing but the file and the key. */
async function drill(
  dataDir: string,
  file: string,
): Promise<{ out: string; err: string; code: number | null }> {
  const lines = [
    'wajah() { "$NODE" "$PROGRAM" "$@"; }',
    `wajah restore '${file}'`,
    'wajah doctor',
    'wajah audit verify',
    'wajah models list',
  ];
  const settings = { WAJAH_DATA_DIR: dataDir, NODE: process.execPath, PROGRAM: program };
  return new Run(settings, ['-n', 'sh', '-ec', lines.join('\n')], ['unshare']).finished;
}

describe.skipIf(!existsSync(models))('people who are enrolled with an installed pack', () => {
  it.skipIf(!canIsolate)(
    'are found after the drill on a machine without network, from a backup and the key',
    async () => {
      const [source, target] = [temporaryDirectory(), temporaryDirectory()];
      const acme = await enrolled({ WAJAH_DATA_DIR: source });
      const file = join(temporaryDirectory(), 'backup');
      expect((await wajah({ WAJAH_DATA_DIR: source }, 'backup', file)).code).toBe(0);
      copyFileSync(join(source, 'secret.key'), join(target, 'secret.key'));
      copyFileSync(join(source, 'signing-key.json'), join(target, 'signing-key.json'));
      rmSync(source, { recursive: true });
      const { code, out, err } = await drill(target, file);
      expect([code, err]).toEqual([
        0,
        expect.stringContaining('The model pack plus was installed from the store.'),
      ]);
      expect(out).toMatch(/^ok +model_pack +plus$/m);
      expect(out).toMatch(/^ok +pad_pack +pad$/m);
      expect(out).toMatch(/The audit trail is intact/);
      const server = await serve({ WAJAH_DATA_DIR: target });
      expect(await acme.verify(server.url, 'budi', 'budi')).toMatchObject({ status: '200', verified: true });
      await server.stop('SIGTERM');
    },
  );

  it('are not lost in silence where the store has no copy of the pack', async () => {
    const settings = { WAJAH_DATA_DIR: temporaryDirectory(), WAJAH_KEEP_PACKS_MB: '0' };
    await enrolled(settings);
    const file = join(temporaryDirectory(), 'backup');
    expect((await wajah(settings, 'backup', file)).code).toBe(0);
    const target = { WAJAH_DATA_DIR: temporaryDirectory() };
    copyFileSync(join(settings.WAJAH_DATA_DIR, 'secret.key'), join(target.WAJAH_DATA_DIR, 'secret.key'));
    const restored = await wajah(target, 'restore', file);
    const missing =
      /People are enrolled with the model pack plus, which is not here.*\n.*3998070 bytes, SHA-256 b7120c09.*\n +https:/;
    expect([restored.code, restored.err]).toEqual([0, expect.stringMatching(missing)]);
    expect((await wajah(target, 'doctor')).out).toMatch(/^BAD +model_pack +.*plus/m);
    expect((await wajah(target, 'models', 'pull', 'plus', '--from', models)).code).toBe(0);
    const server = await serve(target);
    await server.stop('SIGTERM');
  });

  it.skipIf(noPostgres)('are found by a second server that has the two settings only', async () => {
    const url = await newDatabase();
    const two = { WAJAH_DATABASE_URL: url, WAJAH_SECRET_KEY: '5a'.repeat(32) };
    const acme = await enrolled({ ...two, WAJAH_DATA_DIR: temporaryDirectory() });
    const second = { ...two, WAJAH_DATA_DIR: temporaryDirectory() };
    const server = await serve(second);
    expect(server.err).toContain('The model pack plus was installed from the store.');
    expect(await acme.verify(server.url, 'budi', 'budi')).toMatchObject({ status: '200', verified: true });
    await server.stop('SIGTERM');
    // Who can write in the database cannot exchange a network.
    const database = url.split('/').at(-1);
    await (await PostgresServer.shared()).query(
      "UPDATE model_pack_files SET content = content || 'x' WHERE pack = 'plus' AND file LIKE '%.onnx' AND part = 0",
      database,
    );
    const third = await wajah({ ...two, WAJAH_DATA_DIR: temporaryDirectory() }, 'serve');
    expect([third.code, third.err]).toEqual([
      1,
      expect.stringContaining('the copy of the model pack plus in the store was changed'),
    ]);
  });
});
