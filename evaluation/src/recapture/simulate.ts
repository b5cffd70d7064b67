import type { Box, RgbPixels } from '@wajah/engine';
import { between, blank, blur, type Canvas, cut, paint, toPixels } from './canvas.ts';
import { compress } from './jpeg.ts';
import { type Random, seeded } from './random.ts';

/** A picture made from another one, and where the face went. */
export interface Shot {
  readonly pixels: RgbPixels;
  readonly box: Box;
}

/** How a face may be shown to the camera again. */
export type Medium = 'screen' | 'print';

/** Longest side of the pictures that are made. */
const FRAME = 400;

/**
 * The picture as another camera could have taken it: another size, light, noise and compression, and nothing
 * of a recapture. Training shows the model both this and the recaptures, so that size and compression prove
 * nothing.
 */
export function plainShot(pixels: RgbPixels, box: Box, seed: string): Shot {
  const random = seeded(`plain ${seed}`);
  const scale = (FRAME / Math.max(pixels.width, pixels.height)) * random.between(0.7, 1.3);
  const canvas = cut(
    pixels,
    [0, 0, pixels.width, pixels.height],
    Math.round(pixels.width * scale),
    Math.round(pixels.height * scale),
  );
  light(canvas, random, 0.15);
  return finish(canvas, random, scaled(box, scale, 0, 0));
}

/**
 * The picture shown on a screen or a print, held before a camera: its colours and contrast as the medium gives
 * them, its raster, the rim and what lies behind where the medium is small, the camera's blur, noise and
 * compression.
 */
export function recapture(pixels: RgbPixels, box: Box, medium: Medium, seed: string): Shot {
  const random = seeded(`${medium} ${seed}`);
  const wanted = Math.max(box.width, box.height) * random.between(1.3, 4);
  const side = Math.min(wanted, pixels.width, pixels.height);
  const inside = (start: number, length: number) => Math.max(0, Math.min(length - side, start));
  const left = inside(box.x + box.width / 2 - side / 2, pixels.width);
  const top = inside(box.y + box.height / 2 - side * random.between(0.42, 0.58), pixels.height);
  const shown = Math.round(FRAME * random.between(0.5, 1.1));
  const page = cut(pixels, [left, top, side, side], shown, shown);
  if (medium === 'screen') asScreen(page, random);
  else asPrint(page, random);
  const frame = place(page, random);
  light(frame.canvas, random, 0.25);
  if (random.chance(medium === 'screen' ? 0.5 : 0.25)) glare(frame.canvas, random);
  blur(frame.canvas, random.between(0.4, 1.6));
  const scale = shown / side;
  const placed = scaled(box, scale, frame.left - left * scale, frame.top - top * scale);
  return finish(frame.canvas, random, placed);
}

function scaled(box: Box, scale: number, dx: number, dy: number): Box {
  return {
    x: box.x * scale + dx,
    y: box.y * scale + dy,
    width: box.width * scale,
    height: box.height * scale,
  };
}

/** Raised bluish blacks, another gamma, stripes of red, green and blue at a raster that beats with the camera's. */
function asScreen(page: Canvas, random: Random): void {
  const black = random.between(4, 30);
  const gamma = random.between(0.8, 1.25);
  const cast = [random.between(0.86, 1), random.between(0.92, 1.02), random.between(0.98, 1.12)];
  const pitch = random.between(1.7, 3.6);
  const lean = random.between(-0.12, 0.12);
  const depth = random.chance(0.6) ? random.between(0.03, 0.3) : 0;
  blur(page, random.between(0.3, 1));
  paint(page, (value, channel, x, y) => {
    const u = ((x + lean * y) / pitch + channel / 3) * 2 * Math.PI;
    const v = ((y - lean * x) / pitch) * 2 * Math.PI;
    const raster = 1 + depth * (0.7 * Math.cos(u) + 0.3 * Math.cos(v));
    const shone = 255 * (Math.max(0, value) / 255) ** gamma * cast[channel]!;
    return black * (channel === 2 ? 1.25 : 1) + ((shone * (255 - black)) / 255) * raster;
  });
}

