import { cp, readdir, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../../server/test/support/temporary.ts';
import { modelCache } from '../../test/support/shared-engine.ts';
import { openPreparedPack } from '../runtime/open-pack.ts';
import { openPack } from '../training.ts';
import { prepareBuiltinPack } from './builtin.ts';

const cacheDir = temporaryDirectory();

describe('the built-in pack', () => {
  it('refuses a damaged file, and is converted again, also when several ask at the same time', async () => {
    const { folder: sound } = await prepareBuiltinPack(modelCache);
    await cp(sound, join(cacheDir, basename(sound)), { recursive: true });
    const prepared = await prepareBuiltinPack(cacheDir);
    await writeFile(join(prepared.folder, 'mesh.onnx'), 'not a model');
    await expect(openPreparedPack(prepared)).rejects.toMatchObject({ code: 'pack' });
    const [one, other] = await Promise.all([prepareBuiltinPack(cacheDir), prepareBuiltinPack(cacheDir)]);
    expect([one, other]).toEqual([prepared, prepared]);
    await (await openPreparedPack(one)).close();
  });

  it('is converted once', async () => {
    const { folder } = await prepareBuiltinPack(cacheDir);
    const before = await stat(join(folder, 'embedder.onnx'));
    await prepareBuiltinPack(cacheDir);
    expect((await stat(join(folder, 'embedder.onnx'))).ino).toBe(before.ino);
    expect(await readdir(cacheDir)).toHaveLength(1);
  });

  it('refuses an input of the wrong shape by the name of the network', async () => {
    const pack = await openPack(cacheDir);
    const input = { data: new Float32Array(3), dims: [1, 3, 1, 1] };
    await expect(pack.models.mesh.network.run({ input })).rejects.toThrow(/mesh/);
    await pack.close();
    await expect(pack.models.mesh.network.run({ input })).rejects.toMatchObject({ code: 'closed' });
  });

  it('refuses bytes that are no model', async () => {
    const { openNetwork } = await import('../runtime/session.ts');
    await expect(openNetwork(new Uint8Array(100), 'mesh')).rejects.toMatchObject({ code: 'pack' });
  });
});
