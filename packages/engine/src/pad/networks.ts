import type { Crop } from '../imaging/sampler.ts';
import type { Model } from '../runtime/model.ts';
import { infer } from '../stages/infer.ts';
import type { Box } from '../types.ts';
import {
  type Beyond,
  bilinearCrop,
  filteredCrop,
  grownInside,
  headBox,
  mirroredCrop,
  type RgbPixels,
  scaled,
  squareAround,
} from './crops.ts';

/** A face whose presentation is judged. */
export interface PadFace {
  /** Of the face, pixels of the full-size picture. */
  readonly box: Box;
  /** The picture, perhaps at a smaller size. */
  readonly pixels: RgbPixels;
  /** The box in `pixels`. */
  readonly pixelBox: Box;
  /** Shorter side of the picture over the longer side of the head's box: `TIGHT` in a tight crop. */
  readonly room: number;
}

/** `room` below which a picture shows little but the head. */
export const TIGHT = 1;

/**
 * @param width of the full-size picture
 * @param box of the face, pixels of that picture
 */
export function padFace(width: number, pixels: RgbPixels, box: Box): PadFace {
  const by = pixels.width / width;
  const pixelBox = { x: box.x * by, y: box.y * by, width: box.width * by, height: box.height * by };
  const head = headBox(pixelBox);
  const room = Math.min(pixels.width, pixels.height) / Math.max(head.width, head.height, 1);
  return { box, pixels, pixelBox, room };
}

/** Log odds (natural logarithm) of a presentation attack, −MOST…MOST. */
export interface PadOdds {
  /** Of the near network, which looks at the face and its surroundings. */
  readonly near: number;
  /** Of the close network, which looks at the face. */
  readonly close: number;
}

/** Cap of each run's log odds: the networks are often confident and wrong. */
export const MOST = 4;

/** Part of the near crop that is judged as well, mirrored. */
const AGAIN = 0.85;

/**
 * Mean of two crops: the answer depends on the place of the crop, and the mean less so. Crops are cut and resampled as in
 * the training of the network (minivision-ai/Silent-Face-Anti-Spoofing, `src/generate_patches.py`): resampling without
 * low-pass filtering is part of what it learned, since it keeps the aliases of rasters.
 */
export async function nearOdds(model: Model, { pixels, pixelBox }: PadFace): Promise<number> {
  const box = headBox(pixelBox);
  const cropOf = (part: Box) => {
    const { width, height } = model.spec.input;
    return bilinearCrop(pixels, grownInside(pixels, part, model.spec.crop ?? 1), width, height);
  };
  const first = await minifasnetOdds(model, cropOf(box));
  const again = await minifasnetOdds(model, mirroredCrop(cropOf(scaled(box, AGAIN))));
  return (first + again) / 2;
}

async function minifasnetOdds(model: Model, crop: Crop): Promise<number> {
  // The second of the three classes is a bona fide face.
  const [print, bonaFide, replay] = (await infer(model, [crop]))('classes');
  const most = Math.max(print!, replay!);
  const attack = most + Math.log(Math.exp(print! - most) + Math.exp(replay! - most));
  return capped(attack - bonaFide!);
}

/**
 * The square around the head is filtered where it shrinks, as in the training of the network
 * (johnraivenolazo/face-antispoof-onnx, `src/inference/preprocess.py`): unfiltered, as the near one wants it, the ROC area on
 * `dev` is lower by 0.015.
 */
export async function closeOdds(
  model: Model,
  { pixels, pixelBox }: PadFace,
  beyond: Beyond,
): Promise<number> {
  const square = squareAround(headBox(pixelBox), model.spec.crop ?? 1);
  const crop = filteredCrop(pixels, square, model.spec.input.width, beyond);
  // The first of the two classes is a bona fide face.
  const [bonaFide, attack] = (await infer(model, [crop]))('classes');
  return capped(attack! - bonaFide!);
}

const capped = (odds: number) => Math.max(-MOST, Math.min(MOST, odds));
