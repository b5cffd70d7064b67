import type { Box, Point } from '@wajah/engine';
import type { RgbPixels } from '@wajah/engine/training';
import sharp from 'sharp';

/** Position of a card in a picture: centre and width in pixels, rotation. */
export interface Placement {
  readonly centre: Point;
  readonly width: number;
  /** Clockwise, radians. */
  readonly angle: number;
}

/** Samples per pixel in each direction, as cards are scaled down to a third and less. */
const SAMPLES = 3;

/** The picture scaled to a width in pixels, by bilinear interpolation. */
export function scaledTo(width: number, from: RgbPixels): RgbPixels {
  const height = Math.round((from.height / from.width) * width);
  const data = new Uint8Array(width * height * 3);
  const step = from.width / width;
  for (let y = 0, to = 0; y < height; y++) {
    for (let x = 0; x < width; x++, to += 3) sample(from, (x + 0.5) * step, (y + 0.5) * step, data, to);
  }
  return { data, width, height };
}

/** Pastes a card over the picture, in place. */
export function paste(onto: RgbPixels, card: RgbPixels, { centre, width, angle }: Placement): void {
  const scale = card.width / width;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const reach = Math.ceil(Math.hypot(width, card.height / scale) / 2);
  const colour = new Uint8Array(3);
  for (let y = Math.max(0, Math.floor(centre.y) - reach); y < Math.min(onto.height, centre.y + reach); y++) {
    for (let x = Math.max(0, Math.floor(centre.x) - reach); x < Math.min(onto.width, centre.x + reach); x++) {
      const sum = [0, 0, 0];
      let inside = 0;
      for (let k = 0; k < SAMPLES * SAMPLES; k++) {
        const dx = x + ((k % SAMPLES) + 0.5) / SAMPLES - centre.x;
        const dy = y + (Math.floor(k / SAMPLES) + 0.5) / SAMPLES - centre.y;
        const u = (dx * cos + dy * sin) * scale + card.width / 2;
        const v = (dy * cos - dx * sin) * scale + card.height / 2;
        if (u < 0 || v < 0 || u >= card.width || v >= card.height) continue;
        inside++;
        sample(card, u, v, colour, 0);
        for (let c = 0; c < 3; c++) sum[c]! += colour[c]!;
      }
      const at = (y * onto.width + x) * 3;
      const share = inside / SAMPLES ** 2;
      for (let c = 0; c < 3 && inside > 0; c++) {
        onto.data[at + c] = Math.round(onto.data[at + c]! * (1 - share) + (sum[c]! / inside) * share);
      }
    }
  }
}

/** Whether a point of the picture lies on the card. */
export function isOn({ centre, width, angle }: Placement, card: RgbPixels, { x, y }: Point): boolean {
  const [dx, dy] = [x - centre.x, y - centre.y];
  const u = dx * Math.cos(angle) + dy * Math.sin(angle);
  const v = dy * Math.cos(angle) - dx * Math.sin(angle);
  return Math.abs(u) <= width / 2 && Math.abs(v) <= (width * card.height) / card.width / 2;
}

/** The upright box around a placed card, pixels of the picture. */
export function boxOf({ centre, width, angle }: Placement, card: RgbPixels): Box {
  const height = (width * card.height) / card.width;
  const [cos, sin] = [Math.abs(Math.cos(angle)), Math.abs(Math.sin(angle))];
  const [across, down] = [width * cos + height * sin, width * sin + height * cos];
  return { x: centre.x - across / 2, y: centre.y - down / 2, width: across, height: down };
}

/** A PNG file of the picture, for the decoder of the service. */
export function encodePng({ data, width, height }: RgbPixels): Promise<Uint8Array> {
  return sharp(data, { raw: { width, height, channels: 3 } })
    .png({ compressionLevel: 1 })
    .toBuffer();
}

/** Bilinear interpolation at (x, y), measured from the corner of the first pixel. */
function sample(from: RgbPixels, x: number, y: number, to: Uint8Array, at: number): void {
  const cx = Math.min(from.width - 1, Math.max(0, x - 0.5));
  const cy = Math.min(from.height - 1, Math.max(0, y - 0.5));
  const [x0, y0] = [Math.floor(cx), Math.floor(cy)];
  const [x1, y1] = [Math.min(from.width - 1, x0 + 1), Math.min(from.height - 1, y0 + 1)];
  const [fx, fy] = [cx - x0, cy - y0];
  for (let c = 0; c < 3; c++) {
    const value = (px: number, py: number) => from.data[(py * from.width + px) * 3 + c]!;
    const upper = value(x0, y0) * (1 - fx) + value(x1, y0) * fx;
    to[at + c] = Math.round(upper * (1 - fy) + (value(x0, y1) * (1 - fx) + value(x1, y1) * fx) * fy);
  }
}
