import { cutFraction, faceEnrolledMessage, type IfExists, type UserRequest } from '@wajah/contract';
import { innerProduct } from '@wajah/engine';
import { Refusal } from '../../errors.ts';
import { countTemplates } from '../../security/vaults/template-vault.ts';
import type { FaceRecord } from '../../store/ports/faces.ts';
import type { GalleryRecord } from '../../store/ports/galleries.ts';
import type { TermsUpdate } from '../../store/ports/people.ts';
import type { Store } from '../../store/ports/store.ts';
import type { Caller } from '../caller.ts';
import { hasEnded, requireMatched } from '../galleries/lookup.ts';
import type { Comparisons } from '../galleries/ports.ts';
import type { ServiceParts } from '../parts.ts';
import { alreadyEnrolled, quotaUsedUp, requireRoomToAppend } from './face-writer.ts';
import type { Admission, ComparedFace, FaceEraser, Person } from './ports.ts';
import { requireConsent } from './terms.ts';

interface Parts extends ServiceParts<'store' | 'events'> {
  readonly comparisons: Comparisons;
  readonly eraser: FaceEraser;
}

/** Whether a face is below the threshold of its person's pictures. */
export const differs = ({ similarity, threshold }: ComparedFace): boolean => similarity < threshold;

/** What a face must satisfy before it is written. */
export function createAdmission({ store, comparisons, eraser, events }: Parts): Admission {
  const admit = async (
    caller: Caller,
    { facegalleryId, userId }: Pick<UserRequest, 'facegalleryId' | 'userId'>,
    ifExists: IfExists,
    terms: TermsUpdate,
    compares = false,
  ): Promise<{ gallery: GalleryRecord; former: FaceRecord | null }> => {
    const gallery = await comparisons.gallery(caller, facegalleryId);
    comparisons.require(gallery);
    const face = await store.faces.get(gallery.id, userId);
    if (face && hasEnded(face) && (await eraser.eraseEnded(gallery, userId))) {
      events.observe(
        'person_expired',
        { clientId: caller.clientId, trxId: null },
        { facegallery_id: facegalleryId },
      );
      return admit(caller, { facegalleryId, userId }, ifExists, terms);
    }
    if (face) requireMatched(face);
    if (face && ifExists === 'refuse') {
      if (compares) return { gallery, former: face };
      throw alreadyEnrolled();
    }
    requireConsent(gallery, terms, face && (await store.people.get(gallery.id, userId)));
    if (face && ifExists === 'append') requireRoomToAppend(countTemplates(face.template));
    if (!face) await requireQuota(store, caller);
    return { gallery, former: face };
  };
  return {
    admit,
    requireSame: (...compared) => requireSame(comparisons, ...compared),
    requireUnique: (...enrolling) => requireUnique(comparisons, ...enrolling),
  };
}

/** See `Admission.requireUnique`. */
async function requireUnique(
  comparisons: Comparisons,
  ...[caller, gallery, { userId, faces }, field, place]: Parameters<Admission['requireUnique']>
): Promise<void> {
  const { probe } = comparisons.scores(gallery);
  const suspended = await comparisons.suspended(gallery);
  const others = [];
  for (const { template } of faces) {
    const { query, similarityOf } = probe(template);
    // Two candidates, because the best may be the user's own face.
    const matched = await comparisons.search(caller, gallery, query, 2);
    const unmatched = suspended.map((one) => ({ ...one, score: innerProduct(query, one.template) }));
    const found = [...matched, ...unmatched].filter((match) => match.userId !== userId);
    others.push(...found.map(({ userId: id, score }) => ({ userId: id, similarity: similarityOf(score) })));
  }
  const [other] = others.sort((a, b) => b.similarity - a.similarity);
  const threshold = comparisons.thresholds.identification(gallery);
  if (!other || other.similarity < threshold) return;
  const { similarity } = other;
  const who = { duplicate_user_id: other.userId };
  const shown = { ...who, similarity: cutFraction(similarity), own_threshold: threshold };
  throw new Refusal(
    suspended.some((one) => one.userId === other.userId) ? 'faceSuspended' : 'faceEnrolled',
    { field, ...who, similarity, threshold },
    { status_message: faceEnrolledMessage, ...shown, ...place },
  );
}

/** See `Admission.requireSame`. */
function requireSame(
  comparisons: Comparisons,
  ...[gallery, { ifExists, userName, faces }, person, forced, place]: Parameters<Admission['requireSame']>
): ComparedFace {
  const { probe } = comparisons.scores(gallery);
  const similarities = faces.map(({ template }) => {
    const { query, similarityOf } = probe(template);
    return Math.max(...person.templates.map((one) => similarityOf(innerProduct(query, one))));
  });
  const similarity = Math.min(...similarities);
  const threshold = comparisons.thresholds.verification(gallery);
  const appends = ifExists === 'append';
  const compared = {
    similarity,
    threshold,
    formerName: appends ? undefined : formerNameOf(person, userName),
  };
  const isSame = !differs(compared);
  if (appends ? isSame || forced : isSame && ifExists !== 'refuse') return compared;
  const shown = { similarity: cutFraction(similarity), threshold, own_threshold: threshold };
  if (appends) throw new Refusal('appendedDiffers', { similarity, threshold }, shown);
  // Whoever has no picture of the person learns no name.
  const told = isSame && { same_picture: similarity === 1 || undefined, former_name: compared.formerName };
  throw alreadyEnrolled({ ...shown, same_person: isSame, ...told, ...place });
}

/** Case and blanks make no other name, and the user_id is sent where none is known. */
function formerNameOf({ userId, userName }: Person, given: string): string | undefined {
  const folded = (name: string) => name.toLowerCase().replace(/\s+/g, ' ');
  return [userName, userId].map(folded).includes(folded(given)) ? undefined : userName;
}

async function requireQuota(store: Pick<Store, 'clients'>, { clientId }: Caller): Promise<void> {
  const client = await store.clients.get(clientId);
  if (client && client.quota.faces !== -1 && client.used.faces >= client.quota.faces) throw quotaUsedUp();
}
