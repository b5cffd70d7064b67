import { type OpenPack, spoofFeatures, type WorkbenchFace, type WorkbenchPicture } from '@wajah/engine';
import type { Entry, EvalFolder, Task } from '../data/eval-folder.ts';
import { seeded } from '../recapture/random.ts';
import { plainShot, recapture } from '../recapture/simulate.ts';
import { observe } from '../run/observe.ts';

/** What a row of features was measured on. */
export type Origin =
  | 'bona fide'
  | 'greyscale'
  | 'attack'
  | 'retaken'
  | 'simulated screen'
  | 'simulated print';

/** Features of one face. */
export interface SpoofRow {
  readonly features: readonly number[];
  readonly positive: boolean;
  /** Person or picture: never on both sides of a cross-validation. */
  readonly group: string;
  readonly origin: Origin;
  /** Task and file, with the kind of attack. */
  readonly name: string;
}

/** Real attacks of the dev split; the generated face is no recapture and teaches nothing about one. */
export async function attackRows(pack: OpenPack, folder: EvalFolder): Promise<SpoofRow[]> {
  const entries = folder.entries('spoof', 'dev').filter((entry) => entry.label === 'spoof');
  return rows(pack, folder, 'spoof', entries, (entry) => [entry.file, 'attack', entry.attack ?? '']);
}

/** Real faces of the spoof task. */
export async function realRows(pack: OpenPack, folder: EvalFolder): Promise<SpoofRow[]> {
  const entries = folder.entries('spoof', 'dev').filter((entry) => entry.label === 'real');
  return rows(pack, folder, 'spoof', entries, (entry) => [entry.file, 'bona fide', ''], true);
}

/** Pictures of people in the other tasks; of what resembles itself (a drive, a crowd of web photos) only a part. */
export async function otherRealRows(pack: OpenPack, folder: EvalFolder): Promise<SpoofRow[]> {
  const every = (step: number) => (_: unknown, i: number) => i % step === 0;
  const people = folder.entries('verification', 'dev').filter((entry) => !entry.file.startsWith('lfw/'));
  const drivers = folder
    .entries('eyes_mouth', 'dev')
    .filter((entry) => entry.file.startsWith('yawdd'))
    .filter(every(4));
  const passers = folder
    .entries('mask', 'dev')
    .filter((entry) => entry.label === 'no_mask' && entry.kind === 'real photo')
    .filter(every(3));
  const grey = oneAPerson(folder).filter(every(10));
  return [
    ...(await rows(pack, folder, 'verification', people, (e) => [e.identity, 'bona fide', ''], true)),
    ...(await rows(pack, folder, 'eyes_mouth', drivers, (e) => [e.file, 'bona fide', ''], true)),
    ...(await rows(pack, folder, 'mask', passers, (e) => [e.file, 'bona fide', ''], true)),
    ...(await rows(pack, folder, 'verification', grey, (e) => [e.identity, 'greyscale', ''], true)),
  ];
}

/** Greyscale pictures of people that are not learned from: to see that they are not called spoofs. */
export async function greyRows(pack: OpenPack, folder: EvalFolder): Promise<SpoofRow[]> {
  const entries = oneAPerson(folder).filter((_, i) => i % 10 === 5);
  return rows(pack, folder, 'verification', entries, (e) => [e.identity, 'greyscale', '']);
}

function oneAPerson(folder: EvalFolder): Entry<'verification'>[] {
  const first = new Map<string, Entry<'verification'>>();
  for (const entry of folder.entries('verification', 'dev')) {
    if (entry.file.startsWith('lfw/') && !first.has(entry.identity)) first.set(entry.identity, entry);
  }
  return [...first.values()];
}

async function rows<T extends Task>(
  pack: OpenPack,
  folder: EvalFolder,
  task: T,
  entries: readonly Entry<T>[],
  describe: (entry: Entry<T>) => [group: string, origin: Origin, attack: string],
  andAgain = false,
): Promise<SpoofRow[]> {
  const { seen } = await observe(pack, folder, task, entries, (face, picture, entry) => {
    const [group, origin, attack] = describe(entry);
    const about = { group, name: `${task}/${entry.file} ${attack}`.trim() };
    const own = {
      ...about,
      features: spoofFeatures(picture.pixels, face.box),
      positive: origin === 'attack',
      origin,
    };
    return andAgain ? [own, ...simulated(face, picture, about)] : [own];
  });
  return seen.flatMap(({ value }) => value);
}

/** The picture taken anew, and from a screen or a print; seeded by its name. */
function simulated(
  face: WorkbenchFace,
  { pixels }: WorkbenchPicture,
  about: { readonly group: string; readonly name: string },
): SpoofRow[] {
  const plain = plainShot(pixels, face.box, about.name);
  const medium = seeded(about.name).chance(0.5) ? 'screen' : 'print';
  const shot = recapture(pixels, face.box, medium, about.name);
  return [
    { ...about, origin: 'retaken', positive: false, features: spoofFeatures(plain.pixels, plain.box) },
    {
      ...about,
      origin: `simulated ${medium}`,
      positive: true,
      features: spoofFeatures(shot.pixels, shot.box),
    },
  ];
}
