import {
  type OpenPack,
  type PadSignalValues,
  padSignalsOf,
  type TrainingPicture,
} from '@wajah/engine/training';
import type { Entry, EvalFolder, Split, Task } from '../data/eval-folder.ts';
import { seeded } from '../recapture/random.ts';
import type { Medium } from '../recapture/scene.ts';
import { recapture, type SimulatedPicture, simulateBonaFide } from '../recapture/simulate.ts';
import { measureFaces } from '../run/measure-faces.ts';

/** Kind of picture. Attacks are prints and screens (`recapture`), masks worn or held, and generated faces. */
export type Origin =
  | 'bona fide'
  | 'greyscale'
  | 'recapture'
  | 'mask'
  | 'generated'
  | 'retaken'
  | `simulated ${Medium}`;

/** Signal values of one face. */
export interface PadExample {
  readonly values: PadSignalValues;
  readonly positive: boolean;
  /** Origin of the picture, as far as it is known: a fold of a cross-validation holds all of a group or nothing. */
  readonly group: string;
  readonly origin: Origin;
  readonly split: Split;
  /** Task and file. */
  readonly name: string;
}

/** Whether the picture was computed: a simulated attack, or a simulated second capture of a bona fide picture. */
export function isSimulated({ origin }: PadExample): boolean {
  return origin === 'retaken' || origin.startsWith('simulated');
}

/** Bona fide faces and attacks of the task `spoof`. */
export async function spoofTaskExamples(
  pack: OpenPack,
  folder: EvalFolder,
  split: Split,
): Promise<PadExample[]> {
  const origin = (e: Entry<'spoof'>) => (e.label === 'real' ? 'bona fide' : originOf(e.attack ?? ''));
  return rows(
    pack,
    folder,
    'spoof',
    split,
    () => true,
    (entry) => [collectionOf(entry), origin(entry)],
  );
}

/** Colour pictures of `verification`. */
export async function portraitExamples(
  pack: OpenPack,
  folder: EvalFolder,
  split: Split,
): Promise<PadExample[]> {
  const colour = ({ file }: Entry<'verification'>) => !file.startsWith('lfw/');
  return rows(pack, folder, 'verification', split, colour, (entry) => [personOf(entry), 'bona fide']);
}

/** Bona fide faces of the other tasks' dev pictures; of pictures that resemble each other only a part. */
export async function otherExamples(pack: OpenPack, folder: EvalFolder): Promise<PadExample[]> {
  const drivers = everyNth(4, ({ file }: Entry<'eyes_mouth'>) => file.startsWith('yawdd'));
  const passers = everyNth(3, (e: Entry<'mask'>) => e.label === 'no_mask' && e.kind === 'real photo');
  const turned = everyNth(3, (_: Entry<'pose'>) => true);
  const grey = everyNth(20, ({ file }: Entry<'verification'>) => file.startsWith('lfw/'));
  return [
    ...(await rows(pack, folder, 'eyes_mouth', 'dev', drivers, () => ['eyes_mouth', 'bona fide'])),
    ...(await rows(pack, folder, 'mask', 'dev', passers, (e) => [e.file, 'bona fide'])),
    ...(await rows(pack, folder, 'pose', 'dev', turned, (e) => [e.file, 'bona fide'])),
    ...(await rows(pack, folder, 'verification', 'dev', grey, (e) => [e.identity, 'greyscale'])),
  ];
}

/** Simulated bona fide pictures and recaptures (screen, print, cut-out) of dev pictures, seeded by their names. */
export async function simulatedExamples(
  pack: OpenPack,
  folder: EvalFolder,
  step: number,
): Promise<PadExample[]> {
  const real = everyNth(1, ({ label }: Entry<'spoof'>) => label === 'real');
  const portraits = everyNth(step, ({ file }: Entry<'verification'>) => !file.startsWith('lfw/'));
  return [
    ...(await simulated(pack, folder, 'spoof', real, collectionOf)),
    ...(await simulated(pack, folder, 'verification', portraits, personOf)),
  ];
}

/** File names begin with the collection, which shares people, cameras and rooms. */
function collectionOf({ file }: Entry<'spoof'>): string {
  return `spoof/${file.split('/').at(-1)!.split('_')[0]}`;
}

/** Press photos come from everywhere, the other portraits from one place each. */
function personOf({ file, identity }: Entry<'verification'>): string {
  const collection = file.split('/')[0]!;
  return collection === 'public' ? identity : collection;
}

type Described = [group: string, origin: Origin];

function originOf(attack: string): Origin {
  if (attack.includes('mask')) return 'mask';
  return attack.startsWith('AI') ? 'generated' : 'recapture';
}

/** Every `step`th of the wanted entries. */
function everyNth<E>(step: number, wanted: (entry: E) => boolean): (entry: E) => boolean {
  let count = 0;
  return (entry) => wanted(entry) && count++ % step === 0;
}

async function rows<T extends Task>(
  pack: OpenPack,
  folder: EvalFolder,
  task: T,
  split: Split,
  wanted: (entry: Entry<T>) => boolean,
  describe: (entry: Entry<T>) => Described,
): Promise<PadExample[]> {
  const entries = folder.entries(task, split).filter(wanted);
  const { measured } = await measureFaces(pack, folder, task, entries, (face) => face.padSignals());
  return measured.map(({ entry, value: values }) => {
    const [group, origin] = describe(entry);
    const positive = origin === 'recapture' || origin === 'mask' || origin === 'generated';
    return { values, positive, group, origin, split, name: `${task}/${entry.file}` };
  });
}

async function simulated<T extends Task>(
  pack: OpenPack,
  folder: EvalFolder,
  task: T,
  wanted: (entry: Entry<T>) => boolean,
  group: (entry: Entry<T>) => string,
): Promise<PadExample[]> {
  const entries = folder.entries(task, 'dev').filter(wanted);
  let before: TrainingPicture['pixels'] | undefined;
  const { measured } = await measureFaces(pack, folder, task, entries, async ({ box }, { pixels }, entry) => {
    const name = `${task}/${entry.file}`;
    const pick = seeded(name).between(0, 5);
    const medium: Medium = pick < 2 ? 'screen' : pick < 4 ? 'print' : 'cut-out';
    const about = { group: group(entry), split: 'dev', name } as const;
    const measure = (picture: SimulatedPicture) => padSignalsOf(pack, picture.pixels, picture.box);
    const rows: PadExample[] = [
      {
        ...about,
        origin: 'retaken',
        positive: false,
        values: await measure(simulateBonaFide(pixels, box, name)),
      },
      {
        ...about,
        origin: `simulated ${medium}`,
        positive: true,
        values: await measure(recapture(pixels, box, medium, name, before)),
      },
    ];
    before = pixels;
    return rows;
  });
  return measured.flatMap(({ value }) => value);
}
