import { appendFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../../server/test/support/temporary.ts';
import { drawnFace } from '../../test/drawn/drawn-face.ts';
import { hasPadFiles, installedPadPack, PAD_FILES } from '../../test/support/pad-pack.ts';
import { openEngineInThread } from '../open.ts';
import { openNetwork } from '../runtime/session.ts';
import { definitionOf } from './catalog.ts';
import { installPack } from './install/install.ts';
import { findPadNetworks } from './pad-networks.ts';

it('finds none in an empty or missing folder', async () => {
  expect(await findPadNetworks(temporaryDirectory(), false)).toBeUndefined();
  expect(await findPadNetworks(join(tmpdir(), 'wajah-no-such-folder'), false)).toBeUndefined();
});

describe.skipIf(!hasPadFiles)('installed PAD networks', () => {
  it('are skipped when a file is damaged', async () => {
    const packsDir = await installedPadPack();
    expect((await findPadNetworks(packsDir, false))?.near.crop).toBe(2.7);
    appendFileSync(join(packsDir, 'pad', 'minifasnet-v2.onnx'), 'x');
    expect(await findPadNetworks(packsDir, false)).toBeUndefined();
  });

  it('are those of a pack that has all of them', async () => {
    const packsDir = temporaryDirectory();
    const pack = await definitionOf('pad');
    const { 'spoof-close': _, ...networks } = pack.networks;
    await installPack({ ...pack, id: 'a', networks }, packsDir, { from: PAD_FILES });
    expect(await findPadNetworks(packsDir, false)).toBeUndefined();
    await installedPadPack(packsDir);
    expect(await findPadNetworks(packsDir, false)).toMatchObject({ pack: 'pad', close: { crop: 1.5 } });
  });

  it('have the inputs and outputs of their definition', async () => {
    const { folder, near, close } = (await findPadNetworks(await installedPadPack(), false))!;
    for (const { file, input, outputs } of [near, close]) {
      const network = await openNetwork(join(folder, file), file);
      const { channels, height, width } = input;
      const data = new Float32Array(channels * height * width);
      const results = await network.run({
        [network.inputs[0]!]: { data, dims: [1, channels, height, width] },
      });
      expect(network.inputs).toHaveLength(1);
      expect(Object.values(results).map(({ dims }) => dims)).toEqual([[1, ...outputs['classes']!.shape]]);
      await network.close();
    }
  });

  it('judge a presentation, of which nothing is known without them', async () => {
    const image = { maxBytes: 10 << 20, maxPixels: 50e6 };
    const pack = { id: 'builtin', packsDir: await installedPadPack(), acceptNonCommercial: false };
    const bytes = await drawnFace();
    const estimates = [];
    for (const options of [{ image }, { image, pack }]) {
      const engine = await openEngineInThread(options);
      const { faces } = await engine.analyze(bytes, { attributes: ['spoof'], maxFaces: 1, search: 'fast' });
      estimates.push(faces[0]!.spoof!);
      expect(engine.padPack).toBe('pack' in options ? 'pad' : null);
      await engine.close();
    }
    const [without, judged] = estimates;
    expect(without).toMatchObject({ score: 0.5, networks: [] });
    expect(judged!.networks.map(({ name }) => name)).toEqual(['near', 'close']);
    for (const { score } of [judged!, ...judged!.networks]) {
      expect(score).toBeGreaterThan(0);
      expect(score).toBeLessThan(1);
    }
    expect(judged!.score).not.toBe(0.5);
  });
});
