import {
  type Calibration,
  type Engine,
  innerProduct,
  parseCurve,
  sameEmbeddingSpec,
  similarityOf,
} from '@wajah/engine';
import { z } from 'zod';
import type { GalleryRecord, MetaStore, Store } from '../../store/store.ts';
import { calibrationKey } from '../galleries/gallery-administration.ts';

/** Converts the comparison of two templates to a similarity score, 0…1. */
export type SimilarityCalibration = Pick<Engine, 'similarity' | 'similarityOf' | 'cohortCurve'>;

const embeddingSpecSchema = z.object({
  pack: z.string(),
  version: z.string(),
  embedder: z.string(),
  alignment: z.string(),
  dimensions: z.int().positive(),
  normalisation: z.string(),
});

/** The part of an engine whose calibration a gallery may replace. */
export type CalibratedEngine = SimilarityCalibration & Pick<Engine, 'embeddingSpec'>;

/** @throws z.ZodError or EngineError `pack` when the value is no calibration */
function parseCalibration(value: unknown): Calibration {
  const parsed = z.object({ contract: embeddingSpecSchema, curve: z.unknown() }).parse(value);
  return { contract: parsed.contract, curve: parseCurve(parsed.curve) };
}

/** The calibration that the operator installed for the whole server. */
export async function serverCalibration(meta: Pick<MetaStore, 'get'>): Promise<Calibration | undefined> {
  const text = await meta.get(calibrationKey);
  return text === null ? undefined : parseCalibration(JSON.parse(text));
}

/** The gallery's own curve; null: it has none that was fitted to templates of this server's pack. */
export function ownCurve(
  { embeddingSpec }: Pick<Engine, 'embeddingSpec'>,
  { curve: text }: Pick<GalleryRecord, 'curve'>,
): Calibration['curve'] | null {
  if (text === null) return null;
  const { contract, curve } = cachedCalibration(text);
  return sameEmbeddingSpec(contract, embeddingSpec) ? curve : null;
}

/** The gallery's own calibration, else the server's. */
export function calibrationFor(
  engine: CalibratedEngine,
  gallery: Pick<GalleryRecord, 'curve'>,
): SimilarityCalibration {
  const curve = ownCurve(engine, gallery);
  if (!curve) return engine;
  return {
    similarity: (a, b) => similarityOf(curve, innerProduct(a, b)),
    similarityOf: (product) => similarityOf(curve, product),
    cohortCurve: curve.cohort ?? null,
  };
}

/**
 * Names a provisional calibration in answers. A gallery with a curve of its own has none.
 * @returns a function of the client and gallery of a call; null: it names none, or the gallery does not exist
 */
export function createCalibrationNote({
  engine,
  store,
}: {
  readonly engine: Engine;
  readonly store: Pick<Store, 'galleries'>;
}) {
  return async (clientId: string | null, galleryId: string | null): Promise<'provisional' | null> => {
    if (!engine.provisional) return null;
    // An answer is not withheld for its note.
    const gallery = await galleryOf(store, clientId, galleryId).catch(() => null);
    return gallery && calibrationFor(engine, gallery) !== engine ? null : 'provisional';
  };
}

async function galleryOf(
  { galleries }: Pick<Store, 'galleries'>,
  clientId: string | null,
  galleryId: string | null,
): Promise<GalleryRecord | null> {
  return clientId === null || galleryId === null ? null : galleries.get(clientId, galleryId);
}

/** By its text: parsing takes longer than the comparison of two templates. */
const cache = new Map<string, Calibration>();
const cacheSize = 100;

function cachedCalibration(text: string): Calibration {
  const cached = cache.get(text);
  if (cached) return cached;
  const calibration = parseCalibration(JSON.parse(text));
  if (cache.size >= cacheSize) cache.clear();
  cache.set(text, calibration);
  return calibration;
}
