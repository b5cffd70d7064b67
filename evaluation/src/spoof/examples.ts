import { type OpenPack, spoofFeatures, type WorkbenchFace, type WorkbenchPicture } from '@wajah/engine';
import type { Entry, EvalFolder, Task } from '../data/eval-folder.ts';
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
export async function attackRows(
  pack: OpenPack,
  folder: EvalFolder,
  split: 'dev' | 'test',
): Promise<SpoofRow[]> {
  const entries = folder.entries('spoof', split).filter((entry) => entry.label === 'spoof');
  return rows(pack, folder, 'spoof', entries, (entry) => [entry.file, 'attack', entry.attack ?? '']);
}

/** Real faces of the spoof task. */
export async function realRows(
  pack: OpenPack,
  folder: EvalFolder,
  split: 'dev' | 'test',
): Promise<SpoofRow[]> {
  const entries = folder.entries('spoof', split).filter((entry) => entry.label === 'real');
  return rows(pack, folder, 'spoof', entries, (entry) => [entry.file, 'bona fide', ''], split === 'dev');
}

/** Colour pictures of people in the other tasks. */
export async function otherRealRows(
  pack: OpenPack,
  folder: EvalFolder,
  split: 'dev' | 'test',
): Promise<SpoofRow[]> {
  const people = folder.entries('verification', split).filter((entry) => !entry.file.startsWith('lfw/'));
  const drivers = folder.entries('eyes_mouth', split).filter((entry) => entry.file.startsWith('yawdd'));
  const passers = folder
    .entries('mask', split)
    .filter((entry) => entry.label === 'no_mask' && entry.kind === 'real photo');
  const again = split === 'dev';
  return [
    ...(await rows(pack, folder, 'verification', people, (e) => [e.identity, 'bona fide', ''], again)),
    ...(await rows(pack, folder, 'eyes_mouth', drivers, (e) => [e.file, 'bona fide', ''], again)),
    ...(await rows(pack, folder, 'mask', passers, (e) => [e.file, 'bona fide', ''], again)),
  ];
}

/** Greyscale pictures of people, one a person: to see that they are not called spoofs. */
export async function greyRows(
  pack: OpenPack,
  folder: EvalFolder,
  split: 'dev' | 'test',
): Promise<SpoofRow[]> {
  const people = new Set<string>();
  const entries = folder.entries('verification', split).filter((entry) => {
    const first = entry.file.startsWith('lfw/') && !people.has(entry.identity);
    people.add(entry.identity);
    return first;
  });
  return rows(pack, folder, 'verification', entries, (e) => [e.identity, 'greyscale', '']);
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

/** The picture taken anew, from a screen, and from a print; seeded by its name. */
function simulated(
  face: WorkbenchFace,
  { pixels }: WorkbenchPicture,
  about: { readonly group: string; readonly name: string },
): SpoofRow[] {
  const plain = plainShot(pixels, face.box, about.name);
  const shots = (['screen', 'print'] as const).map((medium) => {
    const shot = recapture(pixels, face.box, medium, about.name);
    const origin: Origin = `simulated ${medium}`;
    return { ...about, origin, positive: true, features: spoofFeatures(shot.pixels, shot.box) };
  });
  const features = spoofFeatures(plain.pixels, plain.box);
  return [{ ...about, origin: 'retaken', positive: false, features }, ...shots];
}
