import { readdir } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { drawnFace } from '../../../packages/engine/test/drawn/drawn-face.ts';
import { sharedEngine } from '../../../packages/engine/test/support/shared-engine.ts';
import { temporaryDirectory } from '../../../packages/server/test/support/temporary.ts';
import { keptAnalyses } from './kept-analyses.ts';

it('an analysis is stored and found again, as it was', async () => {
  const folder = temporaryDirectory();
  const engine = await sharedEngine();
  const picture = await drawnFace({ person: 'ani' });
  const request = { attributes: ['spoof', 'pose'], maxFaces: 1, search: 'fast' } as const;
  const first = await keptAnalyses(engine, folder).analyze(picture, request);
  const [file] = await readdir(folder);
  expect(file).toMatch(/^[0-9a-f]{32}\.v8$/);
  const never = { ...engine, analyze: () => Promise.reject(new Error('analysed again')) };
  expect(await keptAnalyses(never, folder).analyze(picture, request)).toEqual(first);
});
