import { maxTemplates } from '@wajah/contract';
import { type Embedder, EngineError, faceOfCrop } from '@wajah/engine';
import { SealError } from '../../security/vaults/sealing.ts';
import { countTemplates, type GalleryVault } from '../../security/vaults/template-vault.ts';
import type { MigratedTemplate, PendingFace } from '../../store/ports.ts';

/** Converts a template of another pack to one of the present pack. */
export type TemplateUpgrade = (template: Float32Array) => Float32Array;

/** Access to the faces without a new template. */
export interface MigrationSteps {
  next(after: number, limit: number): Promise<PendingFace[]>;
  /** @returns false when another migration has started, or the gallery has another key */
  store(templates: readonly MigratedTemplate[]): Promise<boolean>;
}

/** A face that could not be re-embedded. */
export interface FailedFace {
  readonly userId: string;
  readonly seq: number;
  readonly why: string;
}

export interface ReembedResult {
  /** Faces that got a template. */
  readonly embedded: number;
  readonly failed: readonly FailedFace[];
  /** A migration to another pack has started and replaces this one, or the gallery was switched. */
  readonly superseded: boolean;
}

interface ReembedOptions {
  /** Faces processed at once. */
  readonly concurrency: number;
  /** Converts the present templates; null: they are of another pack. */
  readonly upgrade?: TemplateUpgrade | null;
  /** Called with the number of faces processed so far, failed ones included. */
  readonly progress?: (faces: number) => void;
}

/**
 * Makes a template of every face without a new one, also of faces enrolled while it runs: of its kept crops, or, where
 * the present template can be converted and there is no crop of each picture, of that. Each step is stored, so it can be
 * interrupted at any time and resumes when it is called again.
 * @param vault of the gallery
 * @throws EngineError `busy` | `deadline` | `closed` of the embedder
 */
export async function reembedFaces(
  steps: MigrationSteps,
  vault: GalleryVault,
  embedder: Pick<Embedder, 'analyze'>,
  { concurrency, upgrade = null, progress = () => undefined }: ReembedOptions,
): Promise<ReembedResult> {
  const failed: FailedFace[] = [];
  let embedded = 0;
  for (let after = 0; ; ) {
    const faces = await steps.next(after, concurrency);
    const last = faces.at(-1);
    if (!last) return { embedded, failed, superseded: false };
    const results = await Promise.all(faces.map((face) => migrateFace(face, vault, embedder, upgrade)));
    const templates = results.flatMap((result) => ('template' in result ? [result] : []));
    failed.push(...results.flatMap((result) => ('why' in result ? [result] : [])));
    if (!(await steps.store(templates))) return { embedded, failed, superseded: true };
    embedded += templates.length;
    progress(embedded + failed.length);
    after = last.seq;
  }
}

async function migrateFace(
  face: PendingFace,
  vault: GalleryVault,
  embedder: Pick<Embedder, 'analyze'>,
  upgrade: TemplateUpgrade | null,
): Promise<MigratedTemplate | FailedFace> {
  const { userId, seq, crops, template } = face;
  if (!upgrade) return embedFace(face, vault, embedder);
  const hasAll = crops.length > 0 && crops.length >= countTemplates(template);
  const embedded = hasAll ? await embedFace(face, vault, embedder) : null;
  if (embedded && 'template' in embedded) return embedded;
  return { userId, seq, template: upgradeSealed(vault, userId, template, upgrade) };
}

/**
 * @param sealed the templates of a person
 * @returns as many, converted and sealed; a damaged one as it is: it must not keep its gallery from the others
 */
function upgradeSealed(
  vault: GalleryVault,
  userId: string,
  sealed: Uint8Array,
  upgrade: TemplateUpgrade,
): Uint8Array {
  try {
    return vault.sealAll(userId, vault.openAll(userId, sealed).map(upgrade));
  } catch (error) {
    if (error instanceof SealError || error instanceof RangeError) return sealed;
    throw error;
  }
}

async function embedFace(
  { userId, seq, crops }: PendingFace,
  vault: GalleryVault,
  embedder: Pick<Embedder, 'analyze'>,
): Promise<MigratedTemplate | FailedFace> {
  if (crops.length === 0) return { userId, seq, why: 'no face crop is kept' };
  try {
    const templates: Float32Array[] = [];
    for (const crop of crops) {
      const template = await embed(vault.openCrop(userId, crop), embedder);
      if (template) templates.push(template);
    }
    if (templates.length === 0) return { userId, seq, why: 'the pack finds no face in the crop' };
    // A face may have more crops than templates, after an earlier migration that failed on some: the newest are used.
    return { userId, seq, template: vault.sealAll(userId, templates.slice(-maxTemplates)) };
  } catch (error) {
    const damaged = error instanceof SealError || (error instanceof EngineError && isPictureError(error));
    if (!damaged) throw error;
    return { userId, seq, why: 'the crop is damaged' };
  }
}

/** Faces that a crop may show: the person's own, and others in the background. */
const maxFaces = 4;

async function embed(
  crop: ReturnType<GalleryVault['openCrop']>,
  embedder: Pick<Embedder, 'analyze'>,
): Promise<Float32Array | undefined> {
  const request = { attributes: ['embedding'], maxFaces, search: 'fast' } as const;
  const { faces } = await embedder.analyze(crop.jpeg, request);
  return faceOfCrop(faces, crop)?.embedding;
}

function isPictureError({ code }: EngineError): boolean {
  return code === 'imageType' || code === 'imageBroken';
}
