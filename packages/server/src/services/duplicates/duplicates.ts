import type { FindDuplicatesRequest, MarkDifferentRequest } from '@wajah/contract';
import { Refusal } from '../../errors.ts';
import type { Caller } from '../caller.ts';
import type { ServiceDependencies } from '../dependencies.ts';
import { requireComparable } from '../galleries/embedding-spec.ts';
import { galleryOf } from '../galleries/lookup.ts';
import { galleryForComparison } from '../template-migration/template-migration.ts';
import { createDuplicateSearch, type DuplicatePage } from './search.ts';

export type DuplicateService = ReturnType<typeof createDuplicateService>;

/** The duplicates of a client's galleries. */
export function createDuplicateService(deps: ServiceDependencies) {
  const search = createDuplicateSearch(deps);
  return {
    /** @throws Refusal as the search, and `galleryNotFound` */
    async find(caller: Caller, { facegalleryId, ...query }: FindDuplicatesRequest): Promise<DuplicatePage> {
      const gallery = await galleryForComparison(deps, caller, facegalleryId);
      requireComparable(gallery, deps.engine);
      return deps.scheduler.untilDeadline(caller, 'the search for duplicates', (signal) =>
        search(caller, gallery, query, signal),
      );
    },

    /**
     * Marks two users as different people, or takes the mark back.
     * @throws Refusal `galleryNotFound` | `userNotFound` | `malformed` when both are the same
     */
    async mark(caller: Caller, { facegalleryId, userId, otherUserId, different }: MarkDifferentRequest) {
      const { store, events } = deps;
      if (userId === otherUserId) {
        throw new Refusal('malformed', 'other_user_id: found the user_id; allowed is another user');
      }
      const gallery = await galleryOf(store, caller, facegalleryId);
      const marked = { user_id: userId, ...(different && { other_user_id: otherUserId }) };
      for (const [field, user] of Object.entries(marked)) {
        if (!(await store.faces.get(gallery.id, user))) {
          throw new Refusal('userNotFound', `${field}: nobody of this user_id is enrolled in the gallery`);
        }
      }
      const users = [userId, otherUserId] as const;
      if (different) await store.differentPeople.mark(gallery.id, users);
      else await store.differentPeople.unmark(gallery.id, users);
      events.peopleMarkedDifferent(caller, { facegallery_id: facegalleryId, different });
    },
  };
}
