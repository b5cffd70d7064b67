// `npm run evaluate:liveness` reproduces the measured figures of presentation attack detection and of liveness sessions.
import { readFileSync } from 'node:fs';
import { findPadNetworks, type PackChoice } from '@wajah/engine';
import { evaluate } from './commands.ts';
import { readOptions } from './run/command.ts';

const { folder, cache: cacheDir, packs: packsDir = 'data/packs' } = readOptions();
const pack: PackChoice = { id: 'builtin', packsDir, acceptNonCommercial: false };

/** Measurements, each of a block of a page. */
const measurements = [
  { task: 'pad', split: 'test', out: 'docs/accuracy.md' },
  { task: 'pad', split: 'dev', out: 'docs/accuracy.md' },
  { task: 'sessions', split: 'test', out: 'docs/liveness.md' },
  { task: 'sessions', split: 'dev', out: 'docs/liveness.md' },
] as const;

if (!(await findPadNetworks(packsDir, false))) {
  throw new Error(
    `Figures are published with the pack minifasnet and without it: install it in ${packsDir}, or name its folder with --packs.`,
  );
}
for (const measurement of measurements) {
  const { task, split, out } = measurement;
  if (!readFileSync(out, 'utf8').includes(`<!-- measured: ${task} ${split} -->`)) continue;
  await evaluate({ ...measurement, data: folder.root, cacheDir, pack, plots: undefined });
  console.log(`wrote ${task} ${split} to ${out}`);
}
