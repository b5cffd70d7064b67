import { statuses } from '@wajah/contract';
import { phrase } from '@wajah/contract/refusals';
import {
  type Attribute,
  type Comparer,
  type Embedder,
  type FaceCrop,
  faceOfCrop,
  openComparer,
} from '@wajah/engine';
import {
  type AdminOperations,
  asOperatorError,
  type Config,
  createKeyedQueue,
  type GalleryVault,
  type OperationInput,
  OperatorError,
  packChoice,
  Refusal,
} from '@wajah/server/commands';
import {
  describeFace,
  type EngineTemplates,
  embeddingSpecText,
  type ImportedPerson,
  imageField,
  isEngineError,
  mainFace,
  packName,
  refusalOf,
  requireFaces,
  requireQuality,
  requireSize,
  templateOf,
  upgradeOf,
} from '@wajah/server/faces';
import { type CommandEmbedder, openGalleryVault, requireVault, toBase64 } from '../embedder.ts';
import { agreementOf, differsFrom, otherFace } from './agreement.ts';
import {
  type ExportedFace,
  type ImportOutcome,
  type ImportPerson,
  type ImportPicture,
  unreadable,
} from './people.ts';
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
  const comparer = options.rules.sameFace ? await comparerFor(config, gallery) : null;
  const { wrappedKey } = gallery;
  const ofAll = { clientId, galleryId, embeddingSpec, wrappedKey, replace, duplicates, dryRun };
  const write = createBatching(
    batchPeople,
    (people: readonly SealedPerson[]) => operations.importPeople({ ...ofAll, people: [...people] }),
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
      const analysedPictures = await inOrder.run(null, () => ready);
      const pictures = comparer
        ? withoutOthers(analysedPictures, comparer, gallery.threshold ?? comparer.threshold)
        : analysedPictures;
      const good = pictures.flatMap(({ found }) => ('template' in found ? [found] : []));
      if (good.length === 0) return outcomesFor(person, pictures, null, dryRun);
      const imported = await write.add(sealPerson(sealing, person, good));
      return outcomesFor(person, pictures, imported, dryRun);
    },
    close: () => write.flush(),
  };
}

/** The comparison of the pictures of a person. */
async function comparerFor({ engine, packs }: Config, { calibration }: Gallery): Promise<Comparer> {
  const ofServer = calibration === null ? undefined : JSON.parse(calibration);
  const open = async () =>
    openComparer({ cacheDir: engine.cacheDir, pack: await packChoice(packs), calibration: ofServer });
  return asOperatorError(open, isEngineError);
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
    ? 'import when a server has converted them: it does so when it starts'
    : 'import into another gallery, or migrate this one (wajah reembed)';
  throw new OperatorError(
    `${galleryId} has templates of the pack ${packName(embeddingSpec)}, this installation runs ${packName(spec)}; ${remedy}`,
  );
}

