import type { RequestOf } from '@wajah/contract';
import { Refusal } from '../../errors.ts';
import type { Receipt } from '../../events/ports.ts';
import { openedOrNull } from '../../security/vaults/sealing.ts';
import type { GalleryRecord } from '../../store/ports/galleries.ts';
import type { Store } from '../../store/ports/store.ts';
import { recordBy } from '../accounts/client-administration.ts';
import { requireClient } from '../accounts/clients.ts';
import type { AccountService, SignInLinks } from '../accounts/ports.ts';
import type { FaceEraser } from '../faces/ports.ts';
import { installServerCalibration } from '../galleries/calibration.ts';
import { findDamage } from '../galleries/damage.ts';
import { impostorProducts } from '../galleries/impostor-products.ts';
import { allGalleries, noGallery } from '../galleries/lookup.ts';
import type { GalleryDamage } from '../galleries/ports.ts';
import type { ServiceParts } from '../parts.ts';
import type { InstallationService } from './ports.ts';

interface Parts extends ServiceParts<'store' | 'vault' | 'issuer' | 'events'> {
  readonly accounts: AccountService;
  readonly signInLinks: SignInLinks;
  readonly eraser: FaceEraser;
}

/** What only the operator of the installation does. Each act is recorded in the audit trail. */
export function createInstallationService(parts: Parts): InstallationService {
  const { store, issuer, accounts, signInLinks, events } = parts;
  const record = recordBy(events);
  return {
    async setOperator(caller, { clientId, operator }) {
      await accounts.setOperator(clientId, operator);
      await record(caller, clientId, 'set-operator', { operator });
    },

    async createSignInLink(caller, { clientId }) {
      const path = await signInLinks.create(clientId);
      await record(caller, clientId, 'create-sign-in-link');
      return path;
    },

    async rotateSigningKey(caller, { atOnce = false }) {
      const rotated = await issuer.rotateKey(atOnce);
      await record(caller, null, 'rotate-signing-key', { at_once: atOnce });
      return rotated;
    },

    recordBackup: (caller, { bytes }) => record(caller, null, 'backup', { bytes }),

    async damagedRows() {
      const found = await store.damage.find();
      if (found.length === 0) events.rowsMended();
      return found.map(({ message }) => message);
    },

    ...galleryActs(parts, record),
    ...calibrationActs(parts, record),
  };
}

function galleryActs(
  parts: Parts,
  record: ReturnType<typeof recordBy>,
): Pick<InstallationService, 'setCohortMode' | 'check' | 'eraseCrops'> {
  const { store, events } = parts;
  return {
    async setCohortMode(caller, { clientId, facegalleryId, action }) {
      if (action !== 'show') {
        await updateGallery(store, clientId, facegalleryId, { cohortMode: action });
        const facts = { facegallery_id: facegalleryId, cohort_mode: action };
        await record(caller, clientId, 'set-gallery-cohort', facts);
      }
      const [gallery] = await someGalleries(store, { clientId, facegalleryId });
      return gallery!;
    },

    async check(caller, { erase = false, ...some }) {
      const found = [];
      const galleries = await someGalleries(store, some);
      for (const gallery of galleries) {
        const damage = await findDamage(parts, gallery, caller.signal);
        if (!damage.key && damage.templates.length + damage.crops.length === 0) continue;
        const erased = erase && !damage.key;
        const receipt = erased ? await eraseDamage(parts, gallery, damage) : null;
        found.push({ gallery, ...damage, erased, receipt });
      }
      const checked = new Set(galleries.map(({ id }) => id));
      const left = new Set(found.filter(({ erased }) => !erased).map(({ gallery }) => gallery.id));
      const areAll = some.clientId === undefined;
      if (!caller.signal?.aborted)
        events.templatesMended((id) => (areAll || checked.has(id)) && !left.has(id));
      return found;
    },

    async eraseCrops(caller, some) {
      const found = await someGalleries(store, some);
      const crops = await store.crops.erase(found.map(({ id }) => id));
      await record(caller, some.clientId ?? null, 'erase-crops', where(some));
      return { galleries: found.length, crops };
    },
  };
}

function calibrationActs(
  parts: Parts,
  record: ReturnType<typeof recordBy>,
): Pick<InstallationService, 'installCalibration' | 'measureImpostors'> {
  const { store } = parts;
  return {
    async installCalibration(caller, { calibration, ...place }) {
      const curve = calibration && JSON.stringify(calibration);
      const { clientId, facegalleryId } = place;
      if (clientId === undefined || facegalleryId === undefined)
        await installServerCalibration(store.meta, curve);
      else await updateGallery(store, clientId, facegalleryId, { curve });
      const facts = { ...where(place), installed: calibration !== null };
      await record(caller, clientId ?? null, 'install-calibration', facts);
    },

    async measureImpostors(_caller, { embeddingSpec, ...some }) {
      return impostorProducts(parts, await someGalleries(store, some), embeddingSpec);
    },
  };
}

const where = ({ facegalleryId }: Pick<RequestOf<'eraseCrops'>, 'facegalleryId'>) =>
  facegalleryId === undefined ? {} : { facegallery_id: facegalleryId };

/** @throws Refusal `clientNotFound` | `galleryNotFound` */
async function updateGallery(
  store: Store,
  clientId: string,
  galleryId: string,
  changes: Parameters<Store['galleries']['updateSettings']>[2],
): Promise<void> {
  await requireClient(store, clientId);
  if (!(await store.galleries.updateSettings(clientId, galleryId, changes))) throw noGallery();
}

/**
 * All galleries, those of one client, or one gallery of a client.
 * @throws Refusal `clientNotFound` | `galleryNotFound`, `malformed` for a gallery without its client
 */
async function someGalleries(
  store: Pick<Store, 'clients' | 'galleries'>,
  { clientId, facegalleryId }: Pick<RequestOf<'eraseCrops'>, 'clientId' | 'facegalleryId'>,
): Promise<GalleryRecord[]> {
  if (clientId === undefined) {
    if (facegalleryId !== undefined) throw new Refusal('galleryWithoutClient');
    return allGalleries(store);
  }
  await requireClient(store, clientId);
  const all = await store.galleries.list(clientId);
  if (facegalleryId === undefined) return all;
  const found = all.filter((one) => one.galleryId === facegalleryId);
  if (found.length === 0) throw noGallery();
  return found;
}

async function eraseDamage(
  { store, vault, eraser, events }: Parts,
  gallery: GalleryRecord,
  { templates, crops }: GalleryDamage,
): Promise<Receipt | null> {
  const { id, clientId, galleryId } = gallery;
  for (const crop of crops) await store.sealed.eraseCrop(id, crop);
  let people = 0;
  for (const userId of templates) {
    // Enrolled again meanwhile.
    const face = await store.faces.get(id, userId);
    if (face && openedOrNull(() => vault.gallery(gallery).openAll(userId, face.template))) continue;
    if (await eraser.erase(gallery, userId, { trxId: null, reason: 'deleted' })) people += 1;
  }
  const facts = { facegallery_id: galleryId, people, crops: crops.length };
  return events.observe('administered', { clientId, trxId: null }, { operation: 'erase-damaged', ...facts });
}
