import { type OpenPack, PAD_SIGNALS, padSignalsOf, type TrainingPicture } from '@wajah/engine/training';
import type { Entry, EvalFolder } from '../data/eval-folder.ts';
import { seeded } from '../recapture/random.ts';
import type { Medium } from '../recapture/scene.ts';
import { recapture, type SimulatedPicture, simulateFramedBonaFide } from '../recapture/simulate.ts';
import { measureFaces } from '../run/measure-faces.ts';
import type { PadExample } from './examples.ts';

/** The signal that is trained on them: the surroundings of faces are too varied for the few real attacks. */
const SIGNALS = PAD_SIGNALS.filter(({ name }) => name === 'scene');

/**
 * Values of the signal `scene` for simulated recaptures (screen, print, cut-out) and bona fide pictures in the same
 * formats of passers-by and turned heads of `dev`. The simulations of `simulatedExamples` show other pictures.
 */
export async function sceneExamples(pack: OpenPack, folder: EvalFolder): Promise<PadExample[]> {
  const bare = ({ label, kind }: Entry<'mask'>) => label === 'no_mask' && kind === 'real photo';
  return [
    ...(await simulatedPairs(pack, folder, 'mask', folder.entries('mask', 'dev').filter(bare))),
    ...(await simulatedPairs(pack, folder, 'pose', folder.entries('pose', 'dev'))),
  ];
}

async function simulatedPairs<T extends 'mask' | 'pose'>(
  pack: OpenPack,
  folder: EvalFolder,
  task: T,
  entries: readonly Entry<T>[],
): Promise<PadExample[]> {
  let before: TrainingPicture['pixels'] | undefined;
  const { measured } = await measureFaces(
    pack,
    folder,
    task,
    entries,
    async ({ box }, { pixels }, { file }) => {
      const name = `${task}/${file}`;
      const medium = mediumOf(name);
      const row = async (origin: PadExample['origin'], picture: SimulatedPicture): Promise<PadExample> => {
        const values = await padSignalsOf(pack, picture.pixels, picture.box, SIGNALS);
        return { values, positive: origin !== 'retaken', group: file, origin, split: 'dev', name };
      };
      const shown = recapture(pixels, box, medium, `lesson ${name}`, before);
      before = pixels;
      return [
        await row(`simulated ${medium}`, shown),
        await row('retaken', simulateFramedBonaFide(pixels, box, name)),
      ];
    },
  );
  return measured.flatMap(({ value }) => value);
}

function mediumOf(name: string): Medium {
  const pick = seeded(`medium of lesson ${name}`).between(0, 5);
  return pick < 2 ? 'screen' : pick < 4 ? 'print' : 'cut-out';
}
