import type { RgbPixels } from '@wajah/engine/training';
import type { Random } from '../recapture/random.ts';

/** A camera with its automatic exposure and white balance; it keeps state from frame to frame. */
export interface Camera {
  /** @param planes linear, 1 is white before the exposure is set */
  expose(planes: readonly Float32Array[], width: number, height: number): RgbPixels;
}

/** A camera whose habits are drawn. */
export function drawCamera(random: Random): Camera {
  const exposure = { strength: random.between(0.3, 1), rate: random.between(0.3, 0.9) };
  const balance = { strength: random.between(0, 0.5), rate: random.between(0.1, 0.5) };
  const tone = random.between(0.85, 1.2);
  const electrons = random.between(1500, 9000);
  const readNoise = random.between(2, 6) / electrons;
  /** Crosstalk of the colour filters that is left after the camera's correction. */
  const crosstalk = random.between(0, 0.12);
  const normals = Float32Array.from({ length: 1 << 16 }, () => random.normal());
  let exposed = 1;
  let balanced = [1, 1, 1];
  let drift = [1, 1, 1];
  let reference: number[] | undefined;
  return {
    expose(planes, width, height) {
      const means = planes.map(meanOf);
      reference ??= means;
      const level = means.reduce((a, b) => a + b) / reference.reduce((a, b) => a + b);
      exposed += exposure.rate * (level ** -exposure.strength - exposed);
      balanced = balanced.map((gain, c) => {
        const wanted = (means[c]! / reference![c]! / level) ** -balance.strength;
        return gain + balance.rate * (wanted - gain);
      });
      const all = random.normal() * 0.01;
      drift = drift.map((value) => value * (1 + all + random.normal() * 0.004));
      const gains = balanced.map((gain, c) => gain * exposed * drift[c]!);
      const data = new Uint8Array(width * height * 3);
      const curve = encodingTable(tone);
      let next = Math.floor(random.between(0, normals.length));
      const mixed = (at: number, c: number) =>
        planes[c]![at]! * (1 - crosstalk) +
        (crosstalk * (planes[(c + 1) % 3]![at]! + planes[(c + 2) % 3]![at]!)) / 2;
      for (let at = 0; at < width * height; at++) {
        for (let c = 0; c < 3; c++) {
          const value = mixed(at, c) * gains[c]!;
          const noise =
            Math.sqrt(Math.max(0, value) / electrons + readNoise ** 2) * normals[next++ & 0xffff]!;
          data[3 * at + c] = curve[Math.max(0, Math.min(LEVELS, ((value + noise) * LEVELS) | 0))]!;
        }
      }
      return { data, width, height };
    },
  };
}

function meanOf(plane: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < plane.length; i += 7) sum += plane[i]!;
  return sum / Math.ceil(plane.length / 7);
}

/** Steps of the table of the encoding: fine enough for the steep part near black. */
const LEVELS = 16_384;

/** The curve of sRGB, bent by the camera's own. */
function encodingTable(tone: number): Uint8Array {
  return Uint8Array.from({ length: LEVELS + 1 }, (_, i) => {
    const value = (i + 0.5) / LEVELS;
    const curve = value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055;
    return Math.max(0, Math.min(255, Math.round(255 * curve ** tone)));
  });
}
