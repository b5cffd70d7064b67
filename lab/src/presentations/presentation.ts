import type { Entry, EvalFolder, Split } from '../data/eval-folder.ts';

/** Presentation attack instruments told apart (ISO/IEC 30107-3: species), the digital one last. */
export const SPECIES = ['print', 'phone', 'monitor', 'mask', 'unknown', 'generated'] as const;
export type Species = (typeof SPECIES)[number];

/** Camera that took the picture, where the manifest tells. */
export type Camera = 'phone' | 'webcam' | 'other';

/** `frame`: the whole picture of a camera. `crop`: cut tightly around the face before it was published. */
export type Framing = 'frame' | 'crop';

/** A labelled picture of a bona fide presentation (`species` null) or of an attack. */
export interface Presentation {
  readonly task: 'pad' | 'pad2' | 'spoof' | 'selfies';
  readonly file: string;
  readonly species: Species | null;
  readonly camera: Camera;
  readonly framing: Framing;
  /** Pictures of one person share it; unknown people count as one each. */
  readonly person: string;
  /** Pictures of one collection share cameras and places. */
  readonly collection: string;
}

/**
 * The pictures of a split in the tasks `pad`, `pad2`, `spoof` and `selfies`, as far as the folder has them; films are skipped.
 * @throws Error when the folder has none of them
 */
export function presentationsOf(folder: EvalFolder, split: Split): Presentation[] {
  const of = <E>(task: Presentation['task'], entries: () => E[], convert: (entry: E) => Presentation) =>
    folder.has(task) ? entries().map(convert) : [];
  const all = [
    ...(['pad', 'pad2'] as const).flatMap((task) =>
      of(
        task,
        () => folder.entries(task, split),
        (entry) => ofPad(task, entry),
      ),
    ),
    ...of('spoof', () => folder.entries('spoof', split), ofSpoof),
    ...of('selfies', () => folder.entries('selfies', split).filter(isPicture), ofSelfies),
  ];
  if (all.length > 0) return all;
  throw new Error(`${folder.root} has no pictures of ${split} in pad, pad2, spoof or selfies`);
}

const isPicture = ({ kind }: Entry<'selfies'>) => kind === 'picture';

function ofPad(
  task: 'pad' | 'pad2',
  { file, label, attack, framing, person, collection, device }: Entry<'pad'>,
): Presentation {
  const species = label === 'real' ? null : (SPECIES.find((one) => one === attack) ?? 'unknown');
  return { task, file, species, camera: device ?? 'other', framing, person, collection };
}

/** The pictures come from several demonstrations and show different people. */
function ofSpoof({ file, label, attack }: Entry<'spoof'>): Presentation {
  const species = label === 'real' ? null : speciesOf(attack ?? '');
  const person = `spoof:${file}`;
  return { task: 'spoof', file, species, camera: 'other', framing: 'frame', person, collection: 'spoof' };
}

function ofSelfies({ file, identity: person, device: camera }: Entry<'selfies'>): Presentation {
  return { task: 'selfies', file, species: null, camera, framing: 'frame', person, collection: 'selfies' };
}

/** Species of a description in words. @example speciesOf('folded paper mask') // 'mask' */
export function speciesOf(attack: string): Species {
  if (/generated/i.test(attack)) return 'generated';
  return SPECIES.find((one) => attack.includes(one)) ?? 'unknown';
}
