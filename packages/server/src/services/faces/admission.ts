import { cutFraction, faceEnrolledMessage, type UserRequest } from '@wajah/contract';
import { innerProduct } from '@wajah/engine';
import type { Config } from '../../config/config.ts';
import { Refusal } from '../../errors.ts';
import type { Events } from '../../events/table.ts';
import { countTemplates } from '../../security/vaults/template-vault.ts';
import type { GalleryRecord, Store, TermsUpdate } from '../../store/ports.ts';
import type { Caller } from '../caller.ts';
import type { Comparisons } from '../galleries/comparisons.ts';
import { hasEnded, requireMatched } from '../galleries/lookup.ts';
import type { FaceEraser } from './face-eraser.ts';
import {
  alreadyEnrolled,
  type EnrolmentMode,
  type FaceWriter,
  quotaUsedUp,
  requireRoomToAppend,
} from './face-writer.ts';
import type { LivenessProof } from './liveness-proof.ts';
import type { placeOf } from './main-face.ts';
import type { Pictures } from './pictures.ts';
import { requireConsent } from './terms.ts';

interface Parts {
  readonly store: Pick<Store, 'clients' | 'faces' | 'people'>;
  readonly comparisons: Comparisons;
  readonly eraser: Pick<FaceEraser, 'eraseEnded'>;
  readonly events: Events;
}

/** What enrolments are made from. */
export interface EnrolmentParts {
  readonly pictures: Pictures;
  readonly comparisons: Comparisons;
  readonly admission: Admission;
  readonly liveness: LivenessProof;
  readonly writer: Pick<FaceWriter, 'writeFace'>;
  readonly events: Events;
  readonly config: Pick<Config, 'keepFaceCrops' | 'limits' | 'thresholds'>;
}

export type Admission = ReturnType<typeof createAdmission>;

/** An appended face and the most similar of the person's pictures before. */
export interface AppendedFace {
  /** 0…1 */
  readonly similarity: number;
  /** Of a verification in the gallery, four decimals. */
  readonly threshold: number;
}

/** Whether a face is below the threshold of its person's pictures. */
export const differs = ({ similarity, threshold }: AppendedFace): boolean => similarity < threshold;

/** What a face must satisfy before it is written. */
export function createAdmission({ store, comparisons, eraser, events }: Parts) {
  const admit = async (
    caller: Caller,
    { facegalleryId, userId }: Pick<UserRequest, 'facegalleryId' | 'userId'>,
    mode: EnrolmentMode,
    terms: TermsUpdate,
  ): Promise<{ gallery: GalleryRecord; enrolled: boolean }> => {
    const gallery = await comparisons.gallery(caller, facegalleryId);
    comparisons.require(gallery);
    const face = await store.faces.get(gallery.id, userId);
    if (face && hasEnded(face) && (await eraser.eraseEnded(gallery, userId))) {
      events.observe(
        'person_expired',
        { clientId: caller.clientId, trxId: null },
        { facegallery_id: facegalleryId },
      );
      return admit(caller, { facegalleryId, userId }, mode, terms);
    }
    if (face && mode === 'new') throw alreadyEnrolled();
    if (face) requireMatched(face);
    requireConsent(gallery, terms, face && (await store.people.get(gallery.id, userId)));
    if (face && mode === 'append') requireRoomToAppend(countTemplates(face.template));
    if (!face) await requireQuota(store, caller);
    return { gallery, enrolled: face !== null };
  };
  return {
    /**
     * The checks that need no picture. Of a user whose time has ended nothing is left afterwards.
     * @returns whether the user is enrolled already
     * @param terms consent and retention of the call
     * @throws Refusal `galleryNotFound` | `denied` (other model pack, n_face used up) | `userExists` (also: the user has
     *   the maximum number of faces) | `userSuspended` | `consentMissing`
     */
    admit,

    requireSame: (...face: AppendedTo) => requireSame(comparisons, ...face),

    requireUnique: (...face: Compared) => requireUnique(comparisons, ...face),
  };
}

/** A caller, the gallery, the face that is to be enrolled, and its place in its picture for the answer. */
type Compared = [
  caller: Caller,
  gallery: GalleryRecord,
  face: { readonly userId: string; readonly template: Float32Array },
  place?: ReturnType<typeof placeOf>,
];

/**
 * Searches the whole gallery, so the threshold is that of identification.
 * @throws Refusal `userExists`, naming the other user of the gallery whom the face looks like
 */
async function requireUnique(
  comparisons: Comparisons,
  ...[caller, gallery, { userId, template }, place]: Compared
): Promise<void> {
  // Two candidates, because the best may be the user's own face.
  const { query, similarityOf } = comparisons.scores(gallery).probe(template);
  const matches = await comparisons.search(caller, gallery, query, 2);
  const other = matches.find((match) => match.userId !== userId);
  if (!other) return;
  const similarity = similarityOf(other.score);
  const threshold = comparisons.thresholds.identification(gallery);
  if (similarity < threshold) return;
  const who = { duplicate_user_id: other.userId };
  const shown = { ...who, similarity: cutFraction(similarity), own_threshold: threshold };
  const face = place && { face: place };
  throw new Refusal(
    'faceEnrolled',
    { ...who, similarity, threshold },
    { status_message: faceEnrolledMessage, ...shown, ...face },
  );
}

/**
 * A gallery, an appended template, those of the pictures that its person is enrolled with, one at least, and whether a
 * face below the threshold is appended, too.
 */
type AppendedTo = [
  gallery: GalleryRecord,
  template: Float32Array,
  enrolled: readonly Float32Array[],
  forced: boolean,
];

/**
 * Compares an appended face with the pictures that its person is enrolled with.
 * @throws Refusal `notRecognized` with similarity and threshold
 */
function requireSame(
  comparisons: Comparisons,
  ...[gallery, template, enrolled, forced]: AppendedTo
): AppendedFace {
  const { query, similarityOf } = comparisons.scores(gallery).probe(template);
  const similarity = Math.max(...enrolled.map((one) => similarityOf(innerProduct(query, one))));
  const threshold = comparisons.thresholds.verification(gallery);
  if (forced || !differs({ similarity, threshold })) return { similarity, threshold };
  const shown = { similarity: cutFraction(similarity), threshold, own_threshold: threshold };
  throw new Refusal('appendedDiffers', { similarity, threshold }, shown);
}

async function requireQuota(store: Pick<Store, 'clients'>, { clientId }: Caller): Promise<void> {
  const client = await store.clients.get(clientId);
  if (client && client.quota.faces !== -1 && client.used.faces >= client.quota.faces) throw quotaUsedUp();
}
