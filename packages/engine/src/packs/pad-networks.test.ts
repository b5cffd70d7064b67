import { appendFileSync, existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../../server/test/support/temporary.ts';
import { drawnFace } from '../../test/drawn/drawn-face.ts';
import { modelCache } from '../../test/support/shared-engine.ts';
import { openEngineInThread } from '../open.ts';
import { definitionOf } from './catalog.ts';
import { installPack } from './install/install.ts';
import { findPadNetworks } from './pad-networks.ts';

/** The nets are not part of the repository. */
const MODELS = fileURLToPath(new URL('../../../../../shared/models', import.meta.url));
/** A packs folder with the pack installed from them. */
async function installed(): Promise<string> {
  const packsDir = temporaryDirectory();
  await installPack(await definitionOf('minifasnet'), packsDir, { from: MODELS });
  return packsDir;
}

it('finds none in an empty or missing folder', async () => {
  expect(await findPadNetworks(temporaryDirectory(), false)).toBeUndefined();
  expect(await findPadNetworks(join(tmpdir(), 'wajah-no-such-folder'), false)).toBeUndefined();
});

describe.skipIf(!existsSync(MODELS))('installed PAD networks', () => {
  it('are skipped when a file is damaged', async () => {
    const packsDir = await installed();
    expect((await findPadNetworks(packsDir, false))?.near.crop).toBe(2.7);
    appendFileSync(join(packsDir, 'minifasnet', 'minifasnet-v2.onnx'), 'x');
    expect(await findPadNetworks(packsDir, false)).toBeUndefined();
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
      expect(engine.padPack).toBe('pack' in options ? 'minifasnet' : null);
      await engine.close();
    }
    expect(scores[0]).not.toBe(scores[1]);
    expect(thresholds[0]).not.toBe(thresholds[1]);
    for (const score of scores) expect(score > 0 && score < 1).toBe(true);
  });
});
