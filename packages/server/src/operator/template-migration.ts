import { availableParallelism, constants, setPriority } from 'node:os';
import { type Embedder, openEmbedder } from '@wajah/engine';
import type { CarriedGallery } from '../admin/migration-inputs.ts';
import type { AdminOperations } from '../admin/operations.ts';
import type { Config } from '../config/config.ts';
import { OperatorError } from '../errors.ts';
import { findMasterKey } from '../security/keys/master-key.ts';
import { SealError } from '../security/vaults/sealing.ts';
import { createTemplateVault, type GalleryVault } from '../security/vaults/template-vault.ts';
import { contractText } from '../services/galleries/lookup.ts';
import {
  type ReembedResult,
  type ReembedSteps,
  reembedFaces,
} from '../services/template-migration/reembedding.ts';
import { asOperator } from './as-operator.ts';

/** Opens galleries and makes templates with a pack, apart from the server. */
export interface Reembedder {
  /** The contract (JSON) of its templates. */
  readonly contract: string;
  /**
   * Makes what is missing of a gallery's templates.
   * @param progress told how many faces were looked at
   */
  reembed(
    operations: AdminOperations,
    gallery: CarriedGallery,
    progress: (faces: number) => void,
  ): Promise<ReembedResult>;
  close(): Promise<void>;
}

const deadlineMs = 120_000;

/**
 * Loads a pack to make templates with. The process steps back behind the server, if one runs here.
 * @param pack name of an installed pack, or `builtin`
 * @throws OperatorError without the key, or when the pack cannot be opened
 */
export async function openReembedder(
  { dataDir, secretKey, engine, limits, packs }: Config,
  pack: string,
): Promise<Reembedder> {
  const masterKey = findMasterKey(dataDir, secretKey);
  if (masterKey === null) {
    throw new OperatorError(
      'WAJAH_SECRET_KEY is not set, and the data directory holds no key: crops and templates are sealed under it',
    );
  }
  const vault = createTemplateVault(masterKey);
  setPriority(constants.priority.PRIORITY_LOW);
  const workers = Math.min(engine.workers, availableParallelism());
  const embedder = await asOperator(() =>
    openEmbedder({
      cacheDir: engine.cacheDir,
      image: { maxBytes: limits.imageBytes, maxPixels: limits.imagePixels },
      pack: { id: pack, packsDir: packs.folder, acceptNonCommercial: packs.acceptNonCommercial },
      workers,
      queue: 2 * workers + 8,
      deadlineMs,
    }),
  );
  const contract = contractText(embedder.embeddingSpec);
  return {
    contract,
    reembed: (operations, gallery, progress) =>
      reembedGallery(operations, gallery, contract, vaultOf(vault, gallery), embedder, {
        atOnce: 2 * workers,
        progress,
      }),
    close: () => embedder.close(),
  };
}

function vaultOf(vault: ReturnType<typeof createTemplateVault>, gallery: CarriedGallery): GalleryVault {
  try {
    return vault.gallery({
      ...gallery,
      wrappedKey: new Uint8Array(Buffer.from(gallery.wrappedKey, 'base64')),
    });
  } catch (error) {
    if (!(error instanceof SealError)) throw error;
    throw new OperatorError(
      'WAJAH_SECRET_KEY (or secret.key of the data directory) is not the key that the galleries are sealed under',
      { cause: error },
    );
  }
}

function reembedGallery(
  operations: AdminOperations,
  { id: gallery }: CarriedGallery,
  contract: string,
  vault: GalleryVault,
  embedder: Embedder,
  options: { atOnce: number; progress: (faces: number) => void },
): Promise<ReembedResult> {
  const steps: ReembedSteps = {
    next: async (after, limit) =>
      (await operations.nextFaces({ gallery, contract, after, limit })).map(({ userId, seq, crops }) => ({
        userId,
        seq,
        crops: crops.map((crop) => new Uint8Array(Buffer.from(crop, 'base64'))),
      })),
    keep: (templates) =>
      operations.keepTemplates({
        gallery,
        contract,
        templates: templates.map(({ userId, seq, template }) => ({
          userId,
          seq,
          template: template && Buffer.from(template).toString('base64'),
        })),
      }),
  };
  return asOperator(() => reembedFaces(steps, vault, embedder, options));
}
