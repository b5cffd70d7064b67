import type { RgbPixels } from '@wajah/engine/training';
import { type Canvas, paint, toPixels } from './canvas.ts';
import { compress } from './jpeg.ts';
import type { Random } from './random.ts';

/** Random brightness, white balance, contrast, and light falling off to one side. */
export function light(canvas: Canvas, random: Random, strength: number): void {
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

/** A soft bright spot or band: the reflection of a lamp. */
export function glare(canvas: Canvas, random: Random): void {
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

/** Noise and JPEG compression of the camera. */
export function develop(canvas: Canvas, random: Random): RgbPixels {
  const noise = random.between(0.3, 3);
  paint(canvas, (value) => value + noise * random.normal());
  compress(canvas, Math.round(random.between(70, 96)));
  return toPixels(canvas);
}
