import { appendFileSync, existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../../server/test/support/temporary.ts';
import { drawnFace } from '../../test/drawn/drawn-face.ts';
import { modelCache } from '../../test/support/shared-engine.ts';
import { openEngineInThread } from '../open.ts';
import { openNetwork } from '../runtime/session.ts';
import { definitionOf } from './catalog.ts';
import { installPack } from './install/install.ts';
import { findPadNetworks } from './pad-networks.ts';

/** The nets are not part of the repository. */
const MODELS = fileURLToPath(new URL('../../../../../shared/models', import.meta.url));
/** A packs folder with the pack installed from them. */
async function installed(packsDir = temporaryDirectory()): Promise<string> {
  await installPack(await definitionOf('pad'), packsDir, { from: MODELS });
  return packsDir;
}

/** The pack that was recommended before: the same networks without the third. */
async function installFormer(packsDir: string): Promise<void> {
  const pack = await definitionOf('pad');
  const { 'spoof-close': _, ...networks } = pack.networks;
  await installPack({ ...pack, id: 'minifasnet', version: '2', networks }, packsDir, { from: MODELS });
}

it('finds none in an empty or missing folder', async () => {
  expect(await findPadNetworks(temporaryDirectory(), false)).toBeUndefined();
  expect(await findPadNetworks(join(tmpdir(), 'wajah-no-such-folder'), false)).toBeUndefined();
});

describe.skipIf(!existsSync(MODELS))('installed PAD networks', () => {
  it('are skipped when a file is damaged', async () => {
    const packsDir = await installed();
    expect((await findPadNetworks(packsDir, false))?.near.crop).toBe(2.7);
    appendFileSync(join(packsDir, 'pad', 'minifasnet-v2.onnx'), 'x');
    expect(await findPadNetworks(packsDir, false)).toBeUndefined();
  });

  it('are those of a pack with a third, and of one with two where there is no other', async () => {
    const packsDir = temporaryDirectory();
    await installFormer(packsDir);
    expect(await findPadNetworks(packsDir, false)).toMatchObject({ pack: 'minifasnet', close: undefined });
    await installed(packsDir);
    expect(await findPadNetworks(packsDir, false)).toMatchObject({ pack: 'pad', close: { crop: 1.5 } });
    appendFileSync(join(packsDir, 'pad', 'minifas-se.onnx'), 'x');
    expect(await findPadNetworks(packsDir, false)).toMatchObject({ pack: 'minifasnet' });
  });

  it('have the inputs and outputs of their definition', async () => {
    const { folder, near, wide, close } = (await findPadNetworks(await installed(), false))!;
    for (const { file, input, outputs } of [near, wide, close!]) {
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

  it('join the built-in signals, with a threshold of their own', async () => {
    const cacheDir = modelCache;
    const image = { maxBytes: 10 << 20, maxPixels: 50e6 };
    const pack = { id: 'builtin', packsDir: await installed(), acceptNonCommercial: false };
    const bytes = await drawnFace();
    const scores: number[] = [];
    const thresholds: number[] = [];
    for (const options of [
      { cacheDir, image },
      { cacheDir, image, pack },
    ]) {
      const engine = await openEngineInThread(options);
      const { faces } = await engine.analyze(bytes, { attributes: ['spoof'], maxFaces: 1, search: 'fast' });
      scores.push(faces[0]!.spoof!.score);
      thresholds.push(engine.spoofThreshold);
      expect(engine.padPack).toBe('pack' in options ? 'pad' : null);
      await engine.close();
    }
    expect(scores[0]).not.toBe(scores[1]);
    expect(thresholds[0]).not.toBe(thresholds[1]);
    for (const score of scores) expect(score > 0 && score < 1).toBe(true);
  });
});
