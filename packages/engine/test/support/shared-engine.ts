import { openEngineInThread } from '../../src/open.ts';
import type { OpenPack } from '../../src/runtime/open-pack.ts';
import { openPack } from '../../src/training.ts';
import type { Attribute, Engine, Face } from '../../src/types.ts';
import { keptInRun } from './kept-results.ts';

let shared: Promise<Engine> | undefined;

/**
 * The built-in pack in the calling thread, opened once a process. A picture that several tests send is analysed once in a
 * run. No test closes it.
 */
export function sharedEngine(): Promise<Engine> {
  shared ??= openTestEngine().then(withKeptResults);
  return shared;
}

function withKeptResults(engine: Engine): Engine {
  return {
    ...engine,
    analyze(image, request, options) {
      const analyze = () => engine.analyze(image, request, options);
      const isOver = options?.signal?.aborted || (options?.deadline ?? Number.POSITIVE_INFINITY) < Date.now();
      return isOver ? analyze() : keptInRun(['analysis', image, JSON.stringify(request)], analyze);
    },
  };
}

let pack: Promise<OpenPack> | undefined;

/** The built-in pack without an engine around it, as `sharedEngine`. */
export function sharedPack(): Promise<OpenPack> {
  pack ??= openPack();
  return pack;
}

/** Another engine, for a test that closes it. */
export function openTestEngine(): Promise<Engine> {
  return openEngineInThread({ image: { maxBytes: 10 << 20, maxPixels: 50e6 } });
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
