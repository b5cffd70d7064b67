import { type Calibration, type Engine, innerProduct, sameEmbeddingSpec, similarityOf } from '@wajah/engine';
import type { GalleryRecord } from '../../store/store.ts';
import { parseCalibration } from './calibrations.ts';

/** How alike two templates are, 0…1, on one calibration curve. */
export type SimilarityCalibration = Pick<Engine, 'similarity' | 'similarityOf'>;

/** The scale of a gallery: the curve that was installed for it, if that was made for these templates, else the server's. */
export function calibrationFor(
  engine: SimilarityCalibration & Pick<Engine, 'embeddingSpec'>,
  { curve: text }: Pick<GalleryRecord, 'curve'>,
): SimilarityCalibration {
  if (text === null) return engine;
  const { contract, curve } = calibrationOf(text);
  if (!sameEmbeddingSpec(contract, engine.embeddingSpec)) return engine;
  return {
    similarity: (a, b) => similarityOf(curve, innerProduct(a, b)),
    similarityOf: (product) => similarityOf(curve, product),
  };
}

/** By its text: to parse it takes longer than to compare two templates. */
const calibrations = new Map<string, Calibration>();
const kept = 100;

function calibrationOf(text: string): Calibration {
  const known = calibrations.get(text);
  if (known) return known;
  const calibration = parseCalibration(JSON.parse(text));
  if (calibrations.size >= kept) calibrations.clear();
  calibrations.set(text, calibration);
  return calibration;
}
