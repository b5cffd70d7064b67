import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../../server/test/support/temporary.ts';
import { openPreparedPack } from '../runtime/open-pack.ts';
import { openPack } from '../training.ts';
import { prepareBuiltinPack } from './builtin.ts';

describe('the built-in pack', () => {
  it('refuses a file that is damaged when it is opened', async () => {
    const prepared = await prepareBuiltinPack();
    const folder = temporaryDirectory();
    await cp(prepared.folder, folder, { recursive: true });
    await writeFile(join(folder, 'mesh.onnx'), 'not a model');
    await expect(openPreparedPack({ ...prepared, folder })).rejects.toMatchObject({ code: 'pack' });
  });

  it('refuses an input of the wrong shape by the name of the network', async () => {
    const pack = await openPack();
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
