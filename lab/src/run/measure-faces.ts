import {
  extractTrainingFeatures,
  type OpenPack,
  type TrainingFace,
  type TrainingPicture,
} from '@wajah/engine/training';
import type { Entry, EvalFolder, Task } from '../data/eval-folder.ts';
import { withProgress } from './progress.ts';

/** A value measured on the most prominent face of a labelled picture. */
export interface MeasuredFace<T extends Task, R> {
  readonly entry: Entry<T>;
  readonly value: R;
}

/** Measured values, and the pictures without a detected face. */
export interface MeasuredFaces<T extends Task, R> {
  readonly measured: readonly MeasuredFace<T, R>[];
  readonly faceless: readonly string[];
}

/** Measures the most prominent face of each picture by its training features, with a progress bar. */
export async function measureFaces<T extends Task, R>(
  pack: OpenPack,
  folder: EvalFolder,
  task: T,
  entries: readonly Entry<T>[],
  measure: (face: TrainingFace, picture: TrainingPicture, entry: Entry<T>) => Promise<R> | R,
): Promise<MeasuredFaces<T, R>> {
  const seen: MeasuredFace<T, R>[] = [];
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
  return { measured: seen, faceless };
}
