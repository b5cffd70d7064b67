import { cutFraction, faceEnrolledMessage, maxTemplates, type UserRequest } from '@wajah/contract';
import type { FaceCrop } from '@wajah/engine';
import { Refusal } from '../../errors.ts';
import { createKeyedQueue } from '../../lib/keyed-queue.ts';
import { meanOf } from '../../security/vaults/template-vault.ts';
import type { TermsUpdate } from '../../store/person-store.ts';
import type { GalleryRecord } from '../../store/store.ts';
import type { Caller } from '../caller.ts';
import type { ServiceDependencies } from '../dependencies.ts';
import { embeddingSpecText, notComparable, requireComparable } from '../galleries/embedding-spec.ts';
import { noGallery, noUser, requireMatched, suspended } from '../galleries/lookup.ts';
import { withPresentKeys } from '../galleries/present-keys.ts';
import { eraseFace } from '../people/erase-face.ts';
import { requireConsent } from '../people/terms.ts';
import { formatSimilarity } from '../recognition/format-similarity.ts';
import { galleryScores } from '../recognition/gallery-scores.ts';
import type { Thresholds } from '../recognition/thresholds.ts';
import { galleryForComparison, searchComparable } from '../template-migration/template-migration.ts';

/** What is done when the user is enrolled already: refuse, replace the face, or add this one. */
export type EnrolmentMode = 'new' | 'replace' | 'append';

/** A face to be written. */
interface NewFace {
  readonly userId: string;
  readonly userName: string;
  readonly template: Float32Array;
  /** Kept with the template; undefined: none. */
  readonly crop: FaceCrop | undefined;
  readonly mode: EnrolmentMode;
  /** Refuse the face when it matches another user of the gallery. */
  readonly unique: boolean;
  /** Consent and retention to be written with it. */
  readonly terms?: TermsUpdate | undefined;
  /** Only the name is another. */
  readonly renamed?: boolean;
  /** Id of the picture; default: it gets one when it is asked for. */
  readonly pictureId?: string;
}

export type FaceWriter = ReturnType<typeof createFaceWriter>;

/** Writes and erases faces, in the store and in the matcher. */
export function createFaceWriter(deps: ServiceDependencies, thresholds: Thresholds) {
  const { store } = deps;
  const queue = createKeyedQueue<number>();
  return {
    /**
     * The checks that need no picture.
     * @returns whether the user is enrolled already
     * @param terms consent and retention of the call
     * @throws Refusal `galleryNotFound` | `denied` (other model pack, n_face used up) | `userExists` (also: the user has
     *   the maximum number of faces) | `userSuspended` | `consentMissing`
     */
    async admit(
      caller: Caller,
      { facegalleryId, userId }: Pick<UserRequest, 'facegalleryId' | 'userId'>,
      mode: EnrolmentMode,
      terms: TermsUpdate,
    ): Promise<{ gallery: GalleryRecord; enrolled: boolean }> {
      const gallery = await galleryForComparison(deps, caller, facegalleryId);
      requireComparable(gallery, deps.engine);
      const face = await store.faces.get(gallery.id, userId);
      if (face && mode === 'new') throw alreadyEnrolled();
      if (face) requireMatched(face);
      requireConsent(gallery, terms, face && (await store.people.get(gallery.id, userId)));
      if (face && mode === 'append') requireRoom(await templatesOf(deps, gallery, userId));
      if (!face) await requireQuota(deps, caller);
      return { gallery, enrolled: face !== null };
    },

    /**
     * Resolves when the face is durable and can be found.
     * @throws Refusal as `admit`, when gallery, user or quota changed meanwhile; `userExists` naming the other user of a duplicate;
     *   `busy` when concurrent writes prevent a consistent check
     */
    async write(caller: Caller, gallery: GalleryRecord, face: NewFace): Promise<void> {
      const isPlain = !face.unique && face.mode !== 'append';
      if (isPlain && (await commit(deps, gallery, { ...face, caller }, [face.template]))) return;
      // One at a time per gallery, so that the enrolments of this server do not conflict with each other.
      await queue.run(gallery.id, () => commitUnchanged(deps, thresholds, caller, gallery, face));
    },

    /** @throws Refusal `userNotFound` | `denied` (other model pack) | `busy` */
    rename: (gallery: GalleryRecord, userId: string, userName: string): Promise<void> =>
      queue.run(gallery.id, () => rename(deps, gallery, userId, userName)),

    /** @throws Refusal `userNotFound` */
    async erase({ trxId }: Caller, gallery: GalleryRecord, userId: string): Promise<void> {
      if (!(await eraseFace(deps, gallery, userId, { trxId, reason: 'deleted' }))) throw noUser();
    },
  };
}

