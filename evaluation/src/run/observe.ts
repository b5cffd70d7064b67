import {
  extractTrainingFeatures,
  type OpenPack,
  type TrainingFace,
  type TrainingPicture,
} from '@wajah/engine/training';
import type { Entry, EvalFolder, Task } from '../data/eval-folder.ts';
import { withProgress } from './progress.ts';

/** The most prominent face of a labelled picture. */
export interface Observed<T extends Task, R> {
  readonly entry: Entry<T>;
  readonly value: R;
}

/** What was seen, and the pictures in which no face was found. */
export interface Observations<T extends Task, R> {
  readonly seen: readonly Observed<T, R>[];
  readonly faceless: readonly string[];
}

/** Opens each picture up and measures its most prominent face, with a progress bar. */
export async function observe<T extends Task, R>(
  pack: OpenPack,
  folder: EvalFolder,
  task: T,
  entries: readonly Entry<T>[],
  measure: (face: TrainingFace, picture: TrainingPicture, entry: Entry<T>) => Promise<R> | R,
): Promise<Observations<T, R>> {
  const seen: Observed<T, R>[] = [];
  const faceless: string[] = [];
  await withProgress(task, entries.length, async (step) => {
    for (const entry of entries) {
      const picture = await extractTrainingFeatures(pack, folder.bytes(task, entry.file), 'fast');
      const face = picture.faces[0];
      if (face) seen.push({ entry, value: await measure(face, picture, entry) });
      else faceless.push(`${task}/${entry.file}`);
      step();
    }
  });
  return { seen, faceless };
}
