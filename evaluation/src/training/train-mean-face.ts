import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type OpenPack, type PiecewiseLinear, piecewiseLinear, relativePose } from '@wajah/engine/training';
import type { EvalFolder } from '../data/eval-folder.ts';
import { meanFace } from '../learn/mean-face.ts';
import { type CurveTarget, fitPiecewiseLinear } from '../learn/piecewise-linear.ts';
import { expectedBin } from '../measure/pose.ts';
import { readOptions, withPack } from '../run/command.ts';
import { measureFaces } from '../run/measure-faces.ts';

const OUT = fileURLToPath(new URL('../../../packages/engine/data/mean-face.json', import.meta.url));

/** Where the curves may bend, degrees of the mesh; that of the yaw on either side. */
const YAWS = [15, 45];
const PITCHES = [-40, -25, -12, 0, 12, 30];
/**
 * Bins of the service begin at 12°, and a head is raised where its pitch is larger than its yaw; the rest is room for the
 * next picture: cross-validated over `dev`, 2 of 97 bins are wrong with it, 4 with a degree of room.
 */
const INSIDE = 10;
const OUTSIDE = 15;
const APART = 3;

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
  const { measured } = await measureFaces(pack, folder, 'pose', entries, (face) => face.poseMesh());
  return measured.map(({ entry, value }) => ({
    points: value,
    yaw: -entry.yaw!,
    pitch: entry.pitch!,
    bin: expectedBin(entry.label),
  }));
}

/** Curve of the yaw, left and right alike, zero staying zero: the mesh flattens strong turns and hardly slight ones. */
function yawCurve(faces: readonly Labelled[], found: readonly number[]): PiecewiseLinear {
  const still = found.map(() => ({ x: 0, target: 0 }));
  const aims = faces.map((face, i) => yawAim(face, found[i]!));
  const { from, to } = fitPiecewiseLinear([0, ...YAWS], [...aims, ...still]);
  return { from: onBothSides(from), to: onBothSides(to) };
}

/** @param places the first is the middle, which is left out */
function onBothSides([, ...places]: readonly number[]): number[] {
  return [...places.map((place) => -place).reverse(), ...places];
}

/** How far to either side the label says, and the bin that was looked over by eye. */
function yawAim({ yaw, pitch, bin }: Labelled, found: number): CurveTarget {
  const aim = { x: Math.abs(found), target: Math.sign(found) * yaw };
  if (bin === 'front') return { ...aim, max: INSIDE };
  if (bin === 'left' || bin === 'right') return { ...aim, min: OUTSIDE };
  if (bin === 'up' || bin === 'down') return { ...aim, max: Math.max(OUTSIDE, Math.abs(pitch)) - APART };
  return aim;
}

/** The same for the pitch. @param yaw as it will be reported */
function pitchAim({ pitch, bin }: Labelled, found: number, yaw: number): CurveTarget {
  const aim = { x: found, target: pitch };
  if (bin === 'front') return { ...aim, min: -INSIDE, max: INSIDE };
  if (bin === 'up') return { ...aim, min: Math.max(OUTSIDE, Math.abs(yaw) + APART) };
  if (bin === 'down') return { ...aim, max: -Math.max(OUTSIDE, Math.abs(yaw) + APART) };
  return aim;
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}

const { folder, cache, out = OUT } = readOptions();
await withPack(cache, async (pack) => {
  const faces = await examples(pack, folder);
  const points = [...meanFace(faces.map((face) => face.points))].map((value) => round(value, 4));
  const angles = faces.map((face) => relativePose(points, face.points));
  const yaw = yawCurve(
    faces,
    angles.map((angle) => angle.yaw),
  );
  const aims = faces.map((face, i) => pitchAim(face, angles[i]!.pitch, piecewiseLinear(yaw, angles[i]!.yaw)));
  const pitch = fitPiecewiseLinear(PITCHES, aims);
  const source = `mean of ${faces.length} meshes of the dev pictures of the pose task, made symmetric; yaw and pitch: their labels and the bins that were looked over`;
  writeFileSync(out, `${JSON.stringify({ source, yaw, pitch, points })}\n`);
  console.log(`${out}: ${source}`, yaw, pitch);
});