/** Dull whites, lifted blacks, weaker and warmer colours, the printer's dots and the paper's grain. */
function asPrint(page: Canvas, random: Random): void {
  const white = random.between(190, 240);
  const black = random.between(18, 55);
  const keep = random.between(0.55, 0.95);
  const paper = [1, random.between(0.94, 1), random.between(0.84, 0.99)];
  const pitch = random.between(2, 4);
  const depth = random.chance(0.5) ? random.between(2, 12) : 0;
  const angle = [0.26, 1.31, 0.79];
  const grain = random.between(0, 4);
  const [r, g, b] = page.planes;
  const grey = r.map((value, i) => 0.299 * value + 0.587 * g[i]! + 0.114 * b[i]!);
  blur(page, random.between(0.4, 1.4));
  paint(page, (value, channel, x, y) => {
    const dull = grey[y * page.width + x]! * (1 - keep) + value * keep;
    const c = Math.cos(angle[channel]!) / pitch;
    const s = Math.sin(angle[channel]!) / pitch;
    const dots = Math.cos((x * c + y * s) * 2 * Math.PI) * Math.cos((y * c - x * s) * 2 * Math.PI);
    return (
      (black + (dull * (white - black)) / 255 + depth * dots) * paper[channel]! + grain * random.normal()
    );
  });
}

/** The page, leaning a little, with its rim before an even or shaded background. */
function place(page: Canvas, random: Random): { canvas: Canvas; left: number; top: number } {
  const margin = Math.round(page.width * (random.chance(0.6) ? random.between(0.05, 0.35) : 0));
  const size = page.width + 2 * margin;
  const tone = random.between(20, 220);
  const canvas = blank(size, size, [
    tone,
    tone * random.between(0.9, 1.05),
    tone * random.between(0.85, 1.1),
  ]);
  const turn = random.between(-0.05, 0.05);
  const rim = random.between(0, 0.06) * page.width;
  const rimTone = random.chance(0.5) ? random.between(5, 40) : random.between(215, 250);
  const shade = random.between(-0.4, 0.4);
  paint(canvas, (value, channel, x, y) => {
    const dx = x - size / 2;
    const dy = y - size / 2;
    const u = dx * Math.cos(turn) + dy * Math.sin(turn) + page.width / 2;
    const v = dy * Math.cos(turn) - dx * Math.sin(turn) + page.height / 2;
    if (u >= 0 && v >= 0 && u < page.width && v < page.height) {
      return between(page.planes[channel]!, page.width, page.height, u, v);
    }
    if (u >= -rim && v >= -rim && u < page.width + rim && v < page.height + rim) return rimTone;
    return value * (1 + (shade * dx) / size) + 3 * random.normal();
  });
  return { canvas, left: margin, top: margin };
}

/** Brightness, white balance, contrast, and light that falls off to one side. */
function light(canvas: Canvas, random: Random, strength: number): void {
  const gain = [0, 1, 2].map(() => 1 + random.between(-strength, strength) / 3);
  const bright = 1 + random.between(-strength, strength);
  const fall = random.between(0, strength);
  const direction = random.between(0, 2 * Math.PI);
  paint(canvas, (value, channel, x, y) => {
    const across =
      (x / canvas.width - 0.5) * Math.cos(direction) + (y / canvas.height - 0.5) * Math.sin(direction);
    return value * gain[channel]! * bright * (1 + fall * across);
  });
}

/** A soft bright spot or band: a lamp in the glass. */
function glare(canvas: Canvas, random: Random): void {
  const cx = random.between(0.1, 0.9) * canvas.width;
  const cy = random.between(0.1, 0.9) * canvas.height;
  const wide = random.between(0.05, 0.3) * canvas.width;
  const tall = wide * random.between(0.3, 2);
  const height = random.between(30, 160);
  paint(canvas, (value, _, x, y) => {
    const r = ((x - cx) / wide) ** 2 + ((y - cy) / tall) ** 2;
    return value + height * Math.exp(-r);
  });
}

function finish(canvas: Canvas, random: Random, box: Box): Shot {
  const noise = random.between(0.3, 3);
  paint(canvas, (value) => value + noise * random.normal());
  compress(canvas, Math.round(random.between(70, 96)));
  return { pixels: toPixels(canvas), box };
}
