import { eraseTraces } from '../erase-traces.ts';
import { noUser } from '../galleries/lookup.ts';
import { eraseFace } from './erase-face.ts';
import { type Parts, type PersonName, sessionPerson } from './parts.ts';
import { recordingOwners } from './recording-owners.ts';

/**
 * Erases a person from all galleries of a client, and what calls left behind: liveness sessions that name the person or
 * have them as their subject, frames that were remembered of them, recorded sessions of the user or of a subject of this
 * name, refused calls, names without a picture, events for webhooks. What was not erased when the process ends is erased
 * by the next call.
 * @returns how much was erased @throws Refusal `userNotFound` when there was nothing
 */
export async function erasePerson(parts: Parts, person: PersonName, trxId: string | null) {
  const { store } = parts;
  const { clientId, userId } = person;
  const galleryIds = await store.people.galleriesOf(clientId, userId);
  const traces = await eraseTraces(parts, sessionPerson(parts, person), recordingOwners(person, galleryIds));
  const refusals = await store.activity.eraseRefusedOf(clientId, userId);
  const told = await store.webhooks.forget(clientId, userId);
  const erased: string[] = [];
  let names = 0;
  for (const gallery of await store.galleries.list(clientId)) {
    if (await store.subjects.remove(gallery.id, userId)) names += 1;
    if (!galleryIds.includes(gallery.galleryId)) continue;
    if (await eraseFace(parts, gallery, userId, { trxId, reason: 'deleted' })) erased.push(gallery.galleryId);
  }
  const { sessions, frames, recordings } = traces;
  if (erased.length + names + told + refusals + recordings + frames + sessions === 0) throw noUser();
  return { galleryIds: erased, ...traces, refusals };
}
