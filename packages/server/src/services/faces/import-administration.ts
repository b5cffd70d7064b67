import type { Comparer } from '@wajah/engine';
import type { Config } from '../../config/config.ts';
import { OperatorError, Refusal } from '../../errors.ts';
import type { Matcher } from '../../matching/matcher.ts';
import type { TemplateVault } from '../../security/vaults/template-vault.ts';
import type { TermsUpdate } from '../../store/person-store.ts';
import type { EnrolRefusal, GalleryRecord, Store } from '../../store/store.ts';
import { noCohorts } from '../galleries/cohorts.ts';
import { galleryScores } from '../galleries/comparisons.ts';
import { withPresentKeys } from '../galleries/lookup.ts';
import { identificationThreshold } from '../galleries/thresholds.ts';
import type { FaceWriter } from './face-writer.ts';
import { lacksConsent } from './terms.ts';

interface Parts {
  readonly vault: TemplateVault;
  readonly matcher: Pick<Matcher, 'search'>;
  readonly store: Pick<Store, 'clients' | 'galleries' | 'faces' | 'crops' | 'people'>;
  readonly writer: Pick<FaceWriter, 'enrolSealed'>;
  readonly config: Pick<Config, 'thresholds'>;
  /** The comparison of templates, of the pack that a server would run; used for duplicates. */
  readonly comparer: () => Promise<Comparer>;
}

/** A person with sealed templates. */
interface SealedPerson {
  readonly userId: string;
  readonly userName: string;
  readonly template: Uint8Array;
  readonly crops: readonly Uint8Array[];
  readonly terms?: TermsUpdate | undefined;
}

interface ImportBatch {
  readonly clientId: string;
  readonly galleryId: string;
  readonly embeddingSpec: string;
  readonly sealedWith: Uint8Array;
  readonly replace: boolean;
  readonly duplicates: 'ignore' | 'report' | 'refuse';
  readonly dryRun: boolean;
  readonly people: readonly SealedPerson[];
}

/**
 * What became of a person. Not written: `duplicate`, because the face is that of another person; `consent`, because the
 * gallery requires one.
 */
export interface ImportedPerson {
  readonly result: 'written' | 'duplicate' | 'consent' | EnrolRefusal;
  /** The other person of the gallery with this face, and the similarity. */
  readonly same: { readonly userId: string; readonly similarity: number } | null;
}

export type ImportAdministration = ReturnType<typeof createImportAdministration>;

/** Enrols people whose templates a command of the operator has computed and sealed. */
export function createImportAdministration(parts: Parts) {
  const { store } = parts;
  let probe: Promise<DuplicateProbe> | undefined;
  return {
    /** @throws OperatorError without the client, without the gallery unless it is created, and without quota for it */
    prepare: (clientId: string, galleryId: string, create: boolean) =>
      prepare(parts, clientId, galleryId, create),

    /** user_ids of a gallery (internal number), in order, after one. */
    async list(gallery: number, after: string, limit: number): Promise<string[]> {
      return (await store.faces.list(gallery, { after, limit })).map(({ userId }) => userId);
    },

    /** People of a gallery (internal number) in order of user_id, after one, as they are stored. */
    async read(gallery: number, after: string, limit: number) {
      const people: (SealedPerson & { readonly embeddingSpec: string; readonly isSuspended: boolean })[] = [];
      for (const { userId } of await store.faces.list(gallery, { after, limit })) {
        const face = await store.faces.get(gallery, userId);
        if (!face) continue;
        const { userName, template, embeddingSpec } = face;
        const { consent, expiresAt, suspendedAt } = await store.people.get(gallery, userId);
        people.push({
          ...{ userId, userName, template, embeddingSpec, terms: { consent, expiresAt } },
          crops: await store.crops.get(gallery, userId),
          isSuspended: suspendedAt !== null,
        });
      }
      return people;
    },

    /**
     * Each person is written in a transaction. In the order of the batch where faces are compared, else together.
     * @throws OperatorError when the gallery is gone
     */
    async write(batch: ImportBatch): Promise<ImportedPerson[]> {
      const { clientId, galleryId, duplicates, people } = batch;
      const gallery = await store.galleries.get(clientId, galleryId);
      if (!gallery) throw noGallery(clientId, galleryId);
      if (duplicates === 'ignore') {
        return Promise.all(people.map((person) => writePerson(parts, gallery, batch, person)));
      }
      probe ??= parts.comparer().then((comparer) => createDuplicateProbe(parts, comparer));
      const find = await probe;
      const results: ImportedPerson[] = [];
      for (const person of people) results.push(await writePerson(parts, gallery, batch, person, find));
      return results;
    },
  };
}

async function prepare({ store, vault }: Parts, clientId: string, galleryId: string, create: boolean) {
  if (!(await store.clients.get(clientId))) {
    throw new OperatorError(`client_id: there is no client ${JSON.stringify(clientId)}; list the clients`);
  }
  const found = await store.galleries.get(clientId, galleryId);
  if (found) return { gallery: found, isNew: false };
  if (!create) throw noGallery(clientId, galleryId);
  const made = await store.galleries.create(clientId, galleryId, (id) => vault.wrapNewKey(clientId, id));
  if (typeof made !== 'string') return { gallery: made, isNew: true };
  throw new OperatorError(
    made === 'quota'
      ? `facegallery_id: ${clientId} may have no further gallery; raise its quota, or name one that it has`
      : `facegallery_id: somebody created ${JSON.stringify(galleryId)} at the same moment; try again`,
  );
}

async function writePerson(
  { store, writer }: Parts,
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
  const face = { ...person, embeddingSpec, sealedWith, crop, moreCrops };
  const written = await writer
    .enrolSealed(gallery, face, replace, probe && admits)
    .catch((error: unknown) => {
      if (!(error instanceof Refusal)) throw error;
      if (error.status === 'galleryNotFound') return 'gone' as const;
      throw new OperatorError(error.detail, { cause: error });
    });
  return { result: typeof written === 'string' ? written : result, same };
}

function noGallery(clientId: string, galleryId: string): OperatorError {
  return new OperatorError(
    `facegallery_id: ${clientId} has no gallery ${JSON.stringify(galleryId)}; name one that it has, or add --create-gallery`,
  );
}

type DuplicateProbe = ReturnType<typeof createDuplicateProbe>;

/** Finds the other person of a gallery who matches a sealed template, at the threshold of identification. */
function createDuplicateProbe({ store, vault, matcher, config }: Parts, engine: Comparer) {
  // Statistics are renewed by servers.
  const parts = { engine, vault, cohorts: noCohorts };
  const { verify = engine.threshold, identifyFpir } = config.thresholds;
  /** @returns null: nobody else @throws OperatorError of the store */
  return async (gallery: GalleryRecord, userId: string, sealed: Uint8Array) => {
    if (gallery.faces === 0) return null;
    return withPresentKeys(store, gallery, async (now) => {
      const template = vault.gallery(now).open(userId, sealed);
      const { query, similarityOf } = galleryScores(parts, now).probe(template);
      // Two, because the best may be the person's own face.
      const found = await matcher.search(now, query, 2);
      const other = found.find((match) => match.userId !== userId);
      if (!other) return null;
      const similarity = similarityOf(other.score);
      const threshold = identificationThreshold(
        now.threshold ?? verify ?? engine.threshold,
        now.faces,
        identifyFpir,
      );
      return similarity >= threshold ? { userId: other.userId, similarity } : null;
    });
  };
}
