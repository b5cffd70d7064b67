import { isGreyscale, type View } from '../imaging/view.ts';
import { type PadSignal, unknown } from '../signal.ts';

const NAMES = ['glint-95', 'glint-99', 'glint-share', 'glint-largest', 'glint-outwards', 'glint-one-sided'];

/** Half axes of the oval that is looked at, over the side of the view: skin, without hair and background. */
const OVAL = { x: 0.36, y: 0.42 } as const;
/** Skin this colourless, or lit so, does not let light that glances off be told from it. */
const LEAST_COLOUR = 0.02;
/** A glint is at least this strong, the median luminance of the face being 1. */
const GLINT = 0.2;

/**
 * Highlights: light that glances off the skin has the colour of the lamp, that from within it the colour of skin, so the
 * maximum chromaticity max(r, g, b) ÷ (r + g + b) falls where it glances off (Tan and Ikeuchi, "Separating Reflection
 * Components of Textured Surfaces Using a Single Image", 2005). Skin glints on nose, brow and cheekbones, in small
 * spots; paper, glass and film in large ones, to one side. Unknown in a greyscale picture.
 */
export const highlights: PadSignal = {
  name: 'highlights',
  values: NAMES,
  measure: (face) => {
    const view = face.view();
    const glints = isGreyscale(view) ? null : glintsOf(view);
    return glints === null ? unknown(NAMES) : shapeOf(glints, view.size);
  },
};

/** Strength of the light that glances off over the median luminance of the oval; −1 outside; null where skin has no colour. */
function glintsOf(view: View): Float32Array | null {
  const skin = ovalOf(view.size);
  const luminance = skin.map((at) => view.y[at]!).sort((a, b) => a - b);
  const share = (part: number) => luminance[Math.floor(part * (luminance.length - 1))]!;
  const [low, middle, high] = [share(0.3), share(0.5), share(0.8)];
  const plain = skin.filter((at) => view.y[at]! >= low && view.y[at]! <= high);
  const chromaticity = plain.map((at) => strongest(view, at) / sum(view, at)).sort((a, b) => a - b);
  const own = chromaticity[Math.floor(chromaticity.length / 2)]!;
  if (!(own > 1 / 3 + LEAST_COLOUR) || own > 1) return null;
  const glints = new Float32Array(view.y.length).fill(-1);
  for (const at of skin) {
    const glance = (own * sum(view, at) - strongest(view, at)) / (3 * own - 1);
    glints[at] = view.y[at]! >= middle ? Math.max(0, glance) / (middle + 1) : 0;
  }
  return glints;
}

function shapeOf(glints: Float32Array, size: number): number[] {
  const inside = Array.from(glints.filter((value) => value >= 0)).sort((a, b) => a - b);
  const at = (share: number) => inside[Math.floor(share * (inside.length - 1))]!;
  const strong = inside.filter((value) => value > GLINT).length;
  const [left, right, outwards] = balance(glints, size);
  return [
    at(0.95),
    at(0.99),
    Math.log10(strong / inside.length + 1e-3),
    Math.log10(largestSpot(glints, size) / inside.length + 1e-3),
    outwards / (left + right + 1e-6),
    Math.abs(left - right) / (left + right + 1e-6),
  ];
}

/** All glance on the left, on the right, and weighted by the distance from the middle, half the view being 1. */
function balance(glints: Float32Array, size: number): [left: number, right: number, outwards: number] {
  let [left, right, outwards] = [0, 0, 0];
  glints.forEach((value, at) => {
    if (value <= 0) return;
    const x = ((at % size) + 0.5) / size - 0.5;
    const y = (Math.floor(at / size) + 0.5) / size - 0.5;
    if (x < 0) left += value;
    else right += value;
    outwards += value * 2 * Math.hypot(x, y);
  });
  return [left, right, outwards];
}

/** Pixels of the largest connected glint. */
function largestSpot(glints: Float32Array, size: number): number {
  const left = glints.map((value) => (value > GLINT ? 1 : 0));
  let largest = 0;
  for (let start = 0; start < left.length; start++) {
    if (left[start] === 0) continue;
    const spot = [start];
    left[start] = 0;
    for (const at of spot) {
      for (const next of [at - 1, at + 1, at - size, at + size]) {
        if (left[next] !== 1) continue;
        left[next] = 0;
        spot.push(next);
      }
    }
    largest = Math.max(largest, spot.length);
  }
  return largest;
}

function ovalOf(size: number): number[] {
  const inside: number[] = [];
  for (let at = 0; at < size * size; at++) {
    const x = ((at % size) + 0.5) / size - 0.5;
    const y = (Math.floor(at / size) + 0.5) / size - 0.5;
    if ((x / OVAL.x) ** 2 + (y / OVAL.y) ** 2 < 1) inside.push(at);
  }
  return inside;
}

const red = ({ y, cr }: View, at: number) => y[at]! + 1.402 * cr[at]!;
const green = ({ y, cb, cr }: View, at: number) => y[at]! - 0.344136 * cb[at]! - 0.714136 * cr[at]!;
const blue = ({ y, cb }: View, at: number) => y[at]! + 1.772 * cb[at]!;

function strongest(view: View, at: number): number {
  return Math.max(red(view, at), green(view, at), blue(view, at)) + 1;
}

function sum(view: View, at: number): number {
  return red(view, at) + green(view, at) + blue(view, at) + 3;
}
