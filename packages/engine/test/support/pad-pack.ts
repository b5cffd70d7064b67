import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { temporaryDirectory } from '../../../server/test/support/temporary.ts';
import { openEngineInThread } from '../../src/open.ts';
import { definitionOf } from '../../src/packs/catalog.ts';
import { installPack } from '../../src/packs/install/install.ts';
import type { Engine } from '../../src/types.ts';

/** The networks are not part of the repository. */
export const PAD_FILES = fileURLToPath(new URL('../../../../../shared/models', import.meta.url));

/** Whether the files of the PAD pack lie beside the repository. */
export const hasPadFiles = existsSync(PAD_FILES);

/** A folder of packs with the PAD pack. */
export async function installedPadPack(packsDir: string = temporaryDirectory()): Promise<string> {
  await installPack(await definitionOf('pad'), packsDir, { from: PAD_FILES });
  return packsDir;
}

/** An engine with the PAD pack, in the calling thread. Close it. */
export async function openPadEngine(): Promise<Engine> {
  const pack = { id: 'builtin', packsDir: await installedPadPack(), acceptNonCommercial: false };
  return openEngineInThread({ image: { maxBytes: 64 << 20, maxPixels: 100e6 }, pack });
}
