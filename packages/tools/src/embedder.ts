import { availableParallelism } from 'node:os';
import { type Embedder, openEmbedder, type PackChoice } from '@wajah/engine';
import {
  asOperatorError,
  type Config,
  createTemplateVault,
  type GalleryVault,
  OperatorError,
  requireOneMasterKey,
  SealError,
  type TemplateVault,
} from '@wajah/server/commands';
import { imageLimits, isEngineError } from '@wajah/server/faces';

const deadlineMs = 120_000;

/** An engine that computes templates for a command, and its number of worker processes. */
export interface CommandEmbedder {
  readonly embedder: Embedder;
  readonly workers: number;
}

/**
 * Starts the worker processes of a command.
 * @param perWorker pictures that wait or are analysed at once, for each worker
 * @throws OperatorError when the pack cannot be opened
 */
export async function openCommandEmbedder(
  { engine, limits }: Config,
  pack: PackChoice,
  perWorker: number,
): Promise<CommandEmbedder> {
  const workers = Math.min(engine.workers, availableParallelism());
  const options = {
    cacheDir: engine.cacheDir,
    image: imageLimits(limits),
    pack,
    workers,
    queue: perWorker * workers + 8,
    deadlineMs,
    launcher: engine.launcher,
  };
  return { embedder: await asOperatorError(() => openEmbedder(options), isEngineError), workers };
}

/** @throws OperatorError without the master key */
export function requireVault(config: Config): TemplateVault {
  const masterKeys = requireOneMasterKey(config);
  if (masterKeys) return createTemplateVault(...masterKeys);
  throw new OperatorError(
    'WAJAH_SECRET_KEY is not set, and the data directory holds no key: crops and templates are sealed under it',
  );
}

/** Bytes of base64, as JSON has them. */
export const bytesOf = (base64: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.from(base64, 'base64'));

/** The wrapped key of a gallery, in base64. */
interface SealedKey {
  readonly id: number;
  readonly clientId: string;
  readonly wrappedKey: string;
}

/** @throws OperatorError when the master key is another one */
export function openGalleryVault(vault: TemplateVault, gallery: SealedKey): GalleryVault {
  try {
    return vault.gallery({ ...gallery, wrappedKey: bytesOf(gallery.wrappedKey) });
  } catch (error) {
    if (!(error instanceof SealError)) throw error;
    throw new OperatorError(
      'WAJAH_SECRET_KEY (or secret.key of the data directory) is not the key that the galleries are sealed under',
      { cause: error },
    );
  }
}
