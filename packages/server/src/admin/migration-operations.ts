import type { GalleryAdministration } from '../services/galleries/gallery-administration.ts';
import type { Store } from '../store/store.ts';
import type { AdminOperations } from './operations.ts';

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
const bytes = (base64: string) => new Uint8Array(Buffer.from(base64, 'base64'));

type CarryOperations = Pick<
  AdminOperations,
  'listCarrying' | 'beginCarrying' | 'nextFaces' | 'keepTemplates' | 'eraseCrops'
>;

/** What `wajah reembed` and `wajah crops erase` do to the store. */
export function carryOperations(
  store: Pick<Store, 'templateMigration' | 'crops'>,
  galleries: Pick<GalleryAdministration, 'find'>,
): CarryOperations {
  return {
    listCarrying: async ({ clientId, galleryId }) =>
      (await galleries.find(clientId, galleryId)).map((gallery) => ({
        id: gallery.id,
        clientId: gallery.clientId,
        galleryId: gallery.galleryId,
        wrappedKey: text(gallery.wrappedKey),
        contract: gallery.embeddingSpec,
        faces: gallery.faces,
      })),
    beginCarrying: async ({ gallery, contract }) => {
      await store.templateMigration.begin(gallery, contract);
      return store.templateMigration.countPending(gallery, contract);
    },
    nextFaces: async ({ gallery, contract, after, limit }) =>
      (await store.templateMigration.nextPending(gallery, contract, after, limit)).map(
        ({ userId, seq, crops }) => ({
          userId,
          seq,
          crops: crops.map(text),
        }),
      ),
    keepTemplates: ({ gallery, contract, templates }) =>
      store.templateMigration.storeTemplates(
        gallery,
        contract,
        templates.map(({ userId, seq, template }) => ({
          userId,
          seq,
          template: template === null ? null : bytes(template),
        })),
      ),
    eraseCrops: async ({ clientId, galleryId }) => {
      const found = await galleries.find(clientId, galleryId);
      const crops = await store.crops.erase(found.map(({ id }) => id));
      return { galleries: found.length, crops };
    },
  };
}
