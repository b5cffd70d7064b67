import type { Comparer } from '@wajah/engine';
import { OperatorError, Refusal } from '../errors.ts';
import { lacksConsent } from '../services/faces/terms.ts';
import { noCohorts } from '../services/galleries/cohorts.ts';
import { galleryScores, searchPresent } from '../services/galleries/comparisons.ts';
import { keepsCrops } from '../services/galleries/lookup.ts';
import { identificationThreshold } from '../services/galleries/thresholds.ts';
import type { EnrolRefusal } from '../store/face-store.ts';
import type { GalleryRecord } from '../store/gallery-store.ts';
import type { TermsUpdate } from '../store/person-store.ts';
import type { OperationParts } from './command.ts';
import { readEnrolmentSettings } from './enrolment-settings.ts';

/** A person with sealed templates. */
interface SealedPerson {
  readonly userId: string;
  readonly userName: string;
  readonly template: Uint8Array;
  readonly crops: readonly Uint8Array[];
  readonly terms?: TermsUpdate | undefined;
}

interface ImportBatch {
  readonly embeddingSpec: string;
  readonly sealedWith: Uint8Array;
  readonly replace: boolean;
  readonly duplicates: 'ignore' | 'report' | 'refuse';
  readonly dryRun: boolean;
  readonly people: readonly SealedPerson[];
}

/**
 * What became of a person. Not written: `duplicate`, because the face looks like that of another person; `consent`, because the
 * gallery requires one.
 */
export interface ImportedPerson {
  readonly result: 'written' | 'duplicate' | 'consent' | EnrolRefusal;
  /** The other person of the gallery with this face, and the similarity. */
  readonly same: { readonly userId: string; readonly similarity: number } | null;
}

/**
 * Enrols people whose templates a command of the operator has computed and sealed. Each person is written in a
 * transaction. In the order of the batch where faces are compared, else together.
 * @param batch whose gallery exists
 */
export async function importSealed(
  parts: OperationParts,
  gallery: GalleryRecord,
  batch: ImportBatch,
): Promise<ImportedPerson[]> {
  const { duplicates, people } = batch;
  const settings = await readEnrolmentSettings(parts.store.meta);
  const policy = { keepFaceCrops: settings?.WAJAH_KEEP_FACE_CROPS ?? parts.config.keepFaceCrops };
  const target = { ...parts, policy };
  if (duplicates === 'ignore') {
    return Promise.all(people.map((person) => writePerson(target, gallery, batch, person)));
  }
  const find = createDuplicateProbe(parts, await parts.comparer());
  const results: ImportedPerson[] = [];
  for (const person of people) results.push(await writePerson(target, gallery, batch, person, find));
  return results;
}

interface Target extends Pick<OperationParts, 'store' | 'writer'> {
  /** Of the server, whose settings may be others than those of the command. */
  readonly policy: Parameters<typeof keepsCrops>[0];
}

async function writePerson(
  { store, writer, policy }: Target,
  gallery: GalleryRecord,
  { embeddingSpec, sealedWith, replace, duplicates, dryRun }: ImportBatch,
  { crops: [crop, ...moreCrops], ...person }: SealedPerson,
  probe?: DuplicateProbe,
): Promise<ImportedPerson> {
  let result: ImportedPerson['result'] = 'written';
  let same: ImportedPerson['same'] = null;
  const stored = gallery.requireConsent ? await store.people.get(gallery.id, person.userId) : null;
  const hasConsent = !lacksConsent(gallery, person.terms ?? {}, stored);
  const admits = async (now: GalleryRecord): Promise<boolean> => {
    same = probe ? await probe(now, person.userId, person.template) : null;
    if (same && duplicates === 'refuse') result = 'duplicate';
    else result = hasConsent ? 'written' : 'consent';
    return result === 'written' && !dryRun;
  };
  if (!probe && !(await admits(gallery))) return { result, same };
  const kept = keepsCrops(policy, gallery) ? { crop, moreCrops } : {};
  const face = { ...person, embeddingSpec, sealedWith, ...kept };
  const written = await writer
    .enrolSealed(gallery, face, replace, probe && admits)
    .catch((error: unknown) => {
      if (!(error instanceof Refusal)) throw error;
      if (error.status === 'galleryNotFound') return 'gone' as const;
      throw new OperatorError(error.detail, { cause: error });
    });
  return { result: typeof written === 'string' ? written : result, same };
}

type DuplicateProbe = ReturnType<typeof createDuplicateProbe>;

/** Finds the other person of a gallery who matches a sealed template, at the threshold of identification. */
function createDuplicateProbe({ store, vault, matcher, config }: OperationParts, engine: Comparer) {
  // Statistics are renewed by servers.
  const parts = { engine, vault, cohorts: noCohorts };
  const { verify = engine.threshold, identifyFpir } = config.thresholds;
  /** @returns null: nobody else @throws OperatorError of the store */
  return async (gallery: GalleryRecord, userId: string, sealed: Uint8Array) => {
    if (gallery.faces === 0) return null;
    const template = vault.gallery(gallery).open(userId, sealed);
    const { query, similarityOf } = galleryScores(parts, gallery).probe(template);
    // Two, because the best may be the person's own face.
    const found = await searchPresent(store, (most) => matcher.search(gallery, query, most), gallery, 2);
    const other = found.find((match) => match.userId !== userId);
    if (!other) return null;
    const similarity = similarityOf(other.score);
    const threshold = identificationThreshold(
      gallery.threshold ?? verify ?? engine.threshold,
      gallery.faces,
      identifyFpir,
    );
    return similarity >= threshold ? { userId: other.userId, similarity } : null;
  };
}
