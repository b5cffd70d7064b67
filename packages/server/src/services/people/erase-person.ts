import { noUser } from '../galleries/lookup.ts';
import { eraseFace } from './erase-face.ts';
import type { Parts, PersonName } from './parts.ts';
import { recordingOwners } from './recording-owners.ts';

/**
 * Erases a person from all galleries of a client, and what calls left behind: liveness sessions that name the person,
 * frames that were remembered of them, recorded sessions of the user or of a subject of this name, refused calls, events for webhooks. What
 * was not erased when the process ends is erased by the next call.
 * @returns how much was erased @throws Refusal `userNotFound` when there was nothing
 */
export async function erasePerson(parts: Parts, person: PersonName, trxId: string | null) {
  const { store, activity, recordings } = parts;
  const { clientId, userId } = person;
  const galleryIds = await store.people.galleriesOf(clientId, userId);
  await activity.forget(person);
  const refusals = await store.activity.eraseRefusedOf(clientId, userId);
  let recorded = 0;
  for (const owner of recordingOwners(person, galleryIds)) recorded += await recordings.erase({ owner });
  await store.webhooks.forget(clientId, userId);
  const frames = await store.frames.forgetUser(person);
  const sessions = await store.sessions.eraseOf(person);
  const erased: string[] = [];
  for (const galleryId of galleryIds) {
    const gallery = await store.galleries.get(clientId, galleryId);
    if (gallery && (await eraseFace(parts, gallery, userId, { trxId, reason: 'deleted' })))
      erased.push(galleryId);
  }
  if (erased.length + refusals + recorded + frames + sessions === 0) throw noUser();
  return { galleryIds: erased, sessions, frames, recordings: recorded, refusals };
}
