import { type Rim, rimAround, steadyEdges } from '../imaging/rectangles.ts';
import { shareInside, squareView, type View } from '../imaging/view.ts';
import { type PadSignal, unknown } from '../signal.ts';

const NAMES = [
  'rim-four-sides',
  'rim-three-sides',
  'rim-two-sides',
  'rim-size',
  'rim-step',
  'rim-colour-step',
  'rim-contrast-step',
  'rim-sharper-inside',
  'around-burnt',
  'around-black',
];

/** How many times the face the surroundings are looked at, and pixels of that view. */
const TIMES = 4;
const SIZE = 128;
/** Of the view that must lie in the picture: what is outside repeats the edge. */
const LEAST_INSIDE = 0.35;

/**
 * A frame around the face: the rectangle of straight, steady edges that encloses it best (a screen, a sheet, a cut-off),
 * how many of its sides are there, and how what lies within differs from what lies without. Unknown where the face nearly
 * fills its picture.
 */
export const frame: PadSignal = {
  name: 'frame',
  values: NAMES,
  measure: ({ pixels, pixelBox }) => {
    if (shareInside(pixels, pixelBox, TIMES) < LEAST_INSIDE) return unknown(NAMES);
    const view = squareView(pixels, pixelBox, TIMES, SIZE);
    const rim = rimAround(steadyEdges(view.y, SIZE), SIZE, SIZE / TIMES);
    const around = outside(view, null);
    const share = (is: (y: number) => boolean) =>
      Math.log10(around.filter((at) => is(view.y[at]!)).length / around.length + 1e-3);
    return [
      ...rim.sides.slice(1).toReversed(),
      Math.log(((rim.right - rim.left) * (rim.bottom - rim.top)) / SIZE ** 2),
      ...steps(view, rim),
      share((y) => y >= 250),
      share((y) => y <= 12),
    ];
  },
};

/** How brightness, colour, contrast and sharpness just inside of the rim differ from just outside. */
function steps(view: View, rim: Rim): number[] {
  const near = (at: number, grow: number) => {
    const [x, y] = [at % SIZE, Math.floor(at / SIZE)];
    return x >= rim.left - grow && x < rim.right + grow && y >= rim.top - grow && y < rim.bottom + grow;
  };
  const WIDE = 8;
  const without = outside(view, rim).filter((at) => near(at, WIDE));
  const within = Array.from({ length: SIZE * SIZE }, (_, at) => at).filter(
    (at) => near(at, -1) && !near(at, -WIDE),
  );
  const mean = (some: readonly number[], of: (at: number) => number) =>
    some.reduce((sum, at) => sum + of(at), 0) / Math.max(1, some.length);
  const spread = (some: readonly number[]) => {
    const middle = mean(some, (at) => view.y[at]!);
    return Math.sqrt(mean(some, (at) => (view.y[at]! - middle) ** 2));
  };
  const detail = (some: readonly number[]) =>
    mean(some, (at) => Math.abs(view.y[at]! - (view.y[at - 1] ?? 0)));
  const apart = (of: (at: number) => number) => mean(within, of) - mean(without, of);
  return [
    Math.log((mean(within, (at) => view.y[at]!) + 8) / (mean(without, (at) => view.y[at]!) + 8)),
    Math.hypot(
      apart((at) => view.cb[at]!),
      apart((at) => view.cr[at]!),
    ) / 32,
    Math.log((spread(within) + 4) / (spread(without) + 4)),
    Math.log((detail(within) + 1) / (detail(without) + 1)),
  ];
}

/** Pixels outside of a rim, or of the face. */
function outside({ size }: View, rim: Rim | null): number[] {
  const face = { left: size * (0.5 - 0.5 / TIMES), right: size * (0.5 + 0.5 / TIMES) };
  const { left, right, top, bottom } = rim ?? { ...face, top: face.left, bottom: face.right };
  const is = (at: number) => {
    const [x, y] = [at % size, Math.floor(at / size)];
    return x < left || x >= right || y < top || y >= bottom;
  };
  return Array.from({ length: size * size }, (_, at) => at).filter(is);
}
