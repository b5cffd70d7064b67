import { type Calibration, type Engine, innerProduct, sameEmbeddingSpec, similarityOf } from '@wajah/engine';
import { bad, doubtful, type Fault } from '../../config/finding.ts';
import { DamagedRow } from '../../errors.ts';
import { calibrationOf } from '../../store/calibrations.ts';
import type { GalleryRecord } from '../../store/ports/galleries.ts';
import type { MetaStore } from '../../store/ports/meta.ts';
import type { Store } from '../../store/ports/store.ts';
import type { ServiceParts } from '../parts.ts';
import type { CalibratedEngine, CalibrationNote, SimilarityCalibration } from './ports.ts';

/** Key of the stored value that holds the calibration of the whole server. */
const calibrationKey = 'calibration';

/** Installs a calibration (JSON) for the whole server, in force from its next start on; null removes it. */
export const installServerCalibration = (meta: Pick<MetaStore, 'set'>, calibration: string | null) =>
  meta.set(calibrationKey, calibration);

/** The calibration that the operator installed for the whole server; undefined: none, or it cannot be read. */
export async function serverCalibration(meta: Pick<MetaStore, 'get'>): Promise<Calibration | undefined> {
  const text = await meta.get(calibrationKey);
  return text === null ? undefined : (calibrationOf(text) ?? undefined);
}

/** Calibrations that cannot be read, or were fitted to templates of another pack or version. */
export async function findUnusedCalibrations(
  { galleries, meta }: Pick<Store, 'galleries' | 'meta'>,
  engine: Pick<Engine, 'embeddingSpec'>,
): Promise<Fault[]> {
  const findings: Fault[] = [];
  const ofServer = await serverCalibration(meta);
  const again = 'with `wajah calibrate --gallery --install server`, and restart the server';
  if (!ofServer && (await meta.get(calibrationKey)) !== null) {
    const found = 'The calibration of the server (meta.calibration) cannot be read and is not used';
    findings.push(bad('server_calibration', found, `install it again ${again}`));
  }
  if (ofServer && !sameEmbeddingSpec(ofServer.contract, engine.embeddingSpec)) {
    const { pack, version } = ofServer.contract;
    const found = `The calibration of the server was fitted to the model pack ${pack} ${version} and is not used`;
    findings.push(doubtful('server_calibration', found, `fit it again ${again}`));
  }
  const unused: string[] = [];
  for (const gallery of await galleries.calibrated()) {
    const command = `\`wajah calibrate --client '${gallery.clientId}' --gallery '${gallery.galleryId}' --install gallery\``;
    if (calibrationOf(gallery.curve!) === null) {
      const found = `A calibration cannot be read (galleries.curve of the row id ${gallery.id}): calls on its gallery are refused`;
      findings.push(bad('damaged_calibration', found, `fit it again with ${command}`));
    } else if (!ownCurve(engine, gallery)) unused.push(command);
  }
  const [first] = unused;
  if (first !== undefined) {
    const found = `${unused.length} calibrations of galleries were fitted to another model pack and are not used`;
    findings.push(doubtful('gallery_calibrations', found, `fit each again, as ${first}`));
  }
  return findings;
}

/** The gallery's own curve; null: it has none that was fitted to templates of this server's pack. @throws DamagedRow */
export function ownCurve(
  { embeddingSpec }: Pick<Engine, 'embeddingSpec'>,
  { id, curve: text }: Pick<GalleryRecord, 'id' | 'curve'>,
): Calibration['curve'] | null {
  if (text === null) return null;
  const calibration = calibrationOf(text);
  if (calibration === null) throw new DamagedRow('galleries.curve', `id ${id}`);
  const { contract, curve } = calibration;
  return sameEmbeddingSpec(contract, embeddingSpec) ? curve : null;
}

/** The gallery's own calibration, else the server's. */
export function calibrationFor(
  engine: CalibratedEngine,
  gallery: Pick<GalleryRecord, 'id' | 'curve'>,
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
