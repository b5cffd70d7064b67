import { OperatorError } from '../../errors.ts';
import type { GalleryRecord, Store } from '../../store/store.ts';
import { calibrationKey } from '../recognition/calibration-key.ts';

/** What only the operator may do with galleries. What cannot be done is an OperatorError that says why. */
export interface GalleryAdministration {
  /** By name. */
  list(clientId: string): Promise<GalleryRecord[]>;
  /** The galleries of a client, one of them, or with both names null those of all clients. */
  find(clientId: string | null, galleryId: string | null): Promise<GalleryRecord[]>;
  /** @param threshold similarity, 0…1; null: the server's */
  setThreshold(clientId: string, galleryId: string, threshold: number | null): Promise<void>;
  /** @param required faces get in, and are verified, only with a liveness token */
  requireLiveness(clientId: string, galleryId: string, required: boolean): Promise<void>;
  /**
   * Installs a calibration (JSON) for one gallery, where it counts at once, or with both names null for the server,
   * from its next start on.
   */
  installCalibration(
    clientId: string | null,
    galleryId: string | null,
    calibration: string | null,
  ): Promise<void>;
}

export function createGalleryAdministration(
  store: Pick<Store, 'clients' | 'galleries' | 'meta'>,
): GalleryAdministration {
  const requireClient = async (clientId: string) => {
    if (await store.clients.get(clientId)) return;
    throw new OperatorError(`client_id: there is no client ${JSON.stringify(clientId)}; list the clients`);
  };
  return {
    async list(clientId) {
      await requireClient(clientId);
      return store.galleries.list(clientId);
    },
    async find(clientId, galleryId) {
      if (clientId !== null) await requireClient(clientId);
      const clients =
        clientId === null ? (await store.clients.list()).map((client) => client.clientId) : [clientId];
      const all = (await Promise.all(clients.map((id) => store.galleries.list(id)))).flat();
      if (clientId === null || galleryId === null) return all;
      const found = all.filter((gallery) => gallery.galleryId === galleryId);
      if (found.length === 0) throw noGallery(clientId, galleryId);
      return found;
    },
    async setThreshold(clientId, galleryId, threshold) {
      if (threshold !== null && !(threshold >= 0 && threshold <= 1)) {
        throw new OperatorError(`threshold: ${threshold} is not allowed; give a similarity from 0 to 1`);
      }
      await requireClient(clientId);
      if (!(await store.galleries.updateSettings(clientId, galleryId, { threshold }))) {
        throw noGallery(clientId, galleryId);
      }
    },
    async requireLiveness(clientId, galleryId, required) {
      await requireClient(clientId);
      if (!(await store.galleries.updateSettings(clientId, galleryId, { requireLiveness: required }))) {
        throw noGallery(clientId, galleryId);
      }
    },
    async installCalibration(clientId, galleryId, calibration) {
      if (clientId === null || galleryId === null) {
        await store.meta.set(calibrationKey, calibration);
        return;
      }
      await requireClient(clientId);
      if (!(await store.galleries.updateSettings(clientId, galleryId, { curve: calibration }))) {
        throw noGallery(clientId, galleryId);
      }
    },
  };
}

function noGallery(clientId: string, galleryId: string): OperatorError {
  return new OperatorError(
    `facegallery_id: ${clientId} has no gallery ${JSON.stringify(galleryId)}; list its galleries`,
  );
}
