import type { Engine } from '@wajah/engine';
import type { EvalFolder, Split } from '../data/eval-folder.ts';
import { rocArea } from '../metrics/scores.ts';
import { analyzeEntries, type Faces, type WithFace, withFace } from './analyze.ts';
import { balanced, type Figure, plain, share, tally } from './figure.ts';

/** Errors of the mask attribute on the task `mask`, and its false positives on the bare faces `others`. */
export async function maskFigures(
  engine: Engine,
  folder: EvalFolder,
  split: Split,
  others: Faces,
): Promise<Figure[]> {
  const seen = await analyzeEntries(engine, folder, 'mask', folder.entries('mask', split), ['mask']);
  const labelled = (label: string) => seen.filter(({ entry }) => entry.label === label);
  const masked = withFace(labelled('mask'));
  const bare = withFace(labelled('no_mask'));
  const missed = tally(masked, ({ face }) => !face.mask!.worn);
  const wrong = tally(bare, ({ face }) => face.mask!.worn);
  const scores = (faces: readonly WithFace<'mask'>[]) => faces.map(({ face }) => face.mask!.score);
  const area = rocArea(scores(masked), scores(bare)).toFixed(4);
  return [
    balanced('balanced accuracy', missed, wrong),
    plain('ROC area', area, `${masked.length} and ${bare.length} faces`),
    share('mask not reported (false negative)', missed),
    share('mask reported on a bare face (false positive)', wrong),
    ...falseMasks(others),
    share(
      'face not detected, with a mask',
      tally(labelled('mask'), ({ face }) => !face),
    ),
    share(
      'face not detected, without a mask',
      tally(labelled('no_mask'), ({ face }) => !face),
    ),
  ];
}

function falseMasks(faces: Faces): Figure[] {
  const worn = (some: Faces) => tally(some, ({ face }) => face.mask!.worn);
  const isGrey = ({ entry }: Faces[number]) => entry.file.startsWith('lfw/');
  return [
    share('false positive, greyscale faces of `verification`', worn(faces.filter(isGrey))),
    share('false positive, colour faces of `verification`', worn(faces.filter((one) => !isGrey(one)))),
  ];
}

/** Errors of the eye states, per eye, and of the mouth state. */
export async function eyeAndMouthFigures(
  engine: Engine,
  folder: EvalFolder,
  split: Split,
): Promise<{ eyes: Figure[]; mouth: Figure[] }> {
  const entries = folder.entries('eyes_mouth', split);
  const seen = await analyzeEntries(engine, folder, 'eyes_mouth', entries, ['eyes', 'mouth']);
  const faces = withFace(seen);
  const unseen = share(
    'face not detected (not counted below)',
    tally(seen, ({ face }) => !face),
  );
  return { eyes: [unseen, ...eyeFigures(faces)], mouth: [unseen, ...mouthFigures(faces)] };
}

type Expressions = readonly WithFace<'eyes_mouth'>[];

function eyeFigures(faces: Expressions): Figure[] {
  const labelled = (label: string) => faces.filter(({ entry }) => entry.label.eyes === label);
  const states = (label: string) =>
    labelled(label).flatMap(({ face }) => [face.eyes!.left.state, face.eyes!.right.state]);
  const closed = tally(states('closed'), (state) => state === 'open');
  const open = tally(states('open'), (state) => state === 'closed');
  const winks = tally(labelled('one_closed'), ({ face }) => face.eyes!.left.state === face.eyes!.right.state);
  return [
    balanced('balanced accuracy per eye', closed, open),
    share('closed eye reported open', closed),
    share('open eye reported closed', open),
    share('wink not reported as one open and one closed eye', winks),
  ];
}

function mouthFigures(faces: Expressions): Figure[] {
  const wrong = (label: 'open' | 'closed') =>
    tally(
      faces.filter(({ entry }) => entry.label.mouth === label),
      ({ face }) => face.mouth!.state !== label,
    );
  return [
    balanced('balanced accuracy', wrong('open'), wrong('closed')),
    share('open mouth not reported open', wrong('open')),
    share('closed mouth not reported closed', wrong('closed')),
  ];
}
