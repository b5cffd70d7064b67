import { Refusal } from '../../errors.ts';
import type { TermsUpdate } from '../../store/ports/people.ts';
import type { Caller } from '../caller.ts';
import type { FaceEraser } from '../faces/ports.ts';
import { termsOf } from '../faces/terms.ts';
import { galleryOf } from '../galleries/lookup.ts';
import type { ServiceParts } from '../parts.ts';
import { exportPerson, listExpiring, type PeopleParts, suspendPerson, updatePerson } from './people.ts';
import type { PeopleService } from './ports.ts';

interface Parts extends PeopleParts, ServiceParts<'events'> {
  readonly eraser: FaceEraser;
}

/** People across the galleries of the caller. */
export function createPeopleService(parts: Parts): PeopleService {
  const { store, eraser, events } = parts;
  return {
    async update(caller, { userId, facegalleryId, ...fields }) {
      const update = termsOf(fields);
      const terms = await updatePerson(parts, nameOf(caller, userId), facegalleryId, update);
      events.observe('person_changed', caller, { facegallery_id: facegalleryId, what: changed(update) });
      return terms;
    },

    ...suspension(parts),

    async export(caller, { userId, pictures = false }) {
      if (pictures) requirePictures(caller);
      const person = await exportPerson(parts, nameOf(caller, userId), { pictures });
      events.observe('person_exported', caller, { galleries: person.galleries.length, pictures });
      return person;
    },

    async erase(caller, { userId }) {
      const erased = await eraser.erasePerson(nameOf(caller, userId), caller.trxId);
      const { galleryIds, others, ...counts } = erased;
      const facts = { galleries: galleryIds.length, ...counts, ...others };
      return { ...erased, receipt: await events.observe('person_erased', caller, facts) };
    },

    async expiring(caller, request) {
      const { facegalleryId: galleryId, days = 30, limit = 100, cursor } = request;
      // The operator may name no client.
      const clientId = caller.clientId || null;
      if (clientId !== null && galleryId !== undefined) await galleryOf(store, caller, galleryId);
      return listExpiring(parts, { clientId, galleryId, days, limit, cursor });
    },
  };
}

function suspension(parts: Parts) {
  const { events } = parts;
  return {
    async suspend(caller, { userId, facegalleryId }) {
      const done = await suspendPerson(parts, nameOf(caller, userId), facegalleryId, new Date());
      events.observe('person_suspended', caller, where(done));
      return done;
    },

    async resume(caller, { userId, facegalleryId }) {
      const done = await suspendPerson(parts, nameOf(caller, userId), facegalleryId, null);
      events.observe('person_resumed', caller, where(done));
      return done;
    },
  } satisfies Partial<PeopleService>;
}

const nameOf = ({ clientId }: Caller, userId: string) => ({ clientId, userId });

function changed({ consent, expiresAt }: TermsUpdate): string {
  const what = [...(consent ? ['consent'] : []), ...(expiresAt === undefined ? [] : ['retention'])];
  return what.join(' ');
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
