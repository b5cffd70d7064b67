import { OperatorError } from '../../errors.ts';
import type { CohortMode } from '../../store/sealed-store.ts';
import type { GalleryRecord, GallerySettingsUpdate, Store } from '../../store/store.ts';
import { allGalleries } from './lookup.ts';

/** Key of the stored value that holds the calibration of the whole server. */
export const calibrationKey = 'calibration';

export type GalleryAdministration = ReturnType<typeof createGalleryAdministration>;

/** Operations of the operator on galleries. They throw an OperatorError when they cannot be done. */
export function createGalleryAdministration(store: Pick<Store, 'clients' | 'galleries' | 'meta'>) {
  const tune = async (clientId: string, galleryId: string, changes: GallerySettingsUpdate) => {
    await requireClient(store, clientId);
    if (!(await store.galleries.updateSettings(clientId, galleryId, changes)))
      throw noGallery(clientId, galleryId);
  };
  return {
    /** Ordered by name. */
    async list(clientId: string): Promise<GalleryRecord[]> {
      await requireClient(store, clientId);
      return store.galleries.list(clientId);
    },

    /** All galleries, those of one client, or one gallery of a client. @param clientId null: all clients */
    find: (clientId: string | null, galleryId: string | null) => find(store, clientId, galleryId),

    /** @param threshold similarity, 0…1; null: the server's */
    async setThreshold(clientId: string, galleryId: string, threshold: number | null): Promise<void> {
      if (threshold !== null && !(threshold >= 0 && threshold <= 1)) {
        throw new OperatorError(`threshold: ${threshold} is not allowed; give a similarity from 0 to 1`);
      }
      await tune(clientId, galleryId, { threshold });
    },

    ...rules(tune),

    /**
     * Installs a calibration (JSON; null removes it) for one gallery, in force at once, or, when a name is null, for
     * the server, in force from its next start on.
     */
    async installCalibration(
      clientId: string | null,
      galleryId: string | null,
      calibration: string | null,
    ): Promise<void> {
      if (clientId === null || galleryId === null) await store.meta.set(calibrationKey, calibration);
      else await tune(clientId, galleryId, { curve: calibration });
    },
  };
}

/** Settings of a gallery that need no check. */
function rules(tune: (clientId: string, galleryId: string, changes: GallerySettingsUpdate) => Promise<void>) {
  return {
    /** @param required enrolment and verification need a liveness token */
    requireLiveness: (clientId: string, galleryId: string, required: boolean): Promise<void> =>
      tune(clientId, galleryId, { requireLiveness: required }),

    /** @param required enrolment needs a consent */
    requireConsent: (clientId: string, galleryId: string, required: boolean): Promise<void> =>
      tune(clientId, galleryId, { requireConsent: required }),

    /** @param days after the first enrolment after which people are erased; null: none */
    setRetention: (clientId: string, galleryId: string, days: number | null): Promise<void> =>
      tune(clientId, galleryId, { retentionDays: days }),

    /** Whether similarities are normalised by the people of the gallery, and whether the statistics follow it. */
    setCohortMode: (clientId: string, galleryId: string, cohortMode: CohortMode): Promise<void> =>
      tune(clientId, galleryId, { cohortMode }),
  };
}

async function find(
  store: Pick<Store, 'clients' | 'galleries'>,
  clientId: string | null,
  galleryId: string | null,
): Promise<GalleryRecord[]> {
  if (clientId === null) return allGalleries(store);
  await requireClient(store, clientId);
  const all = await store.galleries.list(clientId);
  const found = galleryId === null ? all : all.filter((gallery) => gallery.galleryId === galleryId);
  if (found.length === 0 && galleryId !== null) throw noGallery(clientId, galleryId);
  return found;
}

async function requireClient({ clients }: Pick<Store, 'clients'>, clientId: string): Promise<void> {
  if (await clients.get(clientId)) return;
  throw new OperatorError(`client_id: there is no client ${JSON.stringify(clientId)}; list the clients`);
}

function noGallery(clientId: string, galleryId: string): OperatorError {
  return new OperatorError(
    `facegallery_id: ${clientId} has no gallery ${JSON.stringify(galleryId)}; list its galleries`,
  );
}
