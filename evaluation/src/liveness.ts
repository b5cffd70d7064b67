// `npm run evaluate:liveness` reproduces the measured figures of presentation attack detection, of liveness
// sessions and of the light challenge.
import { readFileSync } from 'node:fs';
import { findPadNetworks, type PackChoice } from '@wajah/engine';
import { blockName, evaluate } from './commands.ts';
import { readOptions } from './run/command.ts';

const { folder, cache: cacheDir, packs: packsDir = 'data/packs' } = readOptions();
const pack: PackChoice = { id: 'builtin', packsDir, acceptNonCommercial: false };
const without: PackChoice = { ...pack, withoutPadNetworks: true };
/** Generated sessions of each attack species. */
const limit = 8;

/** Measurements, each of a block of a page; those of `pad` are with the PAD pack and without it. */
const measurements = [
  { task: 'pad', split: 'test', out: 'docs/accuracy.md', pack },
  { task: 'pad', split: 'dev', out: 'docs/accuracy.md', pack },
  { task: 'sessions', split: 'test', out: 'docs/liveness.md', pack },
  { task: 'sessions', split: 'test', out: 'docs/liveness.md', pack: without },
  { task: 'sessions', split: 'dev', out: 'docs/liveness.md', pack },
  { task: 'sessions', split: 'dev', out: 'docs/liveness.md', pack: without },
  { task: 'light', split: 'dev', out: 'docs/light-challenge.md', pack },
] as const;

if (!(await findPadNetworks(packsDir, false))) {
  throw new Error(
    `Figures are published with the pack minifasnet and without it: install it in ${packsDir}, or name its folder with --packs.`,
  );
}
for (const measurement of measurements) {
  const { task, split, out } = measurement;
  const block = blockName(task, split, measurement.pack);
  // A page need not publish every measurement.
  if (!readFileSync(out, 'utf8').includes(`<!-- measured: ${block} -->`)) continue;
  await evaluate({ ...measurement, data: folder.root, cacheDir, limit, plots: undefined });
  console.log(`wrote ${block} to ${out}`);
}
