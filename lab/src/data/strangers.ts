import type { EvalFolder, Split } from './eval-folder.ts';
import type { LabelledPicture } from './people-folder.ts';

/** What people are alike by. */
export interface Likeness {
  /** Those of one collection and sex, or of one region, have one; null: nothing is known. */
  readonly group: string | null;
  readonly born?: number | undefined;
  /** As they said. */
  readonly ethnicity?: string | undefined;
}

/** Years between the births of people who are alike. */
const AGES = 10;

/** Whether people share a camera and a sex or an age, or a region. */
export function areAlike(a: Likeness, b: Likeness): boolean {
  return a.group !== null && a.group === b.group && Math.abs((a.born ?? 0) - (b.born ?? 0)) <= AGES;
}

/** Pictures of people before one camera. */
export function strangersIn(folder: EvalFolder, split: Split): (LabelledPicture & Likeness)[] {
  const portraits = folder.has('portraits') ? folder.entries('portraits', split) : [];
  const selfies = folder.has('selfies') ? folder.entries('selfies', split) : [];
  return [
    ...portraits.map(({ file, identity, group: subset, gender, born, ethnicity }) => ({
      ...{ identity, file, subset, region: null, born, ethnicity },
      group: gender === undefined ? subset : `${subset} ${gender}`,
      read: () => folder.bytes('portraits', file),
    })),
    ...selfies
      .filter(({ kind }) => kind === 'picture')
      .map(({ file, identity }) => ({
        ...{ identity, file, subset: 'selfies', region: null, group: 'selfies' },
        read: () => folder.bytes('selfies', file),
      })),
  ];
}

/** Selfies of ten young men of India, all of `dev`, who are more alike than others are. */
export function youngMenOfIndia(folder: EvalFolder): (LabelledPicture & Likeness)[] {
  const group = 'young men of India';
  return folder
    .entries('pad2', 'dev')
    .filter(({ label, collection }) => label === 'real' && collection === 'feni')
    .map(({ file, person: identity }) => ({
      ...{ identity, file, subset: group, region: null, group },
      read: () => folder.bytes('pad2', file),
    }));
}
