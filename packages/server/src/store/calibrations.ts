import { type Calibration, parseCurve } from '@wajah/engine';
import { z } from 'zod';

const embeddingSpecSchema = z.object({
  pack: z.string(),
  version: z.string(),
  embedder: z.string(),
  alignment: z.string(),
  dimensions: z.int().positive(),
  normalisation: z.string(),
});

/** By its text: parsing takes longer than the comparison of two templates. */
const cache = new Map<string, Calibration | null>();
const cacheSize = 100;

/** @param text as a calibration is stored (JSON) @returns null: it is none */
export function calibrationOf(text: string): Calibration | null {
  const cached = cache.get(text);
  if (cached !== undefined) return cached;
  const calibration = parse(text);
  if (cache.size >= cacheSize) cache.clear();
  cache.set(text, calibration);
  return calibration;
}

function parse(text: string): Calibration | null {
  try {
    const { contract, curve } = z
      .object({ contract: embeddingSpecSchema, curve: z.unknown() })
      .parse(JSON.parse(text));
    return { contract, curve: parseCurve(curve) };
  } catch {
    return null;
  }
}

const namedSpec = embeddingSpecSchema.pick({ pack: true });

/** Whether a text names the pack that templates are of, as an embedding spec (JSON) does. */
export function isEmbeddingSpec(text: string): boolean {
  try {
    return namedSpec.safeParse(JSON.parse(text)).success;
  } catch {
    return false;
  }
}
