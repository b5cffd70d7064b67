import type { TermsUpdate } from '../../store/person-store.ts';
import { expiryOf } from '../../store/person-store.ts';
import type { GalleryRecord } from '../../store/store.ts';
import { eraseTraces } from '../erase-traces.ts';
import { galleryOf, noUser, userOf } from '../galleries/lookup.ts';
import { eraseFace } from './erase-face.ts';
import { erasePerson } from './erase-person.ts';
import { listExpiring } from './expiring.ts';
import { exportPerson } from './export-person.ts';
import type { KnownTerms, Parts, PeopleParts, PersonName, Statistics } from './parts.ts';

/** People across the galleries of a client: for endpoints, for commands, and for the sweep. It records no events. */
export type People = ReturnType<typeof createPeople>;

export function createPeople(given: PeopleParts) {
  let cohorts: Statistics | null = null;
  const parts = (): Parts => ({ ...given, cohorts });
  return {
    /** From now on the statistics of galleries follow at once. */
    useCohorts(statistics: Statistics): void {
      cohorts = statistics;
    },

    /** @throws Refusal `galleryNotFound` | `userNotFound` */
    update: (person: PersonName, galleryId: string, changes: TermsUpdate) =>
      update(given, person, galleryId, changes),

    /**
     * @param galleryId undefined: every gallery that has the person
     * @param at null: ends the suspension
     * @returns names of the galleries @throws Refusal `galleryNotFound` | `userNotFound`
     */
    suspend: (person: PersonName, galleryId: string | undefined, at: Date | null) =>
      suspend(parts(), person, galleryId, at),

    /** @throws Refusal `userNotFound` when nothing is known of the person */
    export: (person: PersonName, options: { readonly pictures: boolean }) =>
      exportPerson(given, person, options),

    /** @throws Refusal `userNotFound` when nothing is known of the person */
    erase: (person: PersonName, trxId: string | null) => erasePerson(parts(), person, trxId),

    expiring: (query: Parameters<typeof listExpiring>[1]) => listExpiring(given, query),

    /**
     * Erases the people whose time has ended, as an erasure by their client does.
     * @param onErased records the erasure
     * @returns how many
     */
    eraseExpired: (onErased: (gallery: GalleryRecord) => Promise<unknown>, now = new Date()) =>
      eraseExpired(parts(), onErased, now),
  };
}

async function update(
  { store }: PeopleParts,
  { clientId, userId }: PersonName,
  galleryId: string,
  changes: TermsUpdate,
): Promise<KnownTerms> {
  const gallery = await galleryOf(store, { clientId }, galleryId);
  if (!(await store.people.update(gallery.id, userId, changes))) throw noUser();
  const face = await userOf(store, gallery, userId);
  const terms = await store.people.get(gallery.id, userId);
  return { ...terms, expiry: expiryOf(face.createdAt, gallery.retentionDays, terms) };
}

async function suspend(
  { store, matcher, cohorts }: Parts,
  person: PersonName,
  galleryId: string | undefined,
  at: Date | null,
): Promise<string[]> {
  const found = await galleriesWith(store, person, galleryId);
  for (const gallery of found) {
    const version = await store.people.suspend(gallery.id, person.userId, at);
    if (version === null && galleryId !== undefined) throw noUser();
    // Caches read a person whose suspension ends.
    if (typeof version !== 'number' || at === null) continue;
    matcher.faceRemoved(gallery.id, person.userId, version);
    cohorts?.faceErased({ ...gallery, version }, person.userId);
  }
  return found.map((gallery) => gallery.galleryId);
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
      if (!gallery) continue;
      await eraseTraces(parts, { clientId, galleryId, userId });
      if (!(await eraseFace(parts, gallery, userId, { trxId: null, reason: 'expired' }, now))) continue;
      erased += 1;
      await onErased(gallery);
    }
    // Another server may erase the same people.
    if (erased === before) return erased;
  }
}

/** @throws Refusal `galleryNotFound` | `userNotFound` when there is none */
async function galleriesWith(
  store: PeopleParts['store'],
  { clientId, userId }: PersonName,
  galleryId: string | undefined,
): Promise<GalleryRecord[]> {
  if (galleryId !== undefined) return [await galleryOf(store, { clientId }, galleryId)];
  const found: GalleryRecord[] = [];
  for (const name of await store.people.galleriesOf(clientId, userId)) {
    const gallery = await store.galleries.get(clientId, name);
    if (gallery) found.push(gallery);
  }
  if (found.length === 0) throw noUser();
  return found;
}
