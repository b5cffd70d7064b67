import type { Events } from '../../events/table.ts';
import type { Matcher } from '../../matching/ports.ts';
import type { SessionVault } from '../../security/vaults/row-vaults.ts';
import type { GalleryRecord, OutboxEvent, SessionOwner, SessionPerson, Store } from '../../store/ports.ts';
import type { Cohorts } from '../galleries/cohorts.ts';
import { noUser } from '../galleries/lookup.ts';

/** Whose person: a client, and the user_id that it gave. */
export interface PersonName {
  readonly clientId: string;
  readonly userId: string;
}

/** Why a person is erased: by their client or operator, or at the end of retention or consent. */
export interface ToldErasure {
  readonly trxId: string | null;
  readonly reason: 'deleted' | 'expired';
}

interface Parts {
  readonly store: Store;
  readonly matcher: Pick<Matcher, 'faceRemoved' | 'evict'>;
  readonly cohorts: Pick<Cohorts, 'faceErased'>;
  readonly sessionVault: Pick<SessionVault, 'digestSubject'>;
  readonly events: Events;
}

/** Removes a user in a transaction, with the event. @returns the gallery's new version; else nobody was removed */
type Write = (event: OutboxEvent | undefined) => Promise<number | false | null>;

export type FaceEraser = ReturnType<typeof createFaceEraser>;

/**
 * Erases people, and what calls left behind of them: always the traces first, so that an erasure that was interrupted is
 * completed by the next call, which still finds the face. The caller records the erasure.
 */
export function createFaceEraser(parts: Parts) {
  const { store, matcher } = parts;
  return {
    /** As a rename leaves them behind: the face stays. */
    eraseTraces: (owner: SessionOwner) => eraseTraces(parts, owner),

    /**
     * Erases a user of a gallery.
     * @returns false when nobody was erased
     */
    erase: (gallery: GalleryRecord, userId: string, told: ToldErasure) => erase(parts, gallery, userId, told),

    /**
     * Erases a user with the last picture, which a writer of faces removes.
     * @returns false when the gallery has changed
     */
    async eraseBy(gallery: GalleryRecord, userId: string, trxId: string, write: Write): Promise<boolean> {
      await eraseTraces(parts, { ...ownerOf(gallery), userId });
      return eraseFace(parts, gallery, userId, { trxId, reason: 'deleted' }, write);
    },

    /** Erases a gallery with its people. @returns false when it is gone already */
    async eraseGallery(gallery: GalleryRecord): Promise<boolean> {
      await eraseTraces(parts, ownerOf(gallery));
      if (!(await store.galleries.remove(gallery.clientId, gallery.galleryId))) return false;
      matcher.evict(gallery.id);
      return true;
    },

    /** See `erasePerson`. */
    erasePerson: (person: PersonName, trxId: string | null) => erasePerson(parts, person, trxId),

    /** Erases a user whose time has ended, before the sweep does. @returns false when nobody was erased */
    eraseEnded: (gallery: GalleryRecord, userId: string) =>
      erase(parts, gallery, userId, { trxId: null, reason: 'expired' }, new Date()),

    /**
     * Erases the people whose time has ended, as an erasure by their client does.
     * @param onErased records the erasure
     * @returns how many
     */
    eraseExpired: (onErased: (gallery: GalleryRecord) => Promise<unknown>, now = new Date()) =>
      eraseExpired(parts, onErased, now),
  };
}

async function eraseExpired(
  parts: Parts,
  onErased: (gallery: GalleryRecord) => Promise<unknown>,
  now: Date,
): Promise<number> {
  const { people, galleries } = parts.store;
  for (let erased = 0; ; ) {
    const before = erased;
    for (const { clientId, galleryId, userId } of await people.expiring({ until: now, limit: 100 })) {
      const gallery = await galleries.get(clientId, galleryId);
      const told = { trxId: null, reason: 'expired' } as const;
      if (!gallery || !(await erase(parts, gallery, userId, told, now))) continue;
      erased += 1;
      await onErased(gallery);
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
  told: ToldErasure,
  expiredBy?: Date,
): Promise<boolean> {
  await eraseTraces(parts, { ...ownerOf(gallery), userId });
  return eraseFace(parts, gallery, userId, told, (event) =>
    parts.store.faces.remove(gallery.id, userId, { expiredBy, event }),
  );
}

/** A person as sessions name them: by user_id, or as their subject. */
export function sessionPerson(
  { sessionVault }: Pick<Parts, 'sessionVault'>,
  { clientId, userId }: PersonName,
): SessionPerson {
  return { clientId, userId, subject: sessionVault.digestSubject(clientId, ['subject', userId]) };
}

const ownerOf = ({ clientId, galleryId }: GalleryRecord) => ({ clientId, galleryId });

/**
 * Erases a person from all galleries of a client, and what calls left behind: liveness sessions that name the person or
 * have them as their subject, frames that were remembered of them, refused calls, names without a picture, events for webhooks. What was not erased when the process ends is erased
 * by the next call.
 * @returns how much was erased @throws Refusal `userNotFound` when there was nothing
 */
async function erasePerson(parts: Parts, person: PersonName, trxId: string | null) {
  const { store } = parts;
  const { clientId, userId } = person;
  const galleryIds = await store.people.galleriesOf(clientId, userId);
  const traces = await eraseTraces(parts, sessionPerson(parts, person));
  const refusals = await store.activity.eraseRefusedOf(clientId, userId);
  const told = await store.webhooks.forget(clientId, userId);
  const erased: string[] = [];
  let names = 0;
  for (const gallery of await store.galleries.list(clientId)) {
    if (await store.subjects.remove(gallery.id, userId)) names += 1;
    if (!galleryIds.includes(gallery.galleryId)) continue;
    const isErased = await eraseFace(parts, gallery, userId, { trxId, reason: 'deleted' }, (event) =>
      store.faces.remove(gallery.id, userId, { event }),
    );
    if (isErased) erased.push(gallery.galleryId);
  }
  const { sessions, frames } = traces;
  if (erased.length + names + told + refusals + frames + sessions === 0) throw noUser();
  return { galleryIds: erased, ...traces, refusals };
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
  { trxId, reason }: ToldErasure,
  write: Write,
): Promise<boolean> {
  const { clientId, galleryId } = gallery;
  const event = events.webhookRow('face.erased', { clientId, trxId, galleryId, userId }, { reason });
  const version = await write(event);
  if (typeof version !== 'number') return false;
  events.webhookWritten(event);
  matcher.faceRemoved(gallery.id, userId, version);
  cohorts.faceErased({ ...gallery, version }, userId);
  return true;
}
