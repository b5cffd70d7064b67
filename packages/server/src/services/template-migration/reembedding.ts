import { type Embedder, EngineError, faceOfCrop } from '@wajah/engine';
import { SealError } from '../../security/vaults/sealing.ts';
import { type GalleryVault, maxTemplates } from '../../security/vaults/template-vault.ts';
import type { MigratedTemplate, PendingFace } from '../../store/crop-store.ts';

/** Where faces that wait come from and templates go to: the store itself, or over the admin socket. */
export interface ReembedSteps {
  next(after: number, limit: number): Promise<PendingFace[]>;
  keep(templates: readonly MigratedTemplate[]): Promise<boolean>;
}

/** Somebody of whom no template could be made, and why. */
export interface Unmade {
  readonly userId: string;
  readonly seq: number;
  readonly why: string;
}

/** What was done of a gallery. */
export interface ReembedResult {
  readonly made: number;
  readonly unmade: readonly Unmade[];
  /** Somebody else makes templates for another pack now. */
  readonly overtaken: boolean;
}

export interface ReembedOptions {
  /** Faces at a time. */
  readonly atOnce: number;
  /** Told how many faces were looked at, those that got none included. */
  readonly progress?: (faces: number) => void;
}

/**
 * Makes templates of the kept crops for everybody who has none, also for those who are enrolled meanwhile. What is made
 * is stored step by step, so it may be stopped at any moment and done again.
 * @param vault of the gallery
 * @throws EngineError `busy` | `deadline` | `closed` of the embedder
 */
export async function reembedFaces(
  steps: ReembedSteps,
  vault: GalleryVault,
  embedder: Pick<Embedder, 'analyze'>,
  { atOnce, progress = () => undefined }: ReembedOptions,
): Promise<ReembedResult> {
  const unmade: Unmade[] = [];
  let made = 0;
  for (let after = 0; ; ) {
    const faces = await steps.next(after, atOnce);
    const last = faces.at(-1);
    if (!last) return { made, unmade, overtaken: false };
    const results = await Promise.all(faces.map((face) => templateOf(face, vault, embedder)));
    const templates = results.flatMap((result) => ('template' in result ? [result] : []));
    unmade.push(...results.flatMap((result) => ('why' in result ? [result] : [])));
    if (!(await steps.keep(templates))) return { made, unmade, overtaken: true };
    made += templates.length;
    progress(made + unmade.length);
    after = last.seq;
  }
}

async function templateOf(
  { userId, seq, crops }: PendingFace,
  vault: GalleryVault,
  embedder: Pick<Embedder, 'analyze'>,
): Promise<MigratedTemplate | Unmade> {
  if (crops.length === 0) return { userId, seq, why: 'no face crop is kept' };
  try {
    const templates: Float32Array[] = [];
    for (const crop of crops) {
      const template = await embed(vault.openCrop(userId, crop), embedder);
      if (template) templates.push(template);
    }
    if (templates.length === 0) return { userId, seq, why: 'the pack finds no face in the crop' };
    // Who lost templates to a pack that did not find them may have got others since: the newest count.
    return { userId, seq, template: vault.sealAll(userId, templates.slice(-maxTemplates)) };
  } catch (error) {
    const damaged = error instanceof SealError || (error instanceof EngineError && isOfPicture(error));
    if (!damaged) throw error;
    return { userId, seq, why: 'the crop is damaged' };
  }
}

/** The person, and who may look over the person's shoulder. */
const looked = 4;

async function embed(
  crop: ReturnType<GalleryVault['openCrop']>,
  embedder: Pick<Embedder, 'analyze'>,
): Promise<Float32Array | undefined> {
  const request = { attributes: ['embedding'], maxFaces: looked, search: 'fast' } as const;
  const { faces } = await embedder.analyze(crop.jpeg, request);
  return faceOfCrop(faces, crop)?.embedding;
}

function isOfPicture({ code }: EngineError): boolean {
  return code === 'imageType' || code === 'imageBroken';
}
