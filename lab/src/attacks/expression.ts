import { between, type Canvas } from '../recapture/canvas.ts';
import { curveThrough, smoothStep } from './curves.ts';
import { copyOf, type Still } from './still.ts';

/** Mesh points along the lids and under the brow, from corner to corner; the eye at the left of the picture first. */
const EYES = [
  {
    upper: [33, 246, 161, 160, 159, 158, 157, 173, 133],
    lower: [33, 7, 163, 144, 145, 153, 154, 155, 133],
    brow: [46, 53, 52, 65, 55, 193],
  },
  {
    upper: [362, 398, 384, 385, 386, 387, 388, 466, 263],
    lower: [362, 382, 381, 380, 374, 373, 390, 249, 263],
    brow: [276, 283, 282, 295, 285, 417],
  },
] as const;
/** Inner edges of the lips, from corner to corner. */
const LIPS = {
  upper: [78, 191, 80, 81, 82, 13, 312, 311, 310, 415, 308],
  lower: [78, 95, 88, 178, 87, 14, 317, 402, 318, 324, 308],
} as const;
const CHIN = 152;
const NOSE_BASE = 2;

/** How the lids of a still are closed: its own lids pulled down, or skin painted over the eyes. */
export type LidMethod = 'morphed' | 'painted';

/** Closes both eyes. @param amount 0 (open) … 1 (closed); up to 1.25 where the mesh misses the lid */
export function closeEyes({ canvas, mesh }: Still, amount: number, method: LidMethod): Canvas {
  const out = copyOf(canvas);
  for (const eye of EYES) {
    const [upper, lower] = [curveThrough(mesh, eye.upper), curveThrough(mesh, eye.lower)];
    const brow = curveThrough(mesh, eye.brow);
    for (let x = 0; x < canvas.width; x++) {
      const [top, bottom] = [upper(x), lower(x)];
      if (top === undefined || bottom === undefined || bottom <= top) continue;
      const crease = top - 0.75 * Math.max(2, top - (brow(x) ?? top - (bottom - top)));
      const edge = top + amount * 0.92 * (bottom - top);
      const column = { x, crease, top, edge, bottom };
      if (method === 'morphed') pullLid(canvas, out, column);
      else paintLid(canvas, out, column);
    }
  }
  return out;
}

/** A column of pixels through an eye: rows of crease, upper lid, the closed lid's edge, lower lid. */
interface LidColumn {
  readonly x: number;
  readonly crease: number;
  readonly top: number;
  readonly edge: number;
  readonly bottom: number;
}

/** Stretches the skin between crease and lashes down over the eye. */
function pullLid(from: Canvas, to: Canvas, { x, crease, top, edge, bottom }: LidColumn): void {
  const lashes = 0.12 * (bottom - top);
  const [low, high] = [edge + lashes, top + lashes];
  for (let y = Math.ceil(crease); y < bottom + lashes && y < from.height; y++) {
    const source =
      y <= low
        ? crease + ((y - crease) * (high - crease)) / (low - crease)
        : bottom + lashes - ((bottom + lashes - y) * 0.15 * (bottom - edge)) / Math.max(1, bottom - edge);
    copyRow(from, to, x, y, source);
  }
}

/** Paints the colour of the skin above the lashes over the eye, with a shaded edge and a line of lashes. */
function paintLid(from: Canvas, to: Canvas, { x, crease, top, edge, bottom }: LidColumn): void {
  const skin = (crease + top) / 2;
  for (let y = Math.floor(top) - 1; y <= edge && y < from.height; y++) {
    const down = Math.max(0, Math.min(1, (y - top) / Math.max(1, edge - top)));
    const line = smoothStep(y, edge - 0.12 * (bottom - top) - 2, edge - 0.5);
    for (const [c, plane] of from.planes.entries()) {
      const tone = between(plane, from.width, from.height, x, skin) * (1 - 0.12 * down);
      to.planes[c]![y * from.width + x] = tone * (1 - 0.6 * line);
    }
  }
}

/**
 * Moves the irises sideways between lids that stay; nothing moves at the eyes' corners.
 * @param share of the width of the eye, > 0 to the right of the picture
 */
export function moveIrises({ canvas, mesh }: Still, share: number): Canvas {
  const out = copyOf(canvas);
  for (const { upper, lower } of EYES) {
    const [top, bottom] = [curveThrough(mesh, upper), curveThrough(mesh, lower)];
    const [a, b] = [mesh[3 * upper[0]]!, mesh[3 * upper.at(-1)!]!];
    for (let x = Math.ceil(a); x < b; x++) {
      const inside = smoothStep(Math.min(x - a, b - x) / (b - a), 0, 0.35);
      for (let y = Math.ceil(top(x) ?? 0); y < (bottom(x) ?? 0); y++) {
        for (const [c, plane] of canvas.planes.entries()) {
          const from = x - inside * share * (b - a);
          out.planes[c]![y * canvas.width + x] = between(plane, canvas.width, canvas.height, from, y);
        }
      }
    }
  }
  return out;
}

