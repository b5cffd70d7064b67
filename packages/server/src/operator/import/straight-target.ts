import type { Config } from '../../config/config.ts';
import { OperatorError } from '../../errors.ts';
import { createKeyedQueue } from '../../lib/keyed-queue.ts';
import type { AdminOperations, OperationInput } from '../../operations/table.ts';
import type { GalleryVault } from '../../security/vaults/template-vault.ts';
import type { ImportedPerson } from '../../services/faces/import-administration.ts';
import {
  type EngineTemplates,
  embeddingSpecText,
  packName,
  upgradeOf,
} from '../../services/galleries/embedding-spec.ts';
import { type CommandEmbedder, openGalleryVault, requireVault, toBase64 } from '../embedder.ts';
import { createBatching } from './batching.ts';
import type { ImportOutcome, ImportPerson, ImportPicture } from './people.ts';
import { type AnalysedPicture, analysePicture, type PictureRules } from './picture-analysis.ts';
import { createLimit, type ImportTarget, skipped } from './run.ts';

/** What an import into a gallery of this installation is told. */
export interface StraightOptions {
  readonly clientId: string;
  readonly galleryId: string;
  readonly create: boolean;
  readonly replace: boolean;
  readonly duplicates: 'ignore' | 'report' | 'refuse';
  readonly dryRun: boolean;
  readonly rules: PictureRules;
}

type SealedPerson = OperationInput<'importPeople'>['people'][number];
type Gallery = Awaited<ReturnType<AdminOperations['prepareImport']>>;

/** People written together; fewer where they have more than `countedCrops` crops each. */
const batchPeople = 32;
const countedCrops = 5;
/** Pictures that are read or analysed at once, for each worker of the engine: one waits while another is analysed. */
export const picturesPerWorker = 3;
const pagePeople = 10_000;

/**
 * A gallery of this installation: templates are computed in this process and written by the one that owns the store.
 * @throws OperatorError without client or gallery, when the gallery is of another pack, or requires liveness
 */
export async function openStraightTarget(
  config: Config,
  operations: AdminOperations,
  { embedder, workers }: CommandEmbedder,
  options: StraightOptions,
): Promise<ImportTarget> {
  const { clientId, galleryId, create, dryRun, replace, duplicates } = options;
  const vault = requireVault(config);
  const gallery = await operations.prepareImport({ clientId, galleryId, create: create && !dryRun });
  const embeddingSpec = embeddingSpecText(embedder.embeddingSpec);
  requireImportable(gallery, embedder);
  const sealing = openGalleryVault(vault, gallery);
  const { wrappedKey } = gallery;
  const write = createBatching(
    batchPeople,
    (people: readonly SealedPerson[]) =>
      operations.importPeople({
        ...{ clientId, galleryId, embeddingSpec, wrappedKey, replace, duplicates, dryRun },
        people: [...people],
      }),
    ({ crops }) => Math.max(1, crops.length / countedCrops),
  );
  const limit = createLimit(picturesPerWorker * workers);
  // Of two people with one face, the first of the source is enrolled.
  const inOrder = createKeyedQueue<null>();
  return {
    // A batch waits to be written while others are analysed.
    parallel: picturesPerWorker * workers + 2 * batchPeople,
    enrolled: () => enrolledIn(operations, gallery.id),
    async enrol(person) {
      const analysed = person.pictures.map(async (picture) => ({
        picture,
        found: await limit(() => analysePicture(embedder, picture, options.rules)),
      }));
      const ready = Promise.all(analysed);
      // Its turn, which reports a failure, may come later.
      ready.catch(() => undefined);
      const pictures = await inOrder.run(null, () => ready);
      const good = pictures.flatMap(({ found }) => ('template' in found ? [found] : []));
      if (good.length === 0) return outcomesFor(person, pictures, null, dryRun);
      const imported = await write.add(sealPerson(sealing, person, good));
      return outcomesFor(person, pictures, imported, dryRun);
    },
    close: () => write.flush(),
  };
}

function requireImportable(
  { galleryId, embeddingSpec, requireLiveness }: Gallery,
  engine: EngineTemplates,
): void {
  const spec = embeddingSpecText(engine.embeddingSpec);
  if (requireLiveness) {
    throw new OperatorError(
      `${galleryId} requires a liveness token for each enrolment, which stored pictures do not have; make liveness optional for the time of the import (wajah gallery set-liveness)`,
    );
  }
  if (embeddingSpec === null || embeddingSpec === spec) return;
  const remedy = upgradeOf(engine, embeddingSpec)
    ? 'import when the server has converted them: it does so when it starts, or at the first call on the gallery where servers share a database'
    : 'import into another gallery, or migrate this one (wajah reembed)';
  throw new OperatorError(
    `${galleryId} has templates of the pack ${packName(embeddingSpec)}, this installation runs ${packName(spec)}; ${remedy}`,
  );
}

async function enrolledIn(operations: AdminOperations, gallery: number): Promise<Set<string>> {
  const people = new Set<string>();
  for (let after = ''; ; ) {
    const page = await operations.listPeople({ gallery, after, limit: pagePeople });
    for (const userId of page) people.add(userId);
    const last = page.at(-1);
    if (last === undefined || page.length < pagePeople) return people;
    after = last;
  }
}

function sealPerson(
  vault: GalleryVault,
  { userId, userName, terms }: ImportPerson,
  pictures: readonly AnalysedPicture[],
): SealedPerson {
  const templates = pictures.map(({ template }) => template);
  const crops = pictures.flatMap(({ crop }) => (crop ? [toBase64(vault.sealCrop(userId, crop))] : []));
  return {
    userId,
    userName,
    template: toBase64(vault.sealAll(userId, templates)),
    crops,
    ...(terms && { terms }),
  };
}

/** @param imported null: every picture was refused */
function outcomesFor(
  person: ImportPerson,
  pictures: readonly { picture: ImportPicture; found: AnalysedPicture | { reason: string } }[],
  imported: ImportedPerson | null,
  dryRun: boolean,
): ImportOutcome[] {
  if (imported?.result === 'exists') return skipped(person);
  const verdict = imported && verdictOf(imported, dryRun);
  return pictures.map(({ picture: { file }, found }) => {
    const refused = { status: 'refused', reason: 'reason' in found ? found.reason : '' } as const;
    return { person: person.userId, file, ...('reason' in found || !verdict ? refused : verdict) };
  });
}

function verdictOf(
  { result, same }: ImportedPerson,
  dryRun: boolean,
): Pick<ImportOutcome, 'status' | 'reason'> {
  const reason = same
    ? `the face is that of ${JSON.stringify(same.userId)} (similarity ${same.similarity.toFixed(4)})`
    : '';
  switch (result) {
    case 'written':
      return { status: dryRun ? 'valid' : 'enrolled', reason };
    case 'duplicate':
      return { status: 'duplicate', reason };
    case 'consent':
      return {
        status: 'refused',
        reason: 'the gallery requires a consent; give it in a CSV file, or record it (wajah person update)',
      };
    case 'suspended':
      return { status: 'refused', reason: 'the person is suspended; wajah person resume ends it' };
    case 'quota':
      throw new OperatorError(
        'the client has used up its quota of faces; raise it (wajah client set-quota) and import again',
      );
    case 'changed':
      throw new OperatorError(
        'the key of the gallery was replaced meanwhile; import again, enrolled people are skipped',
      );
    case 'embedding-spec':
      throw new OperatorError(
        'the gallery has templates of another pack meanwhile; nothing more is imported',
      );
    default:
      throw new OperatorError('the gallery was deleted meanwhile');
  }
}
