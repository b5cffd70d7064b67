import type { Engine, Pose } from '@wajah/engine';
import type { EvalFolder, Split } from '../data/eval-folder.ts';
import { analyzeEntries, type WithFace, withFace } from './analyze.ts';
import { type Figure, plain, share, tally } from './figure.ts';

const BINS = ['front', 'left', 'right', 'up', 'down'] as const;
/** Largest absolute yaw of the label, degrees, that counts as slight. */
const SLIGHT = 30;

/** Head pose: errors of the service's bins (12°), and mean absolute errors of yaw and pitch against the pseudo-labels. */
export async function poseFigures(engine: Engine, folder: EvalFolder, split: Split): Promise<Figure[]> {
  const seen = await analyzeEntries(engine, folder, 'pose', folder.entries('pose', split), ['pose']);
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
    share('face not detected (counted as a wrong pose bin)', unseen),
    share('wrong pose bin', wrong(BINS)),
    share('wrong pose bin: left, right, front', wrong(['left', 'right', 'front'])),
    share('wrong pose bin: up, down', wrong(['up', 'down'])),
    ...distances(slight, `yaw of at most ${SLIGHT}°`),
    ...distances(strong, `yaw of more than ${SLIGHT}°`),
  ];
}

function distances(faces: readonly WithFace<'pose'>[], which: string): Figure[] {
  const error = (part: 'yaw' | 'pitch', sign: number) =>
    faces.reduce((sum, { entry, face }) => sum + Math.abs(face.pose![part] - sign * entry[part]!), 0) /
    Math.max(1, faces.length);
  return [['yaw', -1] as const, ['pitch', 1] as const].map(([part, sign]) =>
    plain(
      `mean absolute error of ${part} against pseudo-labels, ${which}`,
      `${error(part, sign).toFixed(1)}°`,
      `${faces.length} faces`,
    ),
  );
}

/** The pose bin of a label. Labels name the side of the picture, bins the person's own side. */
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
