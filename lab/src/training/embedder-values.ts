import { extractTrainingFeatures, type OpenPack, type TrainingFace } from '@wajah/engine/training';
import { type Variant, variantOf } from '../coverings/variants.ts';

/** What coverings and damage are told from, and the penalty of regressions on it: each has a file of its own. */
export const SOURCES = {
  map: { values: 'statistics of the last feature map of the built-in embedder, 512 values', ridge: 0.01 },
  features: { values: 'features network of the built-in pack on the aligned face, 1024 values', ridge: 0.03 },
} as const;
export type Source = keyof typeof SOURCES;
export type Rows = Readonly<Record<Source, Float32Array>>;

export async function rowsOf(face: TrainingFace): Promise<Rows> {
  return { map: (await face.map())!, features: await face.features() };
}

/** Values of a variant of a picture; undefined where no face is detected in it. */
export async function variantRows(
  pack: OpenPack,
  bytes: Uint8Array,
  { mesh }: TrainingFace,
  variant: Variant,
  seed: string,
): Promise<Rows | undefined> {
  const jpeg = await variantOf(bytes, mesh, variant, seed);
  const face = jpeg && (await extractTrainingFeatures(pack, jpeg, 'fast')).faces[0];
  return face && rowsOf(face);
}

/** First entry of each group. */
export function onePerGroup<E>(entries: readonly E[], group: (entry: E) => string): E[] {
  const first = new Map<string, E>();
  for (const entry of entries) if (!first.has(group(entry))) first.set(group(entry), entry);
  return [...first.values()];
}