/** Writes the enrolled templates again with another name, so that every server finds it. */
async function rename(
  deps: ServiceDependencies,
  gallery: GalleryRecord,
  userId: string,
  userName: string,
): Promise<void> {
  const unchanged = { crop: undefined, mode: 'append', unique: false, renamed: true } as const;
  await untilWritten(deps, gallery, async (now) => {
    requireComparable(now, deps.engine);
    const templates = await templatesOf(deps, now, userId);
    const [template] = templates;
    if (!template) throw noUser();
    return commit(deps, now, { userId, userName, template, ...unchanged }, templates, now.version);
  });
}

/** Attempts to write to a gallery that others change. */
const maxAttempts = 100;

async function commitUnchanged(
  deps: ServiceDependencies,
  thresholds: Thresholds,
  caller: Caller,
  gallery: GalleryRecord,
  face: NewFace,
): Promise<void> {
  await untilWritten(deps, gallery, async (now) => {
    if (face.unique) await requireUnique(deps, thresholds, caller, now, face);
    const templates = face.mode === 'append' ? await withEnrolled(deps, now, face) : [face.template];
    return commit(deps, now, { ...face, caller }, templates, now.version);
  });
}

/**
 * Optimistic concurrency: reads the gallery, then writes if its version is unchanged; otherwise tries again.
 * @param write returns false when the gallery has changed
 */
export async function untilWritten(
  { store }: Pick<ServiceDependencies, 'store'>,
  { id, clientId, galleryId }: GalleryRecord,
  write: (now: GalleryRecord) => Promise<boolean>,
): Promise<void> {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const now = await store.galleries.get(clientId, galleryId);
    if (!now || now.id !== id) throw noGallery();
    if (await write(now)) return;
  }
  throw new Refusal(
    'busy',
    'facegallery_id: others write to this gallery too fast for check_duplicate, append or a new name; try again',
  );
}

/** The user's templates, the new one last. @throws Refusal `userExists` | `denied` */
async function withEnrolled(
  deps: ServiceDependencies,
  gallery: GalleryRecord,
  { userId, template }: NewFace,
): Promise<Float32Array[]> {
  const others = await templatesOf(deps, gallery, userId);
  if (others.length === 0) return [template];
  requireComparable(gallery, deps.engine);
  requireRoom(others);
  return [...others, template];
}

function templatesOf(
  { store, vault }: ServiceDependencies,
  gallery: GalleryRecord,
  userId: string,
): Promise<Float32Array[]> {
  return withPresentKeys(store, gallery, async (now) => {
    const face = await store.faces.get(gallery.id, userId);
    return face ? vault.gallery(now).openAll(userId, face.template) : [];
  });
}

function requireRoom(templates: readonly Float32Array[]): void {
  if (templates.length < maxTemplates) return;
  throw new Refusal(
    'userExists',
    `append: this user_id has ${templates.length} faces in the gallery, at most ${maxTemplates} are allowed; send replace: true to replace them by this one`,
  );
}

