import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEngineInThread } from '../../src/runtime/open.ts';
import type { Attribute, Engine, Face } from '../../src/types.ts';

let shared: Promise<Engine> | undefined;

/** The built-in pack in the calling thread, opened once a process. No test closes it. */
export function sharedEngine(): Promise<Engine> {
  shared ??= openTestEngine();
  return shared;
}

/** Another one, for a test that closes it. Converted models are kept in the directory for temporary files. */
export function openTestEngine(): Promise<Engine> {
  const cacheDir = join(tmpdir(), 'wajah-test-models');
  return openEngineInThread({ cacheDir, image: { maxBytes: 10 << 20, maxPixels: 50e6 } });
}

/** The face of a drawn picture. @throws Error when none is found */
export async function faceIn(
  engine: Engine,
  picture: Uint8Array,
  attributes: readonly Attribute[],
): Promise<Face> {
  const { faces } = await engine.analyze(picture, { attributes, maxFaces: 1, search: 'fast' });
  if (!faces[0]) throw new Error('no face was found in a drawn picture');
  return faces[0];
}
