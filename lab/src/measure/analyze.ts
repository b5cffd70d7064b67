import type { Attribute, Engine, Face, Search } from '@wajah/engine';
import type { Entry, EvalFolder, Split, Task } from '../data/eval-folder.ts';
import { withProgress } from '../run/progress.ts';

/** A labelled picture, its most prominent face, and the number of detected faces. */
export interface AnalyzedEntry<T extends Task> {
  readonly entry: Entry<T>;
  readonly face: Face | undefined;
  readonly found: number;
}

/** Analyses each picture as the service does, with a progress bar. */
export async function analyzeEntries<T extends Task>(
  engine: Engine,
  folder: EvalFolder,
  task: T,
  entries: readonly Entry<T>[],
  attributes: readonly Attribute[],
  search: Search = 'fast',
): Promise<AnalyzedEntry<T>[]> {
  return withProgress(task, entries.length, async (step) => {
    const seen: AnalyzedEntry<T>[] = [];
    for (const entry of entries) {
      const bytes = folder.bytes(task, entry.file);
      const { faces, found } = await engine.analyze(bytes, { attributes, maxFaces: 1, search });
      seen.push({ entry, face: faces[0], found });
      step();
    }
    return seen;
  });
}

/** An analysed picture with a face. */
export type WithFace<T extends Task> = AnalyzedEntry<T> & { readonly face: Face };

/** The analysed pictures with a face. */
export function withFace<T extends Task>(seen: readonly AnalyzedEntry<T>[]): WithFace<T>[] {
  return seen.filter((one): one is WithFace<T> => one.face !== undefined);
}

/** Verification pictures with a detected face. */
export type Faces = readonly WithFace<'verification'>[];

/** Analyses the verification pictures of a split for the given attributes. */
export async function verificationFaces(
  engine: Engine,
  folder: EvalFolder,
  split: Split,
  attributes: readonly Attribute[],
): Promise<Faces> {
  const entries = folder.entries('verification', split);
  return withFace(await analyzeEntries(engine, folder, 'verification', entries, attributes));
}
