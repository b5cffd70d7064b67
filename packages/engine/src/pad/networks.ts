import type { Crop, Sampler } from '../imaging/sampler.ts';
import type { Model, PadNetworks } from '../runtime/model.ts';
import { infer } from '../stages/infer.ts';
import type { Box } from '../types.ts';
import {
  type Beyond,
  bilinearCrop,
  filteredCrop,
  grownInside,
  headBox,
  isInside,
  mirroredCrop,
  type RgbPixels,
  scaled,
  squareAround,
} from './crops.ts';

/** A face whose presentation is judged. */
export interface PadFace {
  /** Cuts crops out of the full-size picture. */
  readonly from: Sampler;
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

/** `room` from which on the surroundings of a head are seen. */
const OPEN = 1.6;

/** @param box of the face, pixels of the full-size picture */
export function padFace(from: Sampler, pixels: RgbPixels, box: Box): PadFace {
  const by = pixels.width / from.width;
  const pixelBox = { x: box.x * by, y: box.y * by, width: box.width * by, height: box.height * by };
  const head = headBox(pixelBox);
  const room = Math.min(pixels.width, pixels.height) / Math.max(head.width, head.height, 1);
  return { from, box, pixels, pixelBox, room };
}

/** Log odds (natural logarithm) of a presentation attack, −MOST…MOST. */
export interface PadOdds {
  /** Of the near network, which looks at the face and its surroundings. */
  readonly near: number;
  /** Of the close network, which looks at the face. */
  readonly close: number;
}

/** How much of its surroundings a face is shown with, 0 (a tight crop) to 1. @param room see `PadFace` */
export function shareOfRoom(room: number): number {
  return Math.max(0, Math.min(1, (room - TIGHT) / (OPEN - TIGHT)));
}

/** Cap of each run's log odds: the networks are often confident and wrong. */
export const MOST = 4;

/** Part of the near crop that is judged as well, mirrored. */
const AGAIN = 0.85;

/**
 * Runs the networks on the crops that each was trained with. Beyond the picture the close crop is mirrored, as in the training
 * of its network; beyond a tight crop, where that repeats half a face, it is black.
 */
export async function measurePad(networks: PadNetworks, face: PadFace): Promise<PadOdds> {
  const close = await closeOdds(networks.close, face, face.room < TIGHT ? 'black' : 'mirrored');
  return { near: await nearOdds(networks.near, face), close };
}

/**
 * Mean of two crops: the answer depends on the place of the crop, and the mean less so. Crops are cut and resampled as in
 * the training of the network (minivision-ai/Silent-Face-Anti-Spoofing, `src/generate_patches.py`): resampling without
 * low-pass filtering is part of what it learned, since it keeps the aliases of rasters.
 */
async function nearOdds(model: Model, { pixels, pixelBox }: PadFace): Promise<number> {
  const box = headBox(pixelBox);
  const first = await minifasnetOdds(model, cropOf(model, pixels, box));
  const again = await minifasnetOdds(model, mirroredCrop(cropOf(model, pixels, scaled(box, AGAIN))));
  return (first + again) / 2;
}

function cropOf({ spec }: Model, pixels: RgbPixels, box: Box): Crop {
  const { width, height } = spec.input;
  return bilinearCrop(pixels, grownInside(pixels, box, spec.crop ?? 1), width, height);
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
export async function closeOdds(model: Model, face: PadFace, beyond: Beyond): Promise<number> {
  const crop = filteredCrop(face.pixels, closeSquare(model, face), model.spec.input.width, beyond);
  // The first of the two classes is a bona fide face.
  const [bonaFide, attack] = (await infer(model, [crop]))('classes');
  return capped(attack! - bonaFide!);
}

/** Whether the close crop reaches beyond the picture. */
export function reachesBeyond({ close }: PadNetworks, face: PadFace): boolean {
  return !isInside(closeSquare(close, face), face.pixels);
}

const closeSquare = ({ spec }: Model, { pixelBox }: PadFace) =>
  squareAround(headBox(pixelBox), spec.crop ?? 1);

const capped = (odds: number) => Math.max(-MOST, Math.min(MOST, odds));
