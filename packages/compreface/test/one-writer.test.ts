import { afterEach, describe, expect, it, vi } from 'vitest';
import { drawnFace } from '../../engine/test/drawn/drawn-face.ts';
import { sharedEngine } from '../../engine/test/support/shared-engine.ts';
import { loadConfig } from '../../server/src/config/config.ts';
import { openCore } from '../../server/src/server/context.ts';
import { createLogger } from '../../server/src/server/logger.ts';
import { embeddingSpecText } from '../../server/src/services/galleries/embedding-spec.ts';
import { base64 } from '../../server/test/support/requests.ts';
import { temporaryDirectory } from '../../server/test/support/temporary.ts';
import { startCompreface } from './server.ts';

afterEach(() => vi.restoreAllMocks());

describe('writers of one gallery', () => {
  it('take turns: an enrolment that looks for duplicates and a subject that gets pictures', async () => {
    const { server, client, call } = await startCompreface();
    const [ani, budi] = await Promise.all([
      base64(drawnFace({ person: 'ani' })),
      base64(drawnFace({ person: 'budi' })),
    ]);
    const written = vi.spyOn(server.context.store.faces, 'enrol');
    const flags = { replace: true, check_duplicate: true, trx_id: 'turns' };
    const enrol = async () => (await client.enrol('b', budi, flags)).http;
    const add = async () =>
      (await call({ path: '/recognition/faces?subject=ani', json: { file: ani } })).http;
    const calls = Array.from({ length: 6 }, () => [enrol(), add()]).flat();
    expect(new Set(await Promise.all(calls))).toEqual(new Set([200, 201]));
    const outcomes = await Promise.all(written.mock.results.map(({ value }) => value));
    expect(outcomes.filter((outcome) => outcome === 'changed')).toEqual([]);
    expect(outcomes).toHaveLength(12);
  });

  it('take turns: of two imports of one face at the same time, the second finds the first', async () => {
    const engine = await sharedEngine();
    const config = loadConfig({ WAJAH_DATA_DIR: temporaryDirectory() });
    const core = await openCore(config, createLogger('silent'), { comparer: async () => engine });
    await core.accounts.create({ clientId: 'acme' });
    await core.admin.prepareImport({ clientId: 'acme', galleryId: 'staff', create: true });
    const gallery = (await core.store.galleries.get('acme', 'staff'))!;
    const { faces } = await engine.analyze(await drawnFace({ person: 'ani' }), {
      attributes: ['embedding'],
      maxFaces: 1,
      search: 'fast',
    });
    const write = (userId: string) => {
      const template = core.vault.gallery(gallery).sealAll(userId, [faces[0]!.embedding!]);
      return core.admin.importPeople({
        clientId: 'acme',
        galleryId: 'staff',
        replace: false,
        duplicates: 'refuse',
        dryRun: false,
        embeddingSpec: embeddingSpecText(engine.embeddingSpec),
        wrappedKey: Buffer.from(gallery.wrappedKey).toString('base64'),
        people: [{ userId, userName: userId, template: Buffer.from(template).toString('base64'), crops: [] }],
      });
    };
    const results = (await Promise.all([write('first'), write('second')])).flat();
    expect(results.map(({ result }) => result)).toEqual(['written', 'duplicate']);
    expect(results[1]?.same).toMatchObject({ userId: 'first' });
    await core.close();
  });
});
