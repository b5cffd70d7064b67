import type {
  ErasePersonRequest,
  ExportPersonRequest,
  ListExpiringRequest,
  PersonRequest,
  ProcessingRequest,
  UpdatePersonRequest,
} from '@wajah/contract';
import type { Config } from '../../config/config.ts';
import { Refusal } from '../../errors.ts';
import type { Events } from '../../events.ts';
import { dayMs } from '../../lib/time.ts';
import type { TermsUpdate } from '../../store/person-store.ts';
import type { Store } from '../../store/store.ts';
import type { Caller } from '../caller.ts';
import type { FaceEraser } from '../faces/face-eraser.ts';
import { termsOf } from '../faces/terms.ts';
import { galleryOf } from '../galleries/lookup.ts';
import type { People } from './people.ts';
import { processingRecords } from './processing.ts';

export type PeopleService = ReturnType<typeof createPeopleService>;

/** People across the galleries of the caller. */
export function createPeopleService({
  people,
  eraser,
  events,
  store,
  config,
}: {
  readonly people: People;
  readonly eraser: Pick<FaceEraser, 'erasePerson'>;
  readonly events: Events;
  readonly store: Store;
  readonly config: Config;
}) {
  return {
    /** @throws Refusal `galleryNotFound` | `userNotFound` | `malformed` */
    async update(caller: Caller, { userId, facegalleryId, ...fields }: UpdatePersonRequest) {
      const update = termsOf(fields);
      const terms = await people.update(nameOf(caller, userId), facegalleryId, update);
      events.personChanged(caller, { facegallery_id: facegalleryId, what: changed(update) });
      return terms;
    },

    ...suspension(people, events),

    /** @throws Refusal `userNotFound`; `denied` when pictures are asked for without the scope */
    async export(caller: Caller, { userId, pictures = false }: ExportPersonRequest) {
      if (pictures) requirePictures(caller);
      const known = await people.export(nameOf(caller, userId), { pictures });
      events.personExported(caller, { galleries: known.galleries.length, pictures });
      return known;
    },

    /** The receipt is null when no audit record could be written. @throws Refusal `userNotFound` */
    async erase(caller: Caller, { userId }: ErasePersonRequest) {
      const { galleryIds, ...counts } = await eraser.erasePerson(nameOf(caller, userId), caller.trxId);
      const receipt = await events.personErased(caller, { galleries: galleryIds.length, ...counts });
      return { galleryIds, ...counts, receipt };
    },

    /** The records of processing of the caller. */
    processing: (caller: Caller, request: ProcessingRequest) =>
      processingRecords({ store, config }, caller.clientId, periodOf(request)),

    /** @throws Refusal `galleryNotFound` | `malformed` */
    async expiring(caller: Caller, request: ListExpiringRequest) {
      const { facegalleryId: galleryId, days = 30, limit = 100, cursor } = request;
      // The operator may name no client.
      const clientId = caller.clientId || null;
      if (clientId !== null && galleryId !== undefined) await galleryOf(store, caller, galleryId);
      return people.expiring({ clientId, galleryId, days, limit, cursor });
    },
  };
}

function suspension(people: People, events: Events) {
  return {
    /** @returns names of the galleries @throws Refusal `galleryNotFound` | `userNotFound` */
    async suspend(caller: Caller, { userId, facegalleryId }: PersonRequest): Promise<string[]> {
      const done = await people.suspend(nameOf(caller, userId), facegalleryId, new Date());
      events.personSuspended(caller, where(done));
      return done;
    },

    /** As `suspend`. */
    async resume(caller: Caller, { userId, facegalleryId }: PersonRequest): Promise<string[]> {
      const done = await people.suspend(nameOf(caller, userId), facegalleryId, null);
      events.personResumed(caller, where(done));
      return done;
    },
  };
}

const nameOf = ({ clientId }: Caller, userId: string) => ({ clientId, userId });

function changed({ consent, expiresAt }: TermsUpdate): string {
  const what = [...(consent ? ['consent'] : []), ...(expiresAt === undefined ? [] : ['retention'])];
  return what.join(' ');
}

/** By default the last year. */
function periodOf({ from, to }: ProcessingRequest) {
  const end = to === undefined ? new Date() : new Date(to);
  return { from: from === undefined ? new Date(end.getTime() - 365 * dayMs) : new Date(from), to: end };
}

/** The gallery where it is one: so the audit trail can be read by gallery. */
function where(galleryIds: readonly string[]) {
  const [only] = galleryIds;
  const galleries = galleryIds.length;
  return only !== undefined && galleries === 1 ? { facegallery_id: only, galleries } : { galleries };
}

function requirePictures({ scopes }: Caller): void {
  if (!scopes || scopes.includes('pictures')) return;
  throw new Refusal('picturesScopeMissing');
}
