import type { UpdateFaceRequest, UserRequest } from '@wajah/contract';
import { countTemplates } from '../../security/vaults/template-vault.ts';
import { expiryOf } from '../../store/person-store.ts';
import type { Caller } from '../caller.ts';
import type { ServiceDependencies } from '../dependencies.ts';
import { galleryOf, userOf } from '../galleries/lookup.ts';
import { galleryForComparison } from '../template-migration/template-migration.ts';
import type { FaceWriter } from './face-writer.ts';

/** Refused calls of a user in an answer. */
const maxRefusals = 20;

/** What is stored of one user, and the user's name. */
export function createPersonService(deps: ServiceDependencies, writer: Pick<FaceWriter, 'rename'>) {
  const { store, events } = deps;
  return {
    /** @throws Refusal `galleryNotFound` | `userNotFound` */
    async describe(caller: Caller, { facegalleryId, userId }: UserRequest) {
      const gallery = await galleryOf(store, caller, facegalleryId);
      const face = await userOf(store, gallery, userId);
      const theirs = { galleryId: facegalleryId, userId, limit: maxRefusals };
      const terms = await store.people.get(gallery.id, userId);
      const refusals = await store.activity.refusedCalls(caller.clientId, theirs);
      const known = { ...terms, expiry: expiryOf(face.createdAt, gallery.retentionDays, terms) };
      const pictures = countTemplates(face.template);
      return { face, terms: known, pictures, refusals: refusals.map(({ call }) => call) };
    },

    /** @throws Refusal `galleryNotFound` | `userNotFound` | `denied` (other model pack) | `busy` */
    async rename(caller: Caller, { facegalleryId, userId, userName }: UpdateFaceRequest): Promise<void> {
      const gallery = await galleryForComparison(deps, caller, facegalleryId);
      await writer.rename(gallery, userId, userName);
      events.faceChanged(caller, { facegallery_id: facegalleryId, what: 'user_name' });
    },
  };
}
