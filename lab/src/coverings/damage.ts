import sharp from 'sharp';
import type { Random } from '../recapture/random.ts';
import { type Pixels, raw, rgb } from './pixels.ts';

/** What leaves so little of a face that strangers look alike. */
export type Damage = 'blurred' | 'dark' | 'squeezed';

/** @param width of the face, pixels @param random the same random numbers damage alike */
export function damaged(damage: Damage, picture: Pixels, width: number, random: Random): Promise<Pixels> {
  return { blurred, dark, squeezed }[damage](picture, width, random);
}

/** Of a camera that moves while the shutter is open, or that is out of focus. */
function blurred(picture: Pixels, width: number, random: Random): Promise<Pixels> {
  const image = sharp(picture.data, raw(picture));
  if (random.chance(0.25)) return rgb(image.blur(width * random.between(0.035, 0.07)));
  const length = width * random.between(0.14, 0.3);
  const turn = random.chance(0.4) ? 0 : random.between(0, Math.PI);
  return rgb(image.convolve(streak(length, turn)));
}

/** A kernel that smears along a line. @param length pixels @param turn radians */
function streak(length: number, turn: number) {
  const reach = Math.max(1, Math.ceil(length / 2));
  const side = 2 * reach + 1;
  const kernel: number[] = new Array(side * side).fill(0);
  const steps = 20 * side;
  for (let step = 0; step <= steps; step++) {
    const along = (step / steps - 0.5) * length;
    const [x, y] = [Math.cos(turn), Math.sin(turn)].map((part) => Math.round(reach + along * part));
    kernel[y! * side + x!]! += 1;
  }
  return { width: side, height: side, kernel };
}

/** With the noise of a sensor that sees hardly any light. */
async function dark({ data, info }: Pixels, _width: number, random: Random): Promise<Pixels> {
  const [gain, noise] = [random.between(0.03, 0.08), random.between(1, 3.5)];
  const left = data.map((value) => Math.max(0, Math.min(255, value * gain + noise * random.normal())));
  return { data: Buffer.from(left), info };
}

/** As recorders store pictures of 16:9. */
function squeezed(picture: Pixels, _width: number, random: Random): Promise<Pixels> {
  const width = Math.max(16, Math.round(picture.info.width * random.between(0.42, 0.65)));
  return rgb(sharp(picture.data, raw(picture)).resize(width, picture.info.height, { fit: 'fill' }));
}
