import { type OpenPack, PAD_SIGNALS, padSignalsOf, type TrainingPicture } from '@wajah/engine/training';
import type { Entry, EvalFolder } from '../data/eval-folder.ts';
import { seeded } from '../recapture/random.ts';
import type { Medium } from '../recapture/scene.ts';
import { framedShot, recapture, type Shot } from '../recapture/simulate.ts';
import { measureFaces } from '../run/measure-faces.ts';
import type { SpoofRow } from './examples.ts';

/** The cue that learns from them: what surrounds faces differs so much that the real attacks show too little of it. */
const CUES = PAD_SIGNALS.filter(({ name }) => name === 'scene');

/**
 * Passers-by and turned heads of `dev`, shown on a screen, a print or a cut-out, and taken anew in the same formats; what
 * the cue `scene` says of them and nothing else. Simulations that count as examples show other pictures.
 */
export async function sceneLessons(pack: OpenPack, folder: EvalFolder): Promise<SpoofRow[]> {
  const bare = ({ label, kind }: Entry<'mask'>) => label === 'no_mask' && kind === 'real photo';
  return [
    ...(await lessons(pack, folder, 'mask', folder.entries('mask', 'dev').filter(bare))),
    ...(await lessons(pack, folder, 'pose', folder.entries('pose', 'dev'))),
  ];
}

async function lessons<T extends 'mask' | 'pose'>(
  pack: OpenPack,
  folder: EvalFolder,
  task: T,
  entries: readonly Entry<T>[],
): Promise<SpoofRow[]> {
  let before: TrainingPicture['pixels'] | undefined;
  const { measured } = await measureFaces(
    pack,
    folder,
    task,
    entries,
    async ({ box }, { pixels }, { file }) => {
      const name = `${task}/${file}`;
      const medium = mediumOf(name);
      const row = async (origin: SpoofRow['origin'], shot: Shot): Promise<SpoofRow> => {
        const evidence = await padSignalsOf(pack, shot.pixels, shot.box, CUES);
        return { evidence, positive: origin !== 'retaken', group: file, origin, split: 'dev', name };
      };
      const shown = recapture(pixels, box, medium, `lesson ${name}`, before);
      before = pixels;
      return [await row(`simulated ${medium}`, shown), await row('retaken', framedShot(pixels, box, name))];
    },
  );
  return measured.flatMap(({ value }) => value);
}

function mediumOf(name: string): Medium {
  const pick = seeded(`medium of lesson ${name}`).between(0, 5);
  return pick < 2 ? 'screen' : pick < 4 ? 'print' : 'cut-out';
}