/** @param version the write is conditional on it @returns false when the gallery has another version or another key */
async function commit(
  deps: ServiceDependencies,
  gallery: GalleryRecord,
  face: NewFace & { readonly caller?: Caller },
  templates: readonly Float32Array[],
  version?: number,
): Promise<boolean> {
  const { userId, userName } = face;
  const vault = deps.vault.gallery(gallery);
  const embeddingSpec = embeddingSpecText(deps.engine.embeddingSpec);
  const row = {
    userId,
    userName,
    template: vault.sealAll(userId, templates),
    sealedWith: gallery.wrappedKey,
    embeddingSpec,
    appended: face.mode === 'append',
    renamed: face.renamed ?? false,
    terms: face.terms,
    crop: face.crop && vault.sealCrop(userId, face.crop),
    event: enrolledEvent(deps, gallery, face),
    picture: face.pictureId === undefined ? undefined : { id: face.pictureId, place: templates.length - 1 },
  };
  const written = await deps.store.faces.enrol(gallery.id, row, face.mode !== 'new', version);
  switch (written) {
    case 'changed':
      return false;
    case 'exists':
      throw alreadyEnrolled();
    case 'suspended':
      throw suspended(null);
    case 'quota':
      throw quotaUsedUp();
    case 'gone':
      throw noGallery();
    case 'embedding-spec': {
      const now = await deps.store.galleries.get(gallery.clientId, gallery.galleryId);
      if (now) requireComparable(now, deps.engine);
      throw notComparable(null, deps.engine.embeddingSpec);
    }
    default:
      deps.events.webhookWritten(row.event);
      await reportChange(deps, { ...gallery, version: written }, face, meanOf(templates));
      return true;
  }
}

/** Undefined when nobody is told: also of a new name. */
function enrolledEvent(
  { events }: ServiceDependencies,
  { galleryId }: GalleryRecord,
  { caller, userId, mode }: NewFace & { readonly caller?: Caller },
) {
  if (!caller) return undefined;
  const subject = { clientId: caller.clientId, trxId: caller.trxId, galleryId, userId };
  return events.webhookRow('face.enrolled', subject, { mode });
}

/** @param gallery as it was, with the version of the write @param template mean of all */
async function reportChange(
  { store, matcher, cohorts }: ServiceDependencies,
  gallery: GalleryRecord,
  face: NewFace,
  template: Float32Array,
): Promise<void> {
  const { userId, userName } = face;
  const { version } = gallery;
  // Who is suspended may be renamed, and is in no cache.
  const isSuspended = face.renamed && (await store.people.get(gallery.id, userId)).suspendedAt !== null;
  if (isSuspended) matcher.faceRemoved(gallery.id, userId, version);
  else matcher.faceEnrolled(gallery.id, { userId, userName, template, seq: version });
  if (face.mode === 'new') cohorts.renewIfStale({ ...gallery, faces: gallery.faces + 1 });
  else cohorts.faceErased(gallery, face.userId);
}

/** Searches the whole gallery, so the threshold is that of identification. */
async function requireUnique(
  deps: ServiceDependencies,
  thresholds: Thresholds,
  caller: Caller,
  gallery: GalleryRecord,
  face: NewFace,
): Promise<void> {
  // Two candidates, because the best may be the user's own face.
  const { query, similarityOf } = galleryScores(deps, gallery).probe(face.template);
  const matches = await searchComparable(deps, caller, gallery, query, 2);
  const other = matches.find((match) => match.userId !== face.userId);
  if (!other) return;
  const similarity = similarityOf(other.score);
  const threshold = thresholds.identification(gallery);
  if (similarity < threshold) return;
  const shown = { duplicate_user_id: other.userId, similarity: cutFraction(similarity) };
  throw new Refusal(
    'userExists',
    `image: this face is already enrolled in the gallery as user_id ${JSON.stringify(other.userId)} (similarity ${formatSimilarity(similarity)}, threshold ${formatSimilarity(threshold)}); delete that face first, or enrol without check_duplicate`,
    { status_message: faceEnrolledMessage, ...shown },
  );
}

async function requireQuota({ store }: ServiceDependencies, { clientId }: Caller): Promise<void> {
  const client = await store.clients.get(clientId);
  if (client && client.quota.faces !== -1 && client.used.faces >= client.quota.faces) throw quotaUsedUp();
}

function quotaUsedUp(): Refusal {
  return new Refusal(
    'denied',
    'n_face: the number of faces that this client may enrol is used up; delete faces or ask the operator for more',
  );
}

function alreadyEnrolled(): Refusal {
  return new Refusal(
    'userExists',
    'user_id: this user_id has a face in the gallery already; send replace: true to replace it, append: true to add this one, or delete it first',
  );
}
