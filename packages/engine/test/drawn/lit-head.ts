import { photograph, type Subject } from './drawn-head.ts';

/** A colour of the screen, each channel 0…1. */
type Colour = readonly number[];

/** How a subject answers the light of a screen. */
interface Lit {
  /** Light of the white screen over the ambient light. */
  readonly strength: number;
  /** Whether the surface of the subject is lit as a relief or as a plane. */
  readonly as?: 'relief' | 'plane';
}

/** Distance of the screen in half widths of the face. */
const DISTANCE = 5.7;
/** Distance of the samples of the light, pixels. */
const STEP = 6;

/**
 * A frame of a subject before a screen that shows a colour: the texture is brightened, in linear light, by Lambert's law
 * and the inverse square of the distance.
 * @param take moves the subject a little, as people move between two frames
 */
export async function photographLit(
  subject: Subject,
  colour: Colour,
  { strength, as = 'relief' }: Lit,
  take = 0,
): Promise<Buffer> {
  const { surface } = subject;
  const light = lightOn(subject, as);
  const pixels = new Uint8Array(surface.pixels.length);
  for (let place = 0; 3 * place < pixels.length; place++) {
    const at = strength * light(place % surface.width, Math.floor(place / surface.width));
    for (let channel = 0; channel < 3; channel++) {
      const value = surface.pixels[3 * place + channel]!;
      // Encoding is a power of the linear value, so that it distributes over the product.
      pixels[3 * place + channel] = Math.min(
        255,
        Math.round(value * (1 + colour[channel]! * at) ** (1 / 2.2)),
      );
    }
  }
  const moved = {
    yaw: Math.sin(3 * take),
    pitch: Math.cos(2 * take),
    x: Math.sin(take),
    y: Math.cos(5 * take),
  };
  return photograph({ ...subject, surface: { ...surface, pixels } }, moved);
}

/** Light of the screen by pixel, 1 on a plane in the middle of the picture. */
function lightOn(
  { surface, pivot, unit }: Subject,
  as: 'relief' | 'plane',
): (x: number, y: number) => number {
  const { width, height, depthAt } = surface;
  const columns = Math.ceil(width / STEP) + 1;
  const samples = Array.from({ length: columns * (Math.ceil(height / STEP) + 1) }, (_, i) => {
    const [x, y] = [(i % columns) * STEP, Math.floor(i / columns) * STEP];
    const depth = (px: number, py: number) => (as === 'plane' ? 0 : depthAt(px, py));
    const slope = [depth(x + STEP, y) - depth(x - STEP, y), depth(x, y + STEP) - depth(x, y - STEP)];
    const [p, q] = [slope[0]! / (2 * STEP), slope[1]! / (2 * STEP)];
    const away = [(pivot[0] - x) / unit, (pivot[1] - y) / unit, -DISTANCE - depth(x, y) / unit] as const;
    const cosine = (p * away[0] + q * away[1] - away[2]) / Math.hypot(p, q, 1);
    return (Math.max(0, cosine) / Math.hypot(...away) ** 3) * DISTANCE ** 2;
  });
  return (x, y) => {
    const [column, row] = [Math.floor(x / STEP), Math.floor(y / STEP)];
    const [fx, fy] = [x / STEP - column, y / STEP - row];
    const at = row * columns + column;
    const upper = samples[at]! * (1 - fx) + samples[at + 1]! * fx;
    const lower = samples[at + columns]! * (1 - fx) + samples[at + columns + 1]! * fx;
    return upper * (1 - fy) + lower * fy;
  };
}
