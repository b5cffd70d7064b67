import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { drawnFace } from '../../../packages/engine/test/drawn/drawn-face.ts';
import { sharedEngine } from '../../../packages/engine/test/support/shared-engine.ts';
import { temporaryDirectory } from '../../../packages/server/test/support/temporary.ts';
import { EvalFolder } from '../data/eval-folder.ts';
import { writeStatePlots } from './states.ts';

it('draws how reliable eyes are, and nothing for other tasks', async () => {
  const root = temporaryDirectory();
  mkdirSync(join(root, 'eyes_mouth'));
  const states = ['open', 'closed'] as const;
  for (const eyes of states) {
    const picture = await drawnFace({ person: 'ani', leftEye: eyes, rightEye: eyes });
    writeFileSync(join(root, 'eyes_mouth', `${eyes}.jpg`), picture);
  }
  const manifest = states.map((eyes) => ({
    file: `${eyes}.jpg`,
    split: 'test',
    label: { eyes, mouth: 'any' },
  }));
  writeFileSync(join(root, 'eyes_mouth', 'manifest.json'), JSON.stringify(manifest));
  const engine = await sharedEngine();
  const folder = new EvalFolder(root);
  const request = { plots: join(root, 'plots'), split: 'test' } as const;
  const paths = await writeStatePlots(engine, folder, request, 'eyes');
  expect(paths).toEqual([join(root, 'plots', 'eyes-test-reliability.svg')]);
  expect(readFileSync(paths[0]!, 'utf8')).toContain('eyes (4)');
  expect(await writeStatePlots(engine, folder, request, 'pose')).toEqual([]);
  expect(await writeStatePlots(engine, folder, { ...request, plots: undefined }, 'eyes')).toEqual([]);
});
