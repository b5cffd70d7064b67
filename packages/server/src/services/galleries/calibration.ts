import {
  type Calibration,
  type Engine,
  innerProduct,
  parseCurve,
  sameEmbeddingSpec,
  similarityOf,
} from '@wajah/engine';
import { z } from 'zod';
import type { GalleryRecord, MetaStore, Store } from '../../store/ports.ts';
import type { ServiceParts } from '../parts.ts';
import type { CalibratedEngine, CalibrationNote, SimilarityCalibration } from './ports.ts';

const embeddingSpecSchema = z.object({
  pack: z.string(),
  version: z.string(),
  embedder: z.string(),
  alignment: z.string(),
  dimensions: z.int().positive(),
  normalisation: z.string(),
});

/** @throws z.ZodError or EngineError `pack` when the value is no calibration */
function parseCalibration(value: unknown): Calibration {
  const parsed = z.object({ contract: embeddingSpecSchema, curve: z.unknown() }).parse(value);
  return { contract: parsed.contract, curve: parseCurve(parsed.curve) };
}

/** Key of the stored value that holds the calibration of the whole server. */
const calibrationKey = 'calibration';

/** Installs a calibration (JSON) for the whole server, in force from its next start on; null removes it. */
export const installServerCalibration = (meta: Pick<MetaStore, 'set'>, calibration: string | null) =>
  meta.set(calibrationKey, calibration);

/** The calibration that the operator installed for the whole server. */
export async function serverCalibration(meta: Pick<MetaStore, 'get'>): Promise<Calibration | undefined> {
  const text = await meta.get(calibrationKey);
  return text === null ? undefined : parseCalibration(JSON.parse(text));
}

/** One line for the operator for each kind of calibration that was fitted to templates of another pack or version. */
export async function warningsOfCalibrations(
  { clients, galleries, meta }: Pick<Store, 'clients' | 'galleries' | 'meta'>,
  engine: Pick<Engine, 'embeddingSpec'>,
): Promise<string[]> {
  const warnings: string[] = [];
  const ofServer = await serverCalibration(meta);
  if (ofServer && !sameEmbeddingSpec(ofServer.contract, engine.embeddingSpec)) {
    const { pack, version } = ofServer.contract;
    warnings.push(
      `The calibration of the server was fitted to the model pack ${pack} ${version} and is not used; fit it again with \`wajah calibrate --gallery --install server\` and restart.`,
    );
  }
  const unused: string[] = [];
  for (const { clientId } of await clients.list()) {
    for (const gallery of await galleries.list(clientId)) {
      if (gallery.curve !== null && !ownCurve(engine, gallery))
        unused.push(`--client '${clientId}' --gallery '${gallery.galleryId}'`);
    }
  }
  if (unused.length > 0) {
    const [first = ''] = unused;
    warnings.push(
      `Calibrations of galleries that were fitted to another model pack are not used (${unused.length}); fit each again, as \`wajah calibrate ${first} --install gallery\`.`,
    );
  }
  return warnings;
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

/** Notes on the calibration of a server with a provisional one. */
export function createCalibrationNote({ engine, store }: ServiceParts<'engine' | 'store'>): CalibrationNote {
  return async (clientId, galleryId) => {
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