function copyRow(from: Canvas, to: Canvas, x: number, y: number, source: number): void {
  if (y < 0) return;
  for (const [c, plane] of from.planes.entries()) {
    to.planes[c]![y * from.width + x] = between(plane, from.width, from.height, x, source);
  }
}

/** Opens the mouth: lowers the jaw below the lips, and shows a dark cavity with teeth. @param amount opening over the width of the mouth, 0…1 */
export function openMouth({ canvas, mesh }: Still, amount: number): Canvas {
  const out = copyOf(canvas);
  const mouth = mouthOf(canvas, mesh, amount);
  const [upper, lower] = [curveThrough(mesh, LIPS.upper), curveThrough(mesh, LIPS.lower)];
  for (let x = 0; x < canvas.width; x++) {
    const across = (x - mouth.x) / mouth.half;
    const opening = mouth.opening * Math.sqrt(Math.max(0, 1 - across * across));
    const top = upper(x) ?? mouth.y;
    const gap = Math.max(0, (lower(x) ?? mouth.y) - top);
    const jaw = mouth.opening * Math.exp(-((across / 2.4) ** 2));
    for (let y = Math.ceil(top); y < Math.min(canvas.height, mouth.neck); y++) {
      const floor = top + gap + opening;
      if (y < floor) paintCavity(out, mouth, { x, y, top, floor, across });
      else copyRow(canvas, out, x, y, y - jawShift(mouth, y, floor, opening, jaw));
    }
  }
  return out;
}

interface Mouth {
  /** Middle of the line between the lips. */
  readonly x: number;
  readonly y: number;
  /** Half the width, and the opening, pixels. */
  readonly half: number;
  readonly opening: number;
  /** Rows of the chin, and where the lowered jaw ends. */
  readonly chin: number;
  readonly neck: number;
  /** Brightness of the skin about it, 0…255. */
  readonly light: number;
}

function mouthOf(canvas: Canvas, mesh: Float32Array, amount: number): Mouth {
  const at = (point: number) => [mesh[3 * point]!, mesh[3 * point + 1]!] as const;
  const [left, right, chin, nose] = [at(78), at(308), at(CHIN), at(NOSE_BASE)];
  const half = (right[0] - left[0]) / 2;
  const opening = amount * 2 * half;
  return {
    x: (left[0] + right[0]) / 2,
    y: (left[1] + right[1]) / 2,
    half,
    opening,
    chin: chin[1],
    neck: chin[1] + 1.6 * (chin[1] - nose[1]) + opening,
    light: between(canvas.planes[1], canvas.width, canvas.height, nose[0], nose[1]),
  };
}

/** How far a row is pulled down: with the lower lip at the lips, with the jaw at the chin, not at all at the neck. */
function jawShift(
  { chin, neck, opening }: Mouth,
  y: number,
  floor: number,
  lip: number,
  jaw: number,
): number {
  const down = smoothStep(y, floor, chin + opening);
  const fade = 1 - smoothStep(y, chin + opening, neck);
  return (lip * (1 - down) + jaw * down) * fade;
}

function paintCavity(
  to: Canvas,
  { half, opening, light }: Mouth,
  { x, y, top, floor, across }: { x: number; y: number; top: number; floor: number; across: number },
): void {
  const depth = (y - top) / Math.max(1, floor - top);
  const teeth =
    (1 - smoothStep(y, top + 0.24 * half, top + 0.32 * half)) *
    (1 - smoothStep(Math.abs(across), 0.65, 0.85));
  const tongue = smoothStep(depth, 0.6, 0.95) * smoothStep(opening, 0.2 * half, half);
  const rim = Math.min(1, Math.min(y - top, floor - y) / 2);
  const dark = [0.22, 0.09, 0.09];
  const white = [1.15, 1.08, 0.98];
  const red = [0.62, 0.3, 0.3];
  for (let c = 0; c < 3; c++) {
    const inside = dark[c]! * (1 - teeth) * (1 - tongue) + white[c]! * teeth + red[c]! * tongue * (1 - teeth);
    const at = y * to.width + x;
    to.planes[c]![at] = to.planes[c]![at]! * (1 - rim) + light * inside * rim;
  }
}
