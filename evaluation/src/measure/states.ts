import type { Engine, Pose } from '@wajah/engine';
import type { EvalFolder, Split } from '../data/eval-folder.ts';
import { rocArea } from '../metrics/scores.ts';
import { balanced, type Figure, plain, share, tally } from './figure.ts';
import { look, type WithFace, withFace } from './look.ts';
import type { Faces } from './recognition.ts';

/** Masks: on the mask task, and falsely on the faces of the other tasks. */
export async function maskFigures(
  engine: Engine,
  folder: EvalFolder,
  split: Split,
  others: Faces,
): Promise<Figure[]> {
  const seen = await look(engine, folder, 'mask', folder.entries('mask', split), ['mask']);
  const faces = withFace(seen);
  const masked = faces.filter(({ entry }) => entry.label === 'mask');
  const bare = faces.filter(({ entry }) => entry.label === 'no_mask');
  const worn = ({ face }: WithFace<'mask'>) => face.mask!.worn;
  const missed = tally(masked, (one) => !worn(one));
  const wrong = tally(bare, worn);
  const score = ({ face }: WithFace<'mask'>) => face.mask!.score;
  const grey = others.filter(({ entry }) => entry.file.startsWith('lfw/'));
  const colour = others.filter(({ entry }) => !entry.file.startsWith('lfw/'));
  return [
    balanced('balanced accuracy', missed, wrong),
    plain(
      'ROC area',
      rocArea(masked.map(score), bare.map(score)).toFixed(4),
      `${masked.length} and ${bare.length} faces`,
    ),
    share('mask missed', missed),
    share('mask seen where there is none', wrong),
    share(
      'the same, greyscale faces of `verification`',
      tally(grey, ({ face }) => face.mask!.worn),
    ),
    share(
      'the same, colour faces of `verification`',
      tally(colour, ({ face }) => face.mask!.worn),
    ),
    share(
      'no face found behind a mask',
      tally(
        seen.filter(({ entry }) => entry.label === 'mask'),
        ({ face }) => !face,
      ),
    ),
    share(
      'no face found without a mask',
      tally(
        seen.filter(({ entry }) => entry.label === 'no_mask'),
        ({ face }) => !face,
      ),
    ),
  ];
}

/** Eyes, eye by eye, and mouths. */
export async function eyeAndMouthFigures(
  engine: Engine,
  folder: EvalFolder,
  split: Split,
): Promise<{ eyes: Figure[]; mouth: Figure[] }> {
  const entries = folder.entries('eyes_mouth', split);
  const faces = withFace(await look(engine, folder, 'eyes_mouth', entries, ['eyes', 'mouth']));
  const eyesOf = (label: string) =>
    faces
      .filter(({ entry }) => entry.label.eyes === label)
      .flatMap(({ face }) => [face.eyes!.left.state, face.eyes!.right.state]);
  const closedMissed = tally(eyesOf('closed'), (state) => state === 'open');
  const openMissed = tally(eyesOf('open'), (state) => state === 'closed');
  const winks = faces.filter(({ entry }) => entry.label.eyes === 'one_closed');
  const mouthsOf = (label: string) =>
    faces.filter(({ entry }) => entry.label.mouth === label).map(({ face }) => face.mouth!.state);
  const openMouths = tally(mouthsOf('open'), (state) => state !== 'open');
  const closedMouths = tally(mouthsOf('closed'), (state) => state !== 'closed');
  return {
    eyes: [
      balanced('balanced accuracy, eye by eye', closedMissed, openMissed),
      share('closed eye called open', closedMissed),
      share('open eye called closed', openMissed),
      share(
        'wink not seen as one eye open and one closed',
        tally(winks, ({ face }) => face.eyes!.left.state === face.eyes!.right.state),
      ),
    ],
    mouth: [
      balanced('balanced accuracy', openMouths, closedMouths),
      share('open mouth not called open', openMouths),
      share('closed mouth not called closed', closedMouths),
    ],
  };
}

/** Head pose: bins of the service (12 degrees), and the distance from the pseudo-labels. */
export async function poseFigures(engine: Engine, folder: EvalFolder, split: Split): Promise<Figure[]> {
  const faces = withFace(await look(engine, folder, 'pose', folder.entries('pose', split), ['pose']));
  const bins = faces.filter(({ entry }) => expectedBin(entry.label) !== undefined);
  const wrong = (labels: readonly string[]) =>
    tally(
      bins.filter(({ entry }) => labels.includes(expectedBin(entry.label)!)),
      ({ entry, face }) => binOf(face.pose!) !== expectedBin(entry.label),
    );
  const labelled = faces.filter(({ entry }) => Math.abs(entry.yaw ?? 99) <= 30);
  const error = (part: 'yaw' | 'pitch', sign: number) =>
    labelled.reduce((sum, { entry, face }) => sum + Math.abs(face.pose![part] - sign * entry[part]!), 0) /
    Math.max(1, labelled.length);
  return [
    share('wrong bin, left, right and front', wrong(['left', 'right', 'front'])),
    share('wrong bin, up and down', wrong(['up', 'down'])),
    plain(
      'mean distance from pseudo-labels, yaw',
      `${error('yaw', -1).toFixed(1)}°`,
      `${labelled.length} faces, |yaw| ≤ 30°`,
    ),
    plain(
      'mean distance from pseudo-labels, pitch',
      `${error('pitch', 1).toFixed(1)}°`,
      `${labelled.length} faces, |yaw| ≤ 30°`,
    ),
  ];
}

/** The manifest names the side of the picture to which the nose points; the person turns to the other one. */
function expectedBin(label: string): string | undefined {
  if (label.startsWith('left')) return 'right';
  if (label.startsWith('right')) return 'left';
  return { frontal: 'front', up: 'up', down: 'down' }[label];
}

function binOf({ yaw, pitch }: Pose): string {
  if (Math.abs(yaw) < 12 && Math.abs(pitch) < 12) return 'front';
  if (Math.abs(yaw) > Math.abs(pitch)) return yaw > 0 ? 'left' : 'right';
  return pitch > 0 ? 'up' : 'down';
}
