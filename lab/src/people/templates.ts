import { createHash } from 'node:crypto';
import { extractTrainingFeatures, type OpenPack } from '@wajah/engine/training';
import type { LabelledPicture } from '../data/people-folder.ts';
import { withProgress } from '../run/progress.ts';

/** A labelled picture with the template of its most prominent face; null after a failure to acquire. */
export interface Sample extends Omit<LabelledPicture, 'read'> {
  readonly template: Float32Array | null;
}

/** A sample with a template. */
export type AcquiredSample = Sample & { readonly template: Float32Array };

/** Of pictures that several measurements of one run use, by pack and content. */
const kept = new Map<string, Float32Array | null>();

/** Computes the template of each picture as the service does, once in a run, with a progress bar. */
export async function computeTemplates<Picture extends LabelledPicture>(
  pack: OpenPack,
  pictures: readonly Picture[],
): Promise<(Omit<Picture, 'read'> & Sample)[]> {
  return withProgress('templates', pictures.length, async (step) => {
    const samples: (Omit<Picture, 'read'> & Sample)[] = [];
    for (const { read, ...label } of pictures) {
      const bytes = read();
      const { pack: id, version } = pack.embeddingSpec;
      const key = [id, version, createHash('sha256').update(bytes).digest('hex')].join(' ');
      if (!kept.has(key)) {
        const { faces } = await extractTrainingFeatures(pack, bytes, 'fast');
        kept.set(key, (await faces[0]?.embedding()) ?? null);
      }
      samples.push({ ...label, template: kept.get(key)! });
      step();
    }
    return samples;
  });
}

export function acquired<S extends Sample>(samples: readonly S[]): (S & AcquiredSample)[] {
  return samples.filter((sample): sample is S & AcquiredSample => sample.template !== null);
}

/** Samples by identity, in the order of their first picture. */
export function byIdentity<S extends Sample>(samples: readonly S[]): Map<string, S[]> {
  const people = new Map<string, S[]>();
  for (const sample of samples) {
    const own = people.get(sample.identity);
    if (own) own.push(sample);
    else people.set(sample.identity, [sample]);
  }
  return people;
}
