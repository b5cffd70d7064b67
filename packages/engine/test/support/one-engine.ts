import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEngineInThread } from '../../src/runtime/open.ts';
import type { Attribute, Engine, Face } from '../../src/types.ts';

/** The built-in pack in the calling thread; converted models are kept from test to test. */
export function openTestEngine(): Promise<Engine> {
  const cacheDir = join(tmpdir(), 'wajah-test-models');
  return openEngineInThread({ cacheDir, image: { maxBytes: 20 << 20, maxPixels: 50e6 } });
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
