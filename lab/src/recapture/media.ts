import { blur, type Canvas, paint } from './canvas.ts';
import type { Random } from './random.ts';

/** A screen: raised bluish blacks, another gamma, RGB stripes whose raster interferes with the camera's. */
export function asScreen(page: Canvas, random: Random): void {
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

/** A print: dull whites, raised blacks, weaker and warmer colours, the printer's dots and the paper's grain. */
export function asPrint(page: Canvas, random: Random): void {
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
