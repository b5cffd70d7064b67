import { Buffer } from 'node:buffer';
import { Refusal } from '../../errors.ts';
import { dayMs } from '../../lib/time.ts';
import {
  type ExpiringPerson,
  type ExpiringQuery,
  expiryOf,
  type TermsUpdate,
} from '../../store/person-store.ts';
import type { GalleryRecord, Store } from '../../store/store.ts';
import type { PersonName } from '../faces/face-eraser.ts';
import { galleryOf, noUser, userOf } from '../galleries/lookup.ts';
import { exportPerson, type KnownTerms, type PeopleParts } from './export-person.ts';

/** People across the galleries of a client: for endpoints, for commands, and for the sweep. It records no events. */
export type People = ReturnType<typeof createPeople>;

export function createPeople(parts: PeopleParts) {
  return {
    /** @throws Refusal `galleryNotFound` | `userNotFound` */
    update: (person: PersonName, galleryId: string, changes: TermsUpdate) =>
      update(parts, person, galleryId, changes),

    /**
     * @param galleryId undefined: every gallery that has the person
     * @param at null: ends the suspension
     * @returns names of the galleries @throws Refusal `galleryNotFound` | `userNotFound`
     */
    suspend: (person: PersonName, galleryId: string | undefined, at: Date | null) =>
      suspend(parts, person, galleryId, at),

    /** @throws Refusal `userNotFound` when nothing is known of the person */
    export: (person: PersonName, options: { readonly pictures: boolean }) =>
      exportPerson(parts, person, options),

    expiring: (query: Parameters<typeof listExpiring>[1]) => listExpiring(parts, query),
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
  { store, matcher, cohorts }: PeopleParts,
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
    cohorts.faceErased({ ...gallery, version }, person.userId);
  }
  return found.map((gallery) => gallery.galleryId);
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

interface ListQuery {
  /** Null: of all clients. */
  readonly clientId: string | null;
  readonly galleryId?: string | undefined;
  readonly days: number;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** People who are erased within some days. @throws Refusal `malformed` for a cursor of elsewhere */
export async function listExpiring(
  { store }: { readonly store: Pick<Store, 'people'> },
  { clientId, galleryId, days, limit, cursor }: ListQuery,
) {
  const until = new Date(Date.now() + days * dayMs);
  const after = cursor === undefined ? undefined : readCursor(cursor);
  // One more than requested shows whether there is a next page.
  const query = { until, clientId: clientId ?? undefined, galleryId, limit: limit + 1, after };
  const found = await store.people.expiring(query);
  const people = found.slice(0, limit);
  const last = people.at(-1);
  return { until, people, nextCursor: last && found.length > limit ? writeCursor(last) : undefined };
}

function writeCursor({ expiresAt, gallery, userId }: ExpiringPerson): string {
  return Buffer.from(JSON.stringify([expiresAt.getTime(), gallery, userId])).toString('base64url');
}

function readCursor(cursor: string): ExpiringQuery['after'] {
  try {
    const [at, gallery, userId] = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')) as unknown[];
    if (Number.isSafeInteger(at) && Number.isSafeInteger(gallery) && typeof userId === 'string') {
      return { expiresAt: new Date(at as number), gallery: gallery as number, userId };
    }
  } catch {}
  throw new Refusal(
    'malformed',
    'cursor: it is no next_cursor of list-expiring; send that of the previous page, or none for the first page',
  );
}
