import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { anglesOf, fitRotation, type OpenPack } from '@wajah/engine';
import type { EvalFolder } from './data/eval-folder.ts';
import { meanFace } from './learn/mean-face.ts';
import { readOptions, withPack } from './run/command.ts';
import { observe } from './run/observe.ts';

const OUT = fileURLToPath(new URL('../../packages/engine/data/mean-face.json', import.meta.url));

interface Labelled {
  readonly points: Float32Array;
  readonly yaw: number;
  readonly pitch: number;
}

/** Faces of the dev pictures that have angles; their yaw has the other sign than ours. */
async function examples(pack: OpenPack, folder: EvalFolder): Promise<Labelled[]> {
  const entries = folder
    .entries('pose', 'dev')
    .filter(({ yaw, pitch }) => yaw !== undefined && pitch !== undefined);
  const { seen } = await observe(pack, folder, 'pose', entries, (face) => face.mesh);
  return seen.map(({ entry, value }) => ({ points: value, yaw: -entry.yaw!, pitch: entry.pitch! }));
}

/**
 * Straight line that gives found values the mean and spread of the labels. Least squares would shrink the
 * angles towards the middle, as if only they had errors; the labels are another network's guesses.
 */
function line(found: readonly number[], wanted: readonly number[]) {
  const f = moments(found);
  const w = moments(wanted);
  const gain = w.spread / f.spread;
  return { gain: round(gain, 3), shift: round(w.mean - gain * f.mean, 2) };
}

function moments(values: readonly number[]) {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  return { mean, spread: Math.sqrt(variance) };
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}

const { folder, cache, out = OUT } = readOptions();
await withPack(cache, async (pack) => {
  const faces = await examples(pack, folder);
  const points = [...meanFace(faces.map((face) => face.points))].map((value) => round(value, 4));
  const angles = faces.map((face) => anglesOf(fitRotation(points, face.points)));
  const yaw = line(
    angles.map((angle) => angle.yaw),
    faces.map((face) => face.yaw),
  );
  const pitch = line(
    angles.map((angle) => angle.pitch),
    faces.map((face) => face.pitch),
  );
  const source = `mean of ${faces.length} meshes of the dev pictures of the pose task, made symmetric; lines fitted to their labels`;
  // Left and right are alike: what shift the pictures show is theirs.
  const model = { source, yaw: { ...yaw, shift: 0 }, pitch, points };
  writeFileSync(out, `${JSON.stringify(model)}\n`);
  process.stdout.write(`${out}: ${source}; yaw × ${yaw.gain}, pitch × ${pitch.gain} ${pitch.shift}\n`);
});
