import { maxTemplates } from '@wajah/contract';
import { countTemplates } from '../../security/vaults/template-vault.ts';
import { expiryOf, type PersonTerms } from '../../store/person-store.ts';
import type { GalleryRecord } from '../../store/store.ts';
import type { ServiceDependencies } from '../dependencies.ts';
import { type PersonName, recordingOwners, sessionPerson } from '../faces/face-eraser.ts';
import { packName } from '../galleries/embedding-spec.ts';
import { noUser, withPresentKeys } from '../galleries/lookup.ts';

/** Refused calls that are stored of a client at most, so that all of a person fit. */
const maxRefusals = 1000;

export type PersonExport = Awaited<ReturnType<typeof exportPerson>>;

/**
 * What is known of a person in all galleries of a client. Of templates it has number, model pack and time: their numbers
 * mean nothing outside of that pack, and whoever has them can imitate the person to it.
 * @throws Refusal `userNotFound` when nothing is known
 */
export async function exportPerson(
  parts: PeopleParts,
  person: PersonName,
  { pictures }: { readonly pictures: boolean },
) {
  const { store, recordings } = parts;
  const { clientId, userId } = person;
  const galleryIds = await store.people.galleriesOf(clientId, userId);
  const galleries = [];
  for (const galleryId of galleryIds) {
    const gallery = await store.galleries.get(clientId, galleryId);
    const known = gallery && (await inGallery(parts, gallery, userId, pictures));
    if (known) galleries.push(known);
  }
  const named = sessionPerson(parts, person);
  const sessions = await store.sessions.listOf(named);
  const frames = await store.frames.countOf(named);
  const recorded = await recordings.listOf(recordingOwners(person, galleryIds));
  const calls = await store.activity.refusedCalls(clientId, { userId, limit: maxRefusals });
  const refusals = calls.map(({ call }) => call);
  const webhookEvents = await store.webhooks.listOf(clientId, userId);
  const known = [galleries, sessions, recorded, refusals, webhookEvents];
  if (frames === 0 && known.every((list) => list.length === 0)) throw noUser();
  const calledFor = { sessions, frames, recordings: recorded, refusals, webhookEvents };
  return { userId, at: new Date(), galleries, ...calledFor };
}

/** @returns null when the person was erased meanwhile */
async function inGallery(
  { store, vault }: PeopleParts,
  gallery: GalleryRecord,
  userId: string,
  pictures: boolean,
) {
  const face = await store.faces.get(gallery.id, userId);
  if (!face) return null;
  const terms = await store.people.get(gallery.id, userId);
  const crops = await withPresentKeys(store, gallery, async (now) => {
    const opener = vault.gallery(now);
    return (await store.crops.get(gallery.id, userId)).map((crop) => opener.openCrop(userId, crop).jpeg);
  });
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

export type PeopleParts = Pick<
  ServiceDependencies,
  'store' | 'vault' | 'matcher' | 'recordings' | 'sessionVault'
> & { readonly cohorts: Pick<ServiceDependencies['cohorts'], 'faceErased'> };

/** Terms of a person, and when the person is erased. */
export type KnownTerms = PersonTerms & { readonly expiry: Date | null };
