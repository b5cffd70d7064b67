import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { type Engine, openEngineInThread } from '@wajah/engine';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { modelCache } from '../../packages/engine/test/support/shared-engine.ts';
import { long } from '../../packages/server/test/support/long.ts';
import { EvalFolder, hasEvalFolder } from './data/eval-folder.ts';
import { analyzeEntries, withFace } from './measure/analyze.ts';
import { tally } from './measure/figure.ts';
import { balancedAccuracy } from './metrics/scores.ts';
import { extractFrames } from './sessions/film.ts';

describe.skipIf(!hasEvalFolder())('accuracy on real pictures', () => {
  let engine: Engine;
  const folder = hasEvalFolder() ? new EvalFolder() : undefined;

  beforeAll(async () => {
    engine = await openEngineInThread({
      cacheDir: modelCache,
      image: { maxBytes: 64 << 20, maxPixels: 100e6 },
    });
  });

  afterAll(() => engine.close());

  it.skipIf(!long)('detects masks on test: balanced accuracy of at least 0.97', async () => {
    const seen = await analyzeEntries(engine, folder!, 'mask', folder!.entries('mask', 'test'), ['mask']);
    const scores = (label: string) =>
      withFace(seen)
        .filter(({ entry }) => entry.label === label)
        .map(({ face }) => face.mask!.score);
    expect(scores('mask').length).toBeGreaterThan(80);
    expect(balancedAccuracy(scores('mask'), scores('no_mask'), 0.5)).toBeGreaterThanOrEqual(0.97);
  });

  it('decides at most 3 of the 300 deepface pairs wrong', async () => {
    const entries = folder!.entries('verification', 'dev').filter(({ file }) => file.startsWith('deepface/'));
    const faces = withFace(await analyzeEntries(engine, folder!, 'verification', entries, ['embedding']));
    const template = new Map(faces.map(({ entry, face }) => [entry.file, face.embedding!]));
    const pairs = folder!.pairs('dev').filter(({ subset }) => subset === 'deepface');
    const wrong = tally(pairs, ({ a, b, same }) => {
      return engine.similarity(template.get(a)!, template.get(b)!) >= engine.threshold !== same;
    });
    expect(wrong.trials).toBe(300);
    expect(wrong.events).toBeLessThanOrEqual(3);
  });

  it('honest selfies pass', async () => {
    const stills = folder!.entries('selfies', 'dev').filter(({ kind }) => kind === 'picture');
    const seen = withFace(await analyzeEntries(engine, folder!, 'selfies', stills, ['spoof']));
    const refused = tally(seen, ({ face }) => face.spoof!.score >= engine.spoofThreshold);
    expect(refused.trials).toBe(16);
    expect(refused.events).toBeLessThanOrEqual(1);
  });

  it.skipIf(!long || !hasFfmpeg())('films replayed on a phone score higher', async () => {
    const means: Record<string, number[]> = { real: [], spoof: [] };
    for (const { file, label } of folder!.entries('films', 'dev')) {
      const scores: number[] = [];
      for (const frame of await extractFrames(join(folder!.root, 'films', file), 0.25, 'png')) {
        const { faces } = await engine.analyze(frame, {
          attributes: ['spoof'],
          maxFaces: 1,
          search: 'fast',
        });
        if (faces[0]) scores.push(faces[0].spoof!.score);
      }
      means[label]!.push(scores.reduce((sum, score) => sum + score, 0) / scores.length);
    }
    expect(Math.min(...means['spoof']!)).toBeGreaterThan(Math.max(...means['real']!));
  });
});

function hasFfmpeg(): boolean {
  return spawnSync('ffmpeg', ['-version']).status === 0;
}