async function enrolledIn(operations: AdminOperations, gallery: number): Promise<Map<string, string>> {
  const people = new Map<string, string>();
  for (let after = ''; ; ) {
    const page = await operations.listPeople({ gallery, after, limit: pagePeople });
    for (const { userId, userName } of page) people.set(userId, userName);
    const last = page.at(-1)?.userId;
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

/** A picture and its template, or why it has none. */
interface FoundFace {
  readonly picture: ImportPicture;
  readonly found: AnalysedPicture | LeftOut;
}

/** Why a picture is left out. */
interface LeftOut {
  readonly reason: string;
  readonly kind: string;
}

/** Leaves pictures out that do not show whom the person's other ones show. Those of an export were enrolled together. */
function withoutOthers(
  pictures: readonly FoundFace[],
  { similarity }: Comparer,
  threshold: number,
): readonly FoundFace[] {
  const faces = pictures.flatMap(({ picture, found }) =>
    'template' in found && !picture.exported ? [{ picture, template: found.template }] : [],
  );
  const agreements = agreementOf(
    faces.length,
    (a, b) => similarity(faces[a]!.template, faces[b]!.template),
    threshold,
  );
  const someAgree = agreements.some(({ agrees }) => agrees);
  const reasons = new Map<ImportPicture, string>();
  for (const [index, { agrees, nearest }] of agreements.entries()) {
    if (agrees || !nearest) continue;
    const other = faces[nearest.index]!.picture.file;
    reasons.set(faces[index]!.picture, differsFrom(other, nearest.similarity, threshold, someAgree));
  }
  return pictures.map((one) => {
    const reason = reasons.get(one.picture);
    return reason === undefined ? one : { ...one, found: { reason, kind: otherFace } };
  });
}

/** @param imported null: every picture was refused */
function outcomesFor(
  person: ImportPerson,
  pictures: readonly FoundFace[],
  imported: ImportedPerson | null,
  dryRun: boolean,
): ImportOutcome[] {
  if (imported?.result === 'exists') return skipped(person);
  const verdict = imported && verdictOf(imported, dryRun);
  return pictures.map(({ picture: { file }, found }) => {
    const refused = 'reason' in found ? ({ status: 'refused', ...found } as const) : verdict;
    return { person: person.userId, file, ...(refused ?? { status: 'refused', reason: '' }) };
  });
}

/** A similarity is no proof that both are one person. */
const duplicateRemedies =
  'same person: add the picture to that user_id (enroll-face with append: true); different people: import again without --duplicates refuse';

function verdictOf(
  { result, same }: ImportedPerson,
  dryRun: boolean,
): Pick<ImportOutcome, 'status' | 'reason' | 'kind'> {
  const reason = same
    ? `the face looks like that of ${JSON.stringify(same.userId)} (similarity ${same.similarity.toFixed(4)})`
    : '';
  switch (result) {
    case 'written':
      return { status: dryRun ? 'valid' : 'enrolled', reason };
    case 'duplicate':
      return {
        status: 'duplicate',
        reason: `${reason}; ${duplicateRemedies}`,
        kind: 'the face looks like that of another user_id',
      };
    case 'consent':
      return {
        status: 'refused',
        reason:
          'the gallery requires a consent; give it in a CSV file, or, of a person who is enrolled, record it (wajah person update)',
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

/** Longest wait of a batch for further items, milliseconds. */
const maxWaitMs = 250;

/**
 * Collects items that are written together: a batch is written when it is full, or some time after its first item, or
 * by `flush`. One batch at a time.
 * @param most size of a full batch
 * @param write answers for each item, in order
 * @param sizeOf an item, default 1
 */
function createBatching<Item, Answer>(
  most: number,
  write: (items: readonly Item[]) => Promise<readonly Answer[]>,
  sizeOf: (item: Item) => number = () => 1,
) {
  interface Waiting {
    readonly item: Item;
    resolve(answer: Answer): void;
    reject(error: unknown): void;
  }
  let waiting: Waiting[] = [];
  let size = 0;
  let timer: NodeJS.Timeout | undefined;
  let last: Promise<void> = Promise.resolve();

  const writeBatch = async (batch: readonly Waiting[]) => {
    try {
      const answers = await write(batch.map(({ item }) => item));
      for (const [index, one] of batch.entries()) one.resolve(answers[index] as Answer);
    } catch (error) {
      for (const one of batch) one.reject(error);
    }
  };
  const flush = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    const batch = waiting;
    waiting = [];
    size = 0;
    if (batch.length > 0) last = last.then(() => writeBatch(batch));
    return last;
  };
  return {
    add: (item: Item) =>
      new Promise<Answer>((resolve, reject) => {
        waiting.push({ item, resolve, reject });
        size += sizeOf(item);
        if (size >= most) void flush();
        else timer ??= setTimeout(flush, maxWaitMs);
      }),
    flush,
  };
}

/** What a picture must be to be imported: the rules of an enrolment. */
export interface PictureRules {
  /** Least size of the face, pixels; 0: none. */
  readonly minimumFace: number;
  /** Whether several pictures of a person must show the same face. */
  readonly sameFace: boolean;
  readonly singleFace: boolean;
  readonly quality: boolean;
  readonly keepCrops: boolean;
}

export interface AnalysedPicture {
  readonly template: Float32Array;
  readonly crop: FaceCrop | undefined;
}

/** Faces that a crop may show: the person's own, and others in the background. */
const facesOfCrop = 4;

/** Computes the template of a picture's main face, or takes the exported one. @returns why not, as a sentence */
async function analysePicture(
  embedder: Pick<Embedder, 'analyze'>,
  picture: ImportPicture,
  rules: PictureRules,
): Promise<AnalysedPicture | LeftOut> {
  const bytes = picture.exported
    ? new Uint8Array()
    : await picture.read().catch((error: Error) => ({ reason: error.message, kind: unreadable }));
  if ('reason' in bytes) return bytes;
  try {
    if (picture.exported) return await takeExported(embedder, picture.exported, rules);
    const analysis = await embedder.analyze(bytes, requestOf(rules)).catch((error: unknown) => {
      throw refusalOf(error, imageField);
    });
    const face = mainFace(analysis, imageField.name);
    const subject = describeFace(analysis, imageField.name);
    requireSize(face, subject, rules.minimumFace, phrase('orForceImport'));
    if (rules.singleFace) requireFaces(analysis.boxes, imageField.name, 1);
    if (rules.quality) requireQuality(face, subject, rules.minimumFace === 0 ? ['size'] : []);
    return { template: templateOf(face), crop: face.crop };
  } catch (error) {
    // The engine is busy or closed: no fault of the picture.
    if (!(error instanceof Refusal) || error.status === 'busy') throw error;
    return { reason: error.detail, kind: statuses[error.status].message };
  }
}

/** @returns the template, or one of the kept crop where it is of another pack */
async function takeExported(
  embedder: Pick<Embedder, 'analyze'>,
  { template, crop }: ExportedFace,
  { keepCrops }: PictureRules,
): Promise<AnalysedPicture | LeftOut> {
  const kept = keepCrops && crop ? crop : undefined;
  if (template) return { template, crop: kept };
  if (!crop) return leftOut('the template is of another pack, and no crop was kept');
  const request = { attributes: ['embedding'], maxFaces: facesOfCrop, search: 'fast' } as const;
  const { faces } = await embedder.analyze(crop.jpeg, request).catch((error: unknown) => {
    throw refusalOf(error, imageField);
  });
  const found = faceOfCrop(faces, crop)?.embedding;
  return found ? { template: found, crop: kept } : leftOut('the pack finds no face in the kept crop');
}

const leftOut = (reason: string): LeftOut => ({ reason, kind: reason });

function requestOf({ minimumFace, quality, keepCrops }: PictureRules) {
  const attributes: Attribute[] = ['embedding'];
  if (quality) attributes.push('quality');
  if (keepCrops) attributes.push('crop');
  return { attributes, maxFaces: 1, search: 'fast', minFaceSize: Math.max(1, minimumFace) } as const;
}
