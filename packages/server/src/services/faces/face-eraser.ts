import type { GalleryRecord } from '../../store/ports/galleries.ts';
import type { SessionOwner, SessionPerson } from '../../store/ports/sessions.ts';
import { noUser } from '../galleries/lookup.ts';
import type { Cohorts } from '../galleries/ports.ts';
import type { ServiceParts } from '../parts.ts';
import { sessionSubjects } from '../session-subjects.ts';
import type { ErasureCause, FaceEraser, PersonName, PersonTraces, RemoveFace } from './ports.ts';

interface Parts extends ServiceParts<'store' | 'matcher' | 'sessionVault' | 'events'> {
  readonly cohorts: Cohorts;
  readonly traces: readonly PersonTraces[];
}

/** The eraser of people of this process. */
export function createFaceEraser(parts: Parts): FaceEraser {
  const { store, matcher } = parts;
  return {
    eraseTraces: (owner) => eraseTraces(parts, owner),

    erase: (gallery, userId, cause) => erase(parts, gallery, userId, cause),

    async eraseBy(gallery, userId, trxId, remove) {
      await eraseTraces(parts, { ...ownerOf(gallery), userId });
      return eraseFace(parts, gallery, userId, { trxId, reason: 'deleted' }, remove);
    },

    async eraseGallery(gallery) {
      await eraseTraces(parts, ownerOf(gallery));
      if (!(await store.galleries.remove(gallery.clientId, gallery.galleryId))) return false;
      matcher.evict(gallery.id);
      return true;
    },

    erasePerson: (person, trxId) => erasePerson(parts, person, trxId),

    eraseEnded: (gallery, userId) =>
      erase(parts, gallery, userId, { trxId: null, reason: 'expired' }, new Date()),

    eraseExpired: (now = new Date()) => eraseExpired(parts, now),
  };
}

async function eraseExpired(parts: Parts, now: Date): Promise<number> {
  const { people, galleries } = parts.store;
  for (let erased = 0; ; ) {
    const before = erased;
    for (const { clientId, galleryId, userId } of await people.expiring({ until: now, limit: 100 })) {
      const gallery = await galleries.get(clientId, galleryId);
      const cause = { trxId: null, reason: 'expired' } as const;
      if (!gallery || !(await erase(parts, gallery, userId, cause, now))) continue;
      erased += 1;
      const facts = { facegallery_id: galleryId };
      await parts.events.observe('person_expired', { clientId, trxId: null }, facts);
    }
    // Another server may erase the same people.
    if (erased === before) return erased;
  }
}

/** @param expiredBy only if the person's time has ended by then @returns false when nobody was erased */
async function erase(
  parts: Parts,
  gallery: GalleryRecord,
  userId: string,
  cause: ErasureCause,
  expiredBy?: Date,
): Promise<boolean> {
  await eraseTraces(parts, { ...ownerOf(gallery), userId });
  return eraseFace(parts, gallery, userId, cause, (alongside) =>
    parts.store.faces.remove(gallery.id, userId, { expiredBy, alongside }),
  );
}

/** A person as sessions name them: by user_id, or as their subject. */
export function sessionPerson(
  { sessionVault }: Pick<Parts, 'sessionVault'>,
  { clientId, userId }: PersonName,
): SessionPerson {
  const subjects = [sessionSubjects.given(userId), sessionSubjects.enrolment(userId)];
  return { clientId, userId, subjects: subjects.map((name) => sessionVault.digestSubject(clientId, name)) };
}

const ownerOf = ({ clientId, galleryId }: GalleryRecord) => ({ clientId, galleryId });

/** See `FaceEraser.erasePerson`. */
async function erasePerson(parts: Parts, person: PersonName, trxId: string | null) {
  const { store } = parts;
  const { clientId, userId } = person;
  const galleryIds = await store.people.galleriesOf(clientId, userId);
  const traces = await eraseTraces(parts, sessionPerson(parts, person));
  const others: Record<string, number> = {};
  for (const { field, erase } of parts.traces) others[field] = await erase(person);
  const erased: string[] = [];
  let names = 0;
  for (const gallery of await store.galleries.list(clientId)) {
    if (await store.subjects.remove(gallery.id, userId)) names += 1;
    if (!galleryIds.includes(gallery.galleryId)) continue;
    const isErased = await eraseFace(parts, gallery, userId, { trxId, reason: 'deleted' }, (alongside) =>
      store.faces.remove(gallery.id, userId, { alongside }),
    );
    if (isErased) erased.push(gallery.galleryId);
  }
  const counts = [erased.length, names, traces.frames, traces.sessions, ...Object.values(others)];
  if (counts.every((count) => count === 0)) throw noUser();
  return { galleryIds: erased, ...traces, others };
}

/** Erases what calls left behind of a user, of all users of a gallery, or of a person in all galleries. */
async function eraseTraces({ store, events }: Parts, owner: SessionOwner | SessionPerson) {
  await events.forget(owner);
  // Before the sessions, by which those of a subject are found.
  const frames = await store.frames.forgetUser(owner);
  const sessions = await store.sessions.eraseOf(owner);
  return { sessions, frames };
}

/** Erases a user from the store, the matcher and the statistics of the gallery. @returns false when nobody was erased */
async function eraseFace(
  { events, matcher, cohorts }: Parts,
  gallery: GalleryRecord,
  userId: string,
  { trxId, reason }: ErasureCause,
  remove: RemoveFace,
): Promise<boolean> {
  const { clientId, galleryId } = gallery;
  const kept = events.keepingOf('face_erased', { clientId, trxId, galleryId, userId }, { reason });
  const version = await remove(kept.write);
  if (typeof version !== 'number') return false;
  kept.written();
  matcher.faceRemoved(gallery.id, userId, version);
  cohorts.faceErased({ ...gallery, version }, userId);
  return true;
}
