import type { Engine, Pose } from '@wajah/engine';
import type { EvalFolder, Split } from '../data/eval-folder.ts';
import { type Figure, plain, share, tally } from './figure.ts';
import { look, type WithFace, withFace } from './look.ts';

const BINS = ['front', 'left', 'right', 'up', 'down'] as const;
/** Up to here a turn counts as slight, degrees of the label's yaw. */
const SLIGHT = 30;

/** Head pose: bins of the service (12 degrees), and the distance from the pseudo-labels. */
export async function poseFigures(engine: Engine, folder: EvalFolder, split: Split): Promise<Figure[]> {
  const seen = await look(engine, folder, 'pose', folder.entries('pose', split), ['pose']);
  const faces = withFace(seen);
  const bins = seen.filter(({ entry }) => expectedBin(entry.label) !== undefined);
  const wrong = (labels: readonly string[]) =>
    tally(
      bins.filter(({ entry }) => labels.includes(expectedBin(entry.label)!)),
      ({ entry, face }) => !face || binOf(face.pose!) !== expectedBin(entry.label),
    );
  const labelled = faces.filter(({ entry }) => entry.yaw !== undefined && entry.pitch !== undefined);
  const isSlight = ({ entry }: WithFace<'pose'>) => Math.abs(entry.yaw!) <= SLIGHT;
  const slight = labelled.filter(isSlight);
  const strong = labelled.filter((one) => !isSlight(one));
  const unseen = tally(seen, ({ face }) => !face);
  return [
    share('no face found (counts as a wrong bin)', unseen),
    share('wrong bin', wrong(BINS)),
    share('wrong bin, left, right and front', wrong(['left', 'right', 'front'])),
    share('wrong bin, up and down', wrong(['up', 'down'])),
    ...distances(slight, `turned by at most ${SLIGHT}°`),
    ...distances(strong, `turned by more than ${SLIGHT}°`),
  ];
}

function distances(faces: readonly WithFace<'pose'>[], which: string): Figure[] {
  const error = (part: 'yaw' | 'pitch', sign: number) =>
    faces.reduce((sum, { entry, face }) => sum + Math.abs(face.pose![part] - sign * entry[part]!), 0) /
    Math.max(1, faces.length);
  return [['yaw', -1] as const, ['pitch', 1] as const].map(([part, sign]) =>
    plain(
      `mean distance from pseudo-labels, ${part}, ${which}`,
      `${error(part, sign).toFixed(1)}°`,
      `${faces.length} faces`,
    ),
  );
}

/** The manifest names the side of the picture to which the nose points; the person turns to the other one. */
export function expectedBin(label: string): string | undefined {
  if (label.startsWith('left')) return 'right';
  if (label.startsWith('right')) return 'left';
  return { frontal: 'front', up: 'up', down: 'down' }[label];
}

function binOf({ yaw, pitch }: Pose): string {
  if (Math.abs(yaw) < 12 && Math.abs(pitch) < 12) return 'front';
  if (Math.abs(yaw) > Math.abs(pitch)) return yaw > 0 ? 'left' : 'right';
  return pitch > 0 ? 'up' : 'down';
}
