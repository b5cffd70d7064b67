import { sampler } from '../../src/imaging/sampler.ts';
import { createPadFace, type PadModels, type PadSignal, type RgbPixels } from '../../src/pad/signal.ts';
import type { Box } from '../../src/types.ts';

/** The values of a PAD signal without networks for a face in a picture, by name. */
export async function signalOf(cue: PadSignal, pixels: RgbPixels, box: Box): Promise<Record<string, number>> {
  const { data, width, height } = pixels;
  const picture = { pixels: data, keptWidth: width, keptHeight: height, width, height, scale: 1 } as const;
  const none = {} as PadModels;
  const face = createPadFace(none, sampler(picture), pixels, box);
  const values = await cue.measure(face);
  if (values.length !== cue.values.length) throw new Error(`${cue.name}: ${values.length} values`);
  return Object.fromEntries(cue.values.map((name, i) => [name, values[i]!]));
}
