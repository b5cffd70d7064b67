import type { Engine } from '@wajah/engine';
import type { EvalFolder, Split } from '../data/eval-folder.ts';
import { rocArea } from '../metrics/scores.ts';
import type { Judgement } from '../plots/reliability.ts';
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
    share('mask missed', missed),
    share('mask seen where there is none', wrong),
    ...falseMasks(others),
    share(
      'no face found behind a mask',
      tally(labelled('mask'), ({ face }) => !face),
    ),
    share(
      'no face found without a mask',
      tally(labelled('no_mask'), ({ face }) => !face),
    ),
  ];
}

function falseMasks(faces: Faces): Figure[] {
  const worn = (some: Faces) => tally(some, ({ face }) => face.mask!.worn);
  const isGrey = ({ entry }: Faces[number]) => entry.file.startsWith('lfw/');
  return [
    share('the same, greyscale faces of `verification`', worn(faces.filter(isGrey))),
    share('the same, colour faces of `verification`', worn(faces.filter((one) => !isGrey(one)))),
  ];
}

/** Eyes, eye by eye, and mouths. */
export async function eyeAndMouthFigures(
  engine: Engine,
  folder: EvalFolder,
  split: Split,
): Promise<{ eyes: Figure[]; mouth: Figure[] }> {
  const entries = folder.entries('eyes_mouth', split);
  const seen = await look(engine, folder, 'eyes_mouth', entries, ['eyes', 'mouth']);
  const faces = withFace(seen);
  const unseen = share(
    'no face found (counted apart)',
    tally(seen, ({ face }) => !face),
  );
  return { eyes: [unseen, ...eyeFigures(faces)], mouth: [unseen, ...mouthFigures(faces)] };
}

/** How sure each eye and mouth was judged, and whether that was right; winks are left out, as no label says which eye. */
export async function eyeAndMouthJudgements(
  engine: Engine,
  folder: EvalFolder,
  split: Split,
): Promise<{ eyes: Judgement[]; mouth: Judgement[] }> {
  const entries = folder.entries('eyes_mouth', split);
  const faces = withFace(await look(engine, folder, 'eyes_mouth', entries, ['eyes', 'mouth']));
  const eyes = faces.flatMap(({ entry, face }) => {
    const label = entry.label.eyes;
    if (label !== 'open' && label !== 'closed') return [];
    return [face.eyes!.left, face.eyes!.right].map(({ state, score }) => ({ score, right: state === label }));
  });
  const mouth = faces.flatMap(({ entry, face }) => {
    const { state, score } = face.mouth!;
    return entry.label.mouth === 'any' ? [] : [{ score, right: state === entry.label.mouth }];
  });
  return { eyes, mouth };
}

/** How sure each face was judged to wear a mask or none, and whether that was right. */
export async function maskJudgements(engine: Engine, folder: EvalFolder, split: Split): Promise<Judgement[]> {
  const faces = withFace(await look(engine, folder, 'mask', folder.entries('mask', split), ['mask']));
  return faces.map(({ entry, face }) => {
    const { worn, score } = face.mask!;
    return { score: worn ? score : 1 - score, right: worn === (entry.label === 'mask') };
  });
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
    balanced('balanced accuracy, eye by eye', closed, open),
    share('closed eye called open', closed),
    share('open eye called closed', open),
    share('wink not seen as one eye open and one closed', winks),
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
    share('open mouth not called open', wrong('open')),
    share('closed mouth not called closed', wrong('closed')),
  ];
}
