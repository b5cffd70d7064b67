import { type OpenPack, padSignalsOf, type TrainingPicture } from '@wajah/engine/training';
import type { Entry, EvalFolder, Task } from '../data/eval-folder.ts';
import { seeded } from '../recapture/random.ts';
import type { Medium } from '../recapture/scene.ts';
import { recapture, type SimulatedPicture, simulateFramedBonaFide } from '../recapture/simulate.ts';
import { measureFaces } from '../run/measure-faces.ts';
import type { PadExample } from './examples.ts';
import { describePortrait, describeSpoof, everyNth } from './sources.ts';

/** One of so many portraits is simulated. */
const STEP = 2;

/**
 * Simulated recaptures (screen, print, cut-out) of bona fide dev pictures, each with a second bona fide capture in the same
 * format, seeded by their names.
 */
export async function simulatedExamples(pack: OpenPack, folder: EvalFolder): Promise<PadExample[]> {
  const frame = ({ label, framing }: Entry<'pad'>) => label === 'real' && framing === 'frame';
  const real = ({ label }: Entry<'spoof'>) => label === 'real';
  const still = ({ kind }: Entry<'selfies'>) => kind === 'picture';
  const colour = everyNth(STEP, ({ file }: Entry<'verification'>) => !file.startsWith('lfw/'));
  return [
    ...(await simulated(pack, folder, 'pad', frame, ({ collection }) => collection)),
    ...(await simulated(pack, folder, 'spoof', real, (entry) => describeSpoof(entry).collection)),
    ...(await simulated(pack, folder, 'selfies', still, () => 'selfies')),
    ...(await simulated(pack, folder, 'verification', colour, (entry) => describePortrait(entry).collection)),
  ];
}

async function simulated<T extends Task>(
  pack: OpenPack,
  folder: EvalFolder,
  task: T,
  wanted: (entry: Entry<T>) => boolean,
  collectionOf: (entry: Entry<T>) => string,
): Promise<PadExample[]> {
  const entries = folder.entries(task, 'dev').filter(wanted);
  let before: TrainingPicture['pixels'] | undefined;
  const { measured } = await measureFaces(pack, folder, task, entries, async ({ box }, { pixels }, entry) => {
    const name = `${task}/${entry.file}`;
    const medium = mediumOf(name);
    const about = {
      collection: collectionOf(entry),
      person: name,
      source: 'simulated',
      split: 'dev',
    } as const;
    const row = async (picture: SimulatedPicture, attack: boolean): Promise<PadExample> => ({
      ...about,
      attack,
      species: attack ? (medium === 'screen' ? 'phone' : 'print') : 'bona fide',
      name: `${name}#${attack ? medium : 'retaken'}`,
      values: await padSignalsOf(pack, picture.pixels, picture.box),
    });
    const rows = [
      await row(simulateFramedBonaFide(pixels, box, name), false),
      await row(recapture(pixels, box, medium, name, before), true),
    ];
    before = pixels;
    return rows;
  });
  return measured.flatMap(({ value }) => value);
}

function mediumOf(name: string): Medium {
  const pick = seeded(name).between(0, 5);
  return pick < 2 ? 'screen' : pick < 4 ? 'print' : 'cut-out';
}
