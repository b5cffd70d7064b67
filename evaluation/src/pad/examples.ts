import {
  type OpenPack,
  type PadSignalValues,
  padSignalsOf,
  type TrainingPicture,
} from '@wajah/engine/training';
import type { Entry, EvalFolder, Split, Task } from '../data/eval-folder.ts';
import { seeded } from '../recapture/random.ts';
import type { Medium } from '../recapture/scene.ts';
import { plainShot, recapture, type Shot } from '../recapture/simulate.ts';
import { measureFaces } from '../run/measure-faces.ts';

/** What a row was measured on. Attacks: prints and screens, masks on or before a face, generated faces. */
export type Origin =
  | 'bona fide'
  | 'greyscale'
  | 'recapture'
  | 'mask'
  | 'generated'
  | 'retaken'
  | `simulated ${Medium}`;

/** What was measured on one face. */
export interface SpoofRow {
  readonly evidence: PadSignalValues;
  readonly positive: boolean;
  /** Where the picture came from, as far as it is known: never on both sides of a cross-validation. */
  readonly group: string;
  readonly origin: Origin;
  readonly split: Split;
  /** Task and file. */
  readonly name: string;
}

/** Whether a face was made up: an attack that was simulated, or a picture that was merely taken anew. */
export function isSimulated({ origin }: SpoofRow): boolean {
  return origin === 'retaken' || origin.startsWith('simulated');
}

/** Real and attacked faces of the spoof task. */
export async function spoofRows(pack: OpenPack, folder: EvalFolder, split: Split): Promise<SpoofRow[]> {
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
export async function portraitRows(pack: OpenPack, folder: EvalFolder, split: Split): Promise<SpoofRow[]> {
  const colour = ({ file }: Entry<'verification'>) => !file.startsWith('lfw/');
  return rows(pack, folder, 'verification', split, colour, (entry) => [personOf(entry), 'bona fide']);
}

/** People in the other tasks' dev pictures; of what resembles itself (a drive, a crowd of web photos) only a part. */
export async function otherRows(pack: OpenPack, folder: EvalFolder): Promise<SpoofRow[]> {
  const drivers = everyOne(4, ({ file }: Entry<'eyes_mouth'>) => file.startsWith('yawdd'));
  const passers = everyOne(3, (e: Entry<'mask'>) => e.label === 'no_mask' && e.kind === 'real photo');
  const turned = everyOne(3, (_: Entry<'pose'>) => true);
  const grey = everyOne(20, ({ file }: Entry<'verification'>) => file.startsWith('lfw/'));
  return [
    ...(await rows(pack, folder, 'eyes_mouth', 'dev', drivers, () => ['eyes_mouth', 'bona fide'])),
    ...(await rows(pack, folder, 'mask', 'dev', passers, (e) => [e.file, 'bona fide'])),
    ...(await rows(pack, folder, 'pose', 'dev', turned, (e) => [e.file, 'bona fide'])),
    ...(await rows(pack, folder, 'verification', 'dev', grey, (e) => [e.identity, 'greyscale'])),
  ];
}

/** Dev pictures of people taken anew, and shown on a screen, a print or a cut-out; seeded by their names. */
export async function simulatedRows(pack: OpenPack, folder: EvalFolder, step: number): Promise<SpoofRow[]> {
  const real = everyOne(1, ({ label }: Entry<'spoof'>) => label === 'real');
  const portraits = everyOne(step, ({ file }: Entry<'verification'>) => !file.startsWith('lfw/'));
  return [
    ...(await simulated(pack, folder, 'spoof', real, collectionOf)),
    ...(await simulated(pack, folder, 'verification', portraits, personOf)),
  ];
}

/** File names begin with a mark of the collection: the same people, cameras and rooms. */
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

/** Every `step`th of those that are wanted. */
function everyOne<E>(step: number, wanted: (entry: E) => boolean): (entry: E) => boolean {
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
): Promise<SpoofRow[]> {
  const entries = folder.entries(task, split).filter(wanted);
  const { measured } = await measureFaces(pack, folder, task, entries, (face) => face.padSignals());
  return measured.map(({ entry, value: evidence }) => {
    const [group, origin] = describe(entry);
    const positive = origin === 'recapture' || origin === 'mask' || origin === 'generated';
    return { evidence, positive, group, origin, split, name: `${task}/${entry.file}` };
  });
}

async function simulated<T extends Task>(
  pack: OpenPack,
  folder: EvalFolder,
  task: T,
  wanted: (entry: Entry<T>) => boolean,
  group: (entry: Entry<T>) => string,
): Promise<SpoofRow[]> {
  const entries = folder.entries(task, 'dev').filter(wanted);
  let before: TrainingPicture['pixels'] | undefined;
  const { measured } = await measureFaces(pack, folder, task, entries, async ({ box }, { pixels }, entry) => {
    const name = `${task}/${entry.file}`;
    const pick = seeded(name).between(0, 5);
    const medium: Medium = pick < 2 ? 'screen' : pick < 4 ? 'print' : 'cut-out';
    const about = { group: group(entry), split: 'dev', name } as const;
    const measure = (shot: Shot) => padSignalsOf(pack, shot.pixels, shot.box);
    const shots: SpoofRow[] = [
      {
        ...about,
        origin: 'retaken',
        positive: false,
        evidence: await measure(plainShot(pixels, box, name)),
      },
      {
        ...about,
        origin: `simulated ${medium}`,
        positive: true,
        evidence: await measure(recapture(pixels, box, medium, name, before)),
      },
    ];
    before = pixels;
    return shots;
  });
  return measured.flatMap(({ value }) => value);
}
