import type { QualityComponent } from '../../types.ts';
import { component, rise } from './component.ts';
import { cheekZones, type FacePoints, type Portrait } from './portrait.ts';

/** sRGB to CIE XYZ under illuminant D50, and the white of D50. */
const TO_XYZ = [
  [0.43605, 0.38508, 0.14309],
  [0.22249, 0.71689, 0.06062],
  [0.01393, 0.0971, 0.71419],
] as const;
const WHITE = [0.964221, 1, 0.825211] as const;
/** CIE 15: below `EPSILON` the cube root is replaced by a line of slope `KAPPA` / 116. */
const EPSILON = 216 / 24389;
const KAPPA = 24389 / 27;

/** Ranges of a* and b* of skin in natural colours. */
const SKIN = { a: [5, 25], b: [5, 35] } as const;
/** Native measure of a colour opposite to skin. */
const FARTHEST = 100;

/**
 * Natural colour by ISO/IEC 29794-5:2025 as OFIQ implements it: distance of the mean colour of both cheeks, in CIELAB,
 * from the range of skin. A greyscale picture has distance 0.
 */
export function naturalColour(portrait: Portrait, points: FacePoints): QualityComponent {
  const native = isGrey(portrait) ? 0 : distanceFromSkin(cheekColour(portrait, points));
  return component('natural_colour', native, 200 * (1 - rise(native, 0, 10)));
}

function isGrey({ crop: { data, width, height } }: Portrait): boolean {
  const plane = width * height;
  const grey = (red: number, i: number) => red === data[i + plane] && red === data[i + 2 * plane];
  return data.subarray(0, plane).every(grey);
}

type Triple = readonly [number, number, number];

/** Mean red, green and blue of both zones, 0…1; pixels outside of the face count as black. */
function cheekColour(portrait: Portrait, points: FacePoints): Triple {
  const { crop, face } = portrait;
  const plane = crop.width * crop.height;
  const sums = [0, 0, 0];
  let count = 0;
  for (const { x, y, side } of cheekZones(portrait, points)) {
    count += side * side;
    for (let row = Math.max(0, y); row < Math.min(crop.height, y + side); row++) {
      for (let column = Math.max(0, x); column < Math.min(crop.width, x + side); column++) {
        const at = row * crop.width + column;
        if (face[at] === 1) for (let c = 0; c < 3; c++) sums[c]! += crop.data[at + c * plane]!;
      }
    }
  }
  const mean = (channel: number) => sums[channel]! / count / 255;
  return [mean(0), mean(1), mean(2)];
}

function distanceFromSkin(rgb: Triple): number {
  const { a, b } = chroma(rgb);
  if (a < 0 || b < 0) return FARTHEST;
  const beyond = (value: number, [least, most]: readonly [number, number]) =>
    Math.max(0, least - value, value - most);
  return Math.hypot(beyond(a, SKIN.a), beyond(b, SKIN.b));
}

/** a* and b* of CIELAB. */
function chroma(rgb: Triple): { a: number; b: number } {
  const linear = rgb.map((value) => (value > 0.04045 ? ((value + 0.055) / 1.055) ** 2.4 : value / 12.92));
  const [x, y, z] = TO_XYZ.map((row, i) => {
    const ratio = row.reduce((sum, weight, c) => sum + weight * linear[c]!, 0) / WHITE[i]!;
    return ratio > EPSILON ? Math.cbrt(ratio) : (KAPPA * ratio + 16) / 116;
  }) as [number, number, number];
  return { a: 500 * (x - y), b: 200 * (y - z) };
}
