import { type Engine, innerProduct, parseCurve, similarityOf } from '@wajah/engine';
import type { GalleryRecord } from '../store/store.ts';

/** How alike two templates are, 0…1, on one calibration curve. */
export type Scale = Pick<Engine, 'similarity' | 'similarityOf'>;

/** The scale of a gallery: the curve that was installed for it, else the server's. */
export function scaleOf(engine: Scale, { curve }: Pick<GalleryRecord, 'curve'>): Scale {
  if (curve === null) return engine;
  let scale = scales.get(curve);
  if (!scale) {
    scale = scaleFrom(curve);
    if (scales.size >= keptScales) scales.clear();
    scales.set(curve, scale);
  }
  return scale;
}

/** By the text of the curve: to parse it takes longer than to compare two templates. */
const scales = new Map<string, Scale>();
const keptScales = 100;

function scaleFrom(text: string): Scale {
  const curve = parseCurve(JSON.parse(text));
  return {
    similarity: (a, b) => similarityOf(curve, innerProduct(a, b)),
    similarityOf: (product) => similarityOf(curve, product),
  };
}
