import { linkMinutes, type RequestOf } from '@wajah/contract';
import { mostExpected } from '@wajah/contract/features/expected';
import { Refusal } from '../../errors.ts';
import type { FeatureCore } from '../../feature.ts';
import type { Caller } from '../../services/caller.ts';
import { termsOf } from '../../services/faces/terms.ts';
import { galleryOf } from '../../services/galleries/lookup.ts';
import { nameBefore, writeCursor } from '../../services/listing.ts';
import { sessionSubjects } from '../../services/session-subjects.ts';
import type { ExpectedStore } from './ports.ts';

interface Parts extends Pick<FeatureCore, 'store' | 'events' | 'admission' | 'livenessSessions'> {
  readonly expected: ExpectedStore;
}

export type ExpectedService = ReturnType<typeof createExpectedService>;

/** Lists of the people who are to have a face in a gallery, and links by which they enrol themselves. */
export function createExpectedService(parts: Parts) {
  const { store, expected, events } = parts;
  return {
    async set(caller: Caller, { facegalleryId, people, add }: RequestOf<'setExpected'>) {
      requireOnce(people.map(({ userId }) => userId));
      const gallery = await galleryOf(store, caller, facegalleryId);
      const count = await expected.set(gallery.id, people, add, mostExpected);
      if (count !== null) throw new Refusal('expectedTooMany', { count, most: mostExpected });
      const counts = await expected.counts(gallery.id);
      const facts = { people: counts.expected, missing: counts.missing };
      events.observe('expected_set', caller, { facegallery_id: facegalleryId, ...facts });
      return counts;
    },

    async list(caller: Caller, request: RequestOf<'listExpected'>) {
      const { facegalleryId, missing, limit = 100, cursor } = request;
      const gallery = await galleryOf(store, caller, facegalleryId);
      const after = nameBefore(cursor, 'list-expected');
      const found = await expected.page(gallery.id, { after, limit: limit + 1, missing });
      const people = found.slice(0, limit);
      const last = found.length > limit ? people.at(-1) : undefined;
      const nextCursor = last && writeCursor(last.userId);
      return { ...(await expected.counts(gallery.id)), people, nextCursor };
    },

    link: (caller: Caller, request: RequestOf<'linkExpected'>) => link(parts, caller, request),

    async forget(caller: Caller, { facegalleryId }: RequestOf<'forgetExpected'>): Promise<void> {
      const gallery = await galleryOf(store, caller, facegalleryId);
      const people = await expected.forget(gallery.id);
      events.observe('expected_forgotten', caller, { facegallery_id: facegalleryId, people });
    },
  };
}

/** Makes links for those who have no face. Whoever makes them may enrol, and says so with the consents. */
async function link(parts: Parts, caller: Caller, request: RequestOf<'linkExpected'>) {
  const { store, expected, events, admission, livenessSessions } = parts;
  const { facegalleryId, userIds, validMinutes = linkMinutes.most, lang, ...consents } = request;
  const terms = termsOf(consents);
  const gallery = await galleryOf(store, caller, facegalleryId);
  const listed = await expected.find(gallery.id, userIds);
  const missing = userIds.findIndex((one) => listed.every(({ userId }) => userId !== one));
  if (missing >= 0) throw new Refusal('expectedNotFound', { index: missing });
  const made = [];
  // Each alone: others enrol people and make links meanwhile.
  for (const { userId } of listed.filter(({ enrolled }) => !enrolled)) {
    // What would refuse the enrolment afterwards, refuses the link.
    const admitted = admission.admit(caller, { facegalleryId, userId }, 'refuse', terms).catch(isEnrolled);
    if ((await admitted) === 'enrolled') continue;
    const session = { hosted: true, keepFrame: true, validMinutes, lang } as const;
    const opening = { ...session, subjectName: sessionSubjects.enrolment(userId) };
    const { sessionId, expiresAt, page } = await livenessSessions.open(caller, opening);
    const { url = '', qr = '' } = page;
    const consent = terms.consent ?? null;
    if (await expected.putLink(gallery.id, { userId, sessionId, expiresAt, consent }))
      made.push({ userId, sessionId, expiresAt, url, qr });
  }
  events.observe('expected_linked', caller, { facegallery_id: facegalleryId, links: made.length });
  return made;
}

/** For `catch`: the person has got a face meanwhile. Other errors are thrown again. */
function isEnrolled(error: unknown): 'enrolled' {
  if (error instanceof Refusal && (error.code === 'userEnrolled' || error.code === 'userSuspended'))
    return 'enrolled';
  throw error;
}

function requireOnce(userIds: readonly string[]): void {
  const places = new Map<string, number>();
  for (const [second, userId] of userIds.entries()) {
    const first = places.get(userId);
    if (first !== undefined) throw new Refusal('expectedTwice', { first, second });
    places.set(userId, second);
  }
}
