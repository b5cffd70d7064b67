import { join } from 'node:path';
import { extractTrainingFeatures, type OpenPack } from '@wajah/engine/training';
import type { Entry, EvalFolder, Split, Task } from '../data/eval-folder.ts';
import { measureFaces } from '../run/measure-faces.ts';
import { extractFrames } from '../sessions/film.ts';
import type { PadExample, Species } from './examples.ts';

type Described = Omit<PadExample, 'values' | 'split' | 'name' | 'attack'>;

/** Frames a second that are taken from films, and from films of people who only speak. */
const RATE = { films: 2, selfies: 1 } as const;

/** Labelled pictures and frames of films of `pad`, `spoof`, `selfies` and `films`, and colour pictures of `verification`. */
export async function labelledExamples(
  pack: OpenPack,
  folder: EvalFolder,
  split: Split,
): Promise<PadExample[]> {
  const still = ({ kind }: Entry<'selfies'>) => kind === 'picture';
  const film = ({ kind }: Entry<'selfies'>) => kind === 'film';
  const colour = ({ file }: Entry<'verification'>) => !file.startsWith('lfw/');
  const pictures = rowsOf(pack, folder, split);
  return [
    ...(await pictures('pad', () => true, describePad)),
    ...(await pictures('spoof', () => true, describeSpoof)),
    ...(await pictures('selfies', still, describeSelfie)),
    ...(await filmRows(pack, folder, 'selfies', split, film, describeSelfie)),
    ...(await filmRows(pack, folder, 'films', split, () => true, describeFilm)),
    ...(await pictures('verification', colour, describePortrait)),
  ];
}

/** Bona fide faces of the other tasks' dev pictures; of pictures that resemble each other only a part. */
export async function otherExamples(pack: OpenPack, folder: EvalFolder): Promise<PadExample[]> {
  const bare = ({ label, kind }: Entry<'mask'>) => label === 'no_mask' && kind === 'real photo';
  const driver = ({ file }: Entry<'eyes_mouth'>) => file.startsWith('yawdd');
  const of = (collection: string, person: string): Described => ({
    collection,
    person,
    species: 'bona fide',
    source: 'other',
  });
  const pictures = rowsOf(pack, folder, 'dev');
  return [
    ...(await pictures('eyes_mouth', everyNth(4, driver), () => of('eyes_mouth', 'eyes_mouth'))),
    ...(await pictures('mask', everyNth(3, bare), ({ file }) => of('mask', file))),
    ...(await pictures(
      'pose',
      everyNth(3, () => true),
      ({ file }) => of('pose', file),
    )),
  ];
}

function describePad({ collection, person, attack, framing }: Entry<'pad'>): Described {
  return {
    collection,
    person,
    species: attack === 'injection' ? 'unknown' : (attack ?? 'bona fide'),
    source: framing,
  };
}

/** File names begin with the collection. */
export function describeSpoof({ file, attack }: Entry<'spoof'>): Described {
  const collection = `spoof/${file.split('/').at(-1)!.split('_')[0]}`;
  return { collection, person: file, species: speciesOf(attack), source: 'frame' };
}

/** One agency collected both, so that they are left out together; likewise all films. */
function describeSelfie({ identity }: Pick<Entry<'selfies'>, 'identity'>): Described {
  return { collection: 'selfies', person: identity, species: 'bona fide', source: 'frame' };
}

function describeFilm({ person, label }: Entry<'films'>): Described {
  return { collection: 'films', person, species: label === 'real' ? 'bona fide' : 'phone', source: 'frame' };
}

/** Press photos and frames of television: no camera took them for authentication. */
export function describePortrait({
  file,
  identity,
}: Pick<Entry<'verification'>, 'file' | 'identity'>): Described {
  const collection = `verification/${file.split('/')[0]}`;
  return { collection, person: identity, species: 'bona fide', source: 'other' };
}

function speciesOf(attack: string | null): Species {
  if (attack === null) return 'bona fide';
  if (attack.startsWith('AI')) return 'generated';
  for (const one of ['mask', 'print', 'phone', 'monitor'] as const) if (attack.includes(one)) return one;
  return 'unknown';
}

/** Every `step`th of the wanted entries. */
export function everyNth<E>(step: number, wanted: (entry: E) => boolean): (entry: E) => boolean {
  let count = 0;
  return (entry) => wanted(entry) && count++ % step === 0;
}

function rowsOf(pack: OpenPack, folder: EvalFolder, split: Split) {
  return async <T extends Task>(
    task: T,
    wanted: (entry: Entry<T>) => boolean,
    describe: (entry: Entry<T>) => Described,
  ): Promise<PadExample[]> => {
    const entries = folder.entries(task, split).filter(wanted);
    const { measured } = await measureFaces(pack, folder, task, entries, (face) => face.padSignals());
    return measured.map(({ entry, value: values }) => {
      const described = describe(entry);
      const attack = described.species !== 'bona fide';
      return { ...described, attack, values, split, name: `${task}/${entry.file}` };
    });
  };
}

async function filmRows<T extends 'films' | 'selfies'>(
  pack: OpenPack,
  folder: EvalFolder,
  task: T,
  split: Split,
  wanted: (entry: Entry<T>) => boolean,
  describe: (entry: Entry<T>) => Described,
): Promise<PadExample[]> {
  const rows: PadExample[] = [];
  for (const entry of folder.entries(task, split).filter(wanted)) {
    const frames = await extractFrames(join(folder.root, task, entry.file), RATE[task], 'png');
    for (const [i, frame] of frames.entries()) {
      const { faces } = await extractTrainingFeatures(pack, frame, 'fast');
      if (!faces[0]) continue;
      const described = describe(entry);
      const attack = described.species !== 'bona fide';
      const values = await faces[0].padSignals();
      rows.push({ ...described, attack, values, split, name: `${task}/${entry.file}#${i + 1}` });
    }
  }
  return rows;
}
