import { Buffer } from 'node:buffer';
import { maxTemplates } from '@wajah/contract';
import { Refusal } from '../../errors.ts';
import { dayMs } from '../../lib/time.ts';
import { openedOrNull } from '../../security/vaults/sealing.ts';
import { countTemplates } from '../../security/vaults/template-vault.ts';
import { expiryOf } from '../../store/person-store.ts';
import type { GalleryRecord } from '../../store/ports/galleries.ts';
import type { ExpiringPerson, ExpiringQuery, TermsUpdate } from '../../store/ports/people.ts';
import { sessionPerson } from '../faces/face-eraser.ts';
import type { KnownTerms, PersonName, PersonTraces } from '../faces/ports.ts';
import { packName } from '../galleries/embedding-spec.ts';
import { galleryOf, noUser, userOf } from '../galleries/lookup.ts';
import type { Cohorts } from '../galleries/ports.ts';
import type { ServiceParts } from '../parts.ts';
import type { ExpiringPage, PersonExport, PersonInGallery } from './ports.ts';

/** What the calls for a person across the galleries of a client are made of. They record no events. */
export interface PeopleParts extends ServiceParts<'store' | 'vault' | 'matcher' | 'sessionVault'> {
  readonly cohorts: Cohorts;
  readonly traces: readonly PersonTraces[];
}

/** @throws Refusal `galleryNotFound` | `userNotFound` */
export async function updatePerson(
  { store }: PeopleParts,
  { clientId, userId }: PersonName,
  galleryId: string,
  changes: TermsUpdate,
): Promise<KnownTerms> {
  const gallery = await galleryOf(store, { clientId }, galleryId);
  const face = await userOf(store, gallery, userId);
  if (!(await store.people.update(gallery.id, userId, changes))) throw noUser();
  const terms = await store.people.get(gallery.id, userId);
  return { ...terms, expiry: expiryOf(face.createdAt, gallery.retentionDays, terms) };
}

/**
 * @param galleryId undefined: every gallery that has the person
 * @param at null: ends the suspension
 * @returns names of the galleries @throws Refusal `galleryNotFound` | `userNotFound`
 */
export async function suspendPerson(
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
  { store }: Pick<PeopleParts, 'store'>,
  { clientId, galleryId, days, limit, cursor }: ListQuery,
): Promise<ExpiringPage> {
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
    if (
      Number.isSafeInteger(at) &&
      Number.isSafeInteger(gallery) &&
      typeof userId === 'string' &&
      !userId.includes('\0')
    ) {
      return { expiresAt: new Date(at as number), gallery: gallery as number, userId };
    }
  } catch {}
  throw new Refusal('listCursor', { list: 'list-expiring' });
}

/** @throws Refusal `userNotFound` when nothing is known */
export async function exportPerson(
  parts: PeopleParts,
  person: PersonName,
  { pictures }: { readonly pictures: boolean },
): Promise<PersonExport> {
  const { store } = parts;
  const { clientId, userId } = person;
  const galleryIds = await store.people.galleriesOf(clientId, userId);
  const galleries: PersonInGallery[] = [];
  for (const galleryId of galleryIds) {
    const gallery = await store.galleries.get(clientId, galleryId);
    const known = gallery && (await inGallery(parts, gallery, userId, pictures));
    if (known) galleries.push(known);
  }
  const named = sessionPerson(parts, person);
  const sessions = await store.sessions.listOf(named);
  const frames = await store.frames.countOf(named);
  const others: Record<string, readonly object[]> = {};
  for (const { field, list } of parts.traces) others[field] = await list(person);
  const known = [galleries, sessions, ...Object.values(others)];
  if (frames === 0 && known.every((list) => list.length === 0)) throw noUser();
  return { userId, at: new Date(), galleries, sessions, frames, others };
}

/** @returns null when the person was erased meanwhile */
async function inGallery(
  { store, vault }: PeopleParts,
  gallery: GalleryRecord,
  userId: string,
  pictures: boolean,
): Promise<PersonInGallery | null> {
  const face = await store.faces.get(gallery.id, userId);
  if (!face) return null;
  const terms = await store.people.get(gallery.id, userId);
  // What is damaged is left out: the rest is the person's in any case.
  const crops = (await store.crops.get(gallery.id, userId)).flatMap(
    (crop) => openedOrNull(() => vault.gallery(gallery).openCrop(userId, crop).jpeg) ?? [],
  );
  return {
    galleryId: gallery.galleryId,
    userName: face.userName,
    createdAt: face.createdAt,
    updatedAt: face.updatedAt,
    terms: { ...terms, expiry: expiryOf(face.createdAt, gallery.retentionDays, terms) },
    templates: countTemplates(face.template),
    pack: packName(face.embeddingSpec),
    pictureIds: (await store.pictures.page(gallery.id, { userId, offset: 0, limit: maxTemplates })).map(
      ({ pictureId }) => pictureId,
    ),
    crops: crops.map((jpeg) => ({ bytes: jpeg.length, jpeg: pictures ? jpeg : null })),
    differentFrom: await store.differentPeople.listOf(gallery.id, userId),
  };
}
