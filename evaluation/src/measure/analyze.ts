import type { Attribute, Engine, Face, Search } from '@wajah/engine';
import type { Entry, EvalFolder, Task } from '../data/eval-folder.ts';
import { withProgress } from '../run/progress.ts';

/** A labelled picture, its most prominent face as the engine sees it, and how many were found. */
export interface AnalyzedEntry<T extends Task> {
  readonly entry: Entry<T>;
  readonly face: Face | undefined;
  readonly found: number;
}

/** Analyses each picture as the service would. */
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

/** A picture in which a face was found. */
export type WithFace<T extends Task> = AnalyzedEntry<T> & { readonly face: Face };

/** Those in which a face was found. */
export function withFace<T extends Task>(seen: readonly AnalyzedEntry<T>[]): WithFace<T>[] {
  return seen.filter((one): one is WithFace<T> => one.face !== undefined);
}
