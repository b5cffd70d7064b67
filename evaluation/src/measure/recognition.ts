import type { Attribute, Engine } from '@wajah/engine';
import type { EvalFolder, Split } from '../data/eval-folder.ts';
import { analyzeEntries, type WithFace, withFace } from './analyze.ts';

/** Verification pictures in which a face was found. */
export type Faces = readonly WithFace<'verification'>[];

/** The verification pictures of a split, with what is to be measured on them. */
export async function verificationFaces(
  engine: Engine,
  folder: EvalFolder,
  split: Split,
  attributes: readonly Attribute[],
): Promise<Faces> {
  const entries = folder.entries('verification', split);
  return withFace(await analyzeEntries(engine, folder, 'verification', entries, attributes));
}
