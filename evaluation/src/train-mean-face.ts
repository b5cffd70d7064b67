import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { anglesOf, bent, fitRotation, type OpenPack } from '@wajah/engine';
import type { EvalFolder } from './data/eval-folder.ts';
import { type Aim, fitBend } from './learn/bend.ts';
import { meanFace } from './learn/mean-face.ts';
import { expectedBin } from './measure/pose.ts';
import { readOptions, withPack } from './run/command.ts';
import { observe } from './run/observe.ts';

const OUT = fileURLToPath(new URL('../../packages/engine/data/mean-face.json', import.meta.url));

/** Where the curve of the pitch may bend, degrees of the mesh. */
const PITCHES = [-40, -25, -12, 0, 12, 30];
/** Bins of the service begin at 12°; a degree more is room for the next picture. */
const INSIDE = 11;
const OUTSIDE = 13;

interface Labelled {
  readonly points: Float32Array;
  readonly yaw: number;
  readonly pitch: number;
  readonly bin: string | undefined;
}

/** Faces of the dev pictures that have angles; their yaw has the other sign than ours. */
async function examples(pack: OpenPack, folder: EvalFolder): Promise<Labelled[]> {
  const entries = folder
    .entries('pose', 'dev')
    .filter(({ yaw, pitch }) => yaw !== undefined && pitch !== undefined);
  const { seen } = await observe(pack, folder, 'pose', entries, (face) => face.mesh);
  return seen.map(({ entry, value }) => ({
    points: value,
    yaw: -entry.yaw!,
    pitch: entry.pitch!,
    bin: expectedBin(entry.label),
  }));
}

/**
 * Straight line that gives found values the spread of the labels; left and right are alike. Least squares would
 * shrink the angles towards the middle, as if only they had errors; the labels are another network's guesses.
 */
function line(found: readonly number[], wanted: readonly number[]) {
  const gain = spread(wanted) / spread(found);
  return { from: [-30, 30], to: [-30, 30].map((angle) => round(angle * gain, 1)) };
}

function spread(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
}

/** The label's angle, and the bin that was looked over by eye. @param yaw as it will be reported */
function aimOf({ pitch, bin }: Labelled, found: number, yaw: number): Aim {
  const aim = { x: found, wanted: pitch };
  if (bin === 'front') return { ...aim, least: -INSIDE, most: INSIDE };
  if (bin === 'up') return { ...aim, least: Math.max(OUTSIDE, Math.abs(yaw) + 1) };
  if (bin === 'down') return { ...aim, most: -Math.max(OUTSIDE, Math.abs(yaw) + 1) };
  return aim;
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
  const aims = faces.map((face, i) => aimOf(face, angles[i]!.pitch, bent(yaw, angles[i]!.yaw)));
  const pitch = fitBend(PITCHES, aims);
  const source = `mean of ${faces.length} meshes of the dev pictures of the pose task, made symmetric; yaw: the spread of their labels, pitch: their labels and the bins that were looked over`;
  writeFileSync(out, `${JSON.stringify({ source, yaw, pitch, points })}\n`);
  console.log(`${out}: ${source}`, yaw, pitch);
});
