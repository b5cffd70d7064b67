import type { Random } from '../recapture/random.ts';
import { spectacles, sunglasses } from './glasses.ts';
import type { Colour, PaintableFace, Place } from './paintable-face.ts';

/** What is painted over a face: a face mask, or something that is none. */
export type Covering =
  | 'mask'
  | 'beard'
  | 'hand'
  | 'shadow'
  | 'sunglasses'
  | 'spectacles'
  | 'mask and sunglasses';

/** Mesh points of the jaw from one ear to the other. */
const JAW = [
  454, 323, 361, 288, 397, 365, 379, 378, 400, 377, 152, 148, 176, 149, 150, 136, 172, 58, 132, 93, 234,
] as const;
/** Upper edges of masks that reach up the nose differently far: under one eye, on the nose, under the other eye. */
const EDGES = [
  [118, 119, 100, 197, 329, 348, 347],
  [117, 118, 101, 195, 330, 347, 346],
  [123, 50, 205, 5, 425, 280, 352],
] as const;
/** Inner edges of beards, without and with a moustache; and the lips, which they leave free. */
const BEARDS = [
  [132, 50, 205, 206, 57, 17, 287, 426, 425, 280, 361],
  [132, 50, 205, 206, 165, 164, 391, 426, 425, 280, 361],
] as const;
const LIPS = [61, 40, 37, 0, 267, 270, 291, 321, 314, 17, 84, 91] as const;
const [FOREHEAD, CHIN, MOUTH, NOSE, CHEEKS] = [10, 152, 13, 5, [205, 425]] as const;

const FABRICS: readonly Colour[] = [
  [150, 195, 220],
  [235, 238, 240],
  [35, 35, 40],
  [120, 190, 170],
  [240, 180, 190],
  [90, 90, 95],
  [180, 60, 60],
  [60, 80, 150],
  [200, 185, 160],
  [70, 110, 80],
  [230, 200, 80],
];
const HAIR: readonly Colour[] = [
  [25, 20, 18],
  [60, 40, 28],
  [110, 80, 55],
  [150, 145, 140],
];

/** An SVG of the picture's size with the covering and nothing else. The same random numbers paint the same. */
export function paint(covering: Covering, face: PaintableFace, random: Random): string {
  const both = (...of: Parameters<typeof mask>) => mask(...of) + sunglasses(...of);
  const painters = { mask, beard, hand, shadow, sunglasses, spectacles, 'mask and sunglasses': both };
  const painted = painters[covering](face, random);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${face.width}" height="${face.height}">${painted}</svg>`;
}

function mask(face: PaintableFace, random: Random): string {
  const { skin } = face;
  const fabrics = [...FABRICS, skin];
  const usual = random.chance(0.6) ? 3 : fabrics.length;
  const colour = lit(pick(fabrics.slice(0, usual), random), face, random.between(0.75, 1.1));
  const grown = random.between(1, 1.07);
  const jaw = JAW.slice(1, 20).map((index) => awayFromMouth(face, index, grown));
  const shape = polygon([...jaw, ...pick(EDGES, random).map(face.at)]);
  const darker = colour.map((value) => value * random.between(0.6, 0.9));
  return (
    `<defs>${texture(face, random.between(0.5, 2), random.between(0.15, 0.5), random)}<clipPath id="clip"><path d="${shape}"/></clipPath>` +
    `<linearGradient id="light" x1="0" x2="1" y1="0" y2="${random.between(0, 1)}"><stop offset="0.3" stop-color="${css(colour)}"/><stop offset="1" stop-color="${css(darker)}"/></linearGradient></defs>` +
    `<path d="${shape}" fill="url(#light)" filter="url(#texture)"/>` +
    pattern(face, colour, random) +
    straps(face, colour, random)
  );
}

/** Folds, dots, or nothing. */
function pattern(face: PaintableFace, colour: Colour | readonly number[], random: Random): string {
  const size = heightOf(face);
  const kind = random.between(0, 1);
  if (kind > 0.8) return '';
  const count = kind < 0.55 ? 4 : 60;
  const marks = Array.from({ length: count }, (_, i) => {
    if (kind < 0.55) {
      const [left, right] = [beside(face, 2, -0.6, -0.05 - 0.09 * i), beside(face, 2, 0.6, -0.05 - 0.09 * i)];
      return `<path d="M${left}Q${beside(face, 2, 0, -0.1 - 0.09 * i)} ${right}" stroke="${css(colour.map((value) => value * 0.75))}" stroke-width="${size * 0.012}" fill="none" opacity="0.7"/>`;
    }
    const [x, y] = beside(face, MOUTH, random.between(-0.55, 0.55), random.between(-0.35, 0.35));
    const dye = [0, 1, 2].map(() => random.between(0, 255));
    return `<circle cx="${x}" cy="${y}" r="${size * random.between(0.008, 0.04)}" fill="${css(lit(dye, face, 1.3))}"/>`;
  });
  return `<g clip-path="url(#clip)">${marks.join('')}</g>`;
}

function straps(face: PaintableFace, colour: readonly number[], random: Random): string {
  if (random.chance(0.3)) return '';
  const lines = [
    [323, 454],
    [93, 234],
  ].map(([from, to]) => `<path d="M${face.at(from!)}L${face.at(to!)}"/>`);
  return `<g stroke="${css(colour.map((value) => value * 1.15))}" stroke-width="${heightOf(face) * 0.012}">${lines.join('')}</g>`;
}

function beard(face: PaintableFace, random: Random): string {
  const colour = lit(pick(HAIR, random), face, 1.5);
  const grown = random.between(1, 1.12);
  const jaw = JAW.slice(1, 20).map((index) => awayFromMouth(face, index, grown));
  const shape = polygon([...jaw, ...pick(BEARDS, random).map(face.at)]);
  return (
    `<defs>${texture(face, random.between(2, 5), 1.2, random)}<filter id="soft"><feGaussianBlur stdDeviation="${heightOf(face) * 0.012}"/></filter></defs>` +
    `<g filter="url(#soft)" opacity="${random.between(0.55, 1)}"><path fill-rule="evenodd" filter="url(#texture)" d="${shape} ${polygon(LIPS.map(face.at))}" fill="${css(colour)}"/></g>`
  );
}

/** A fist with four fingers at a cheek. */
function hand(face: PaintableFace, random: Random): string {
  const size = heightOf(face);
  const colour = css(face.skin.map((value) => value * random.between(0.8, 1.15)));
  const [x, y] = beside(face, pick(CHEEKS, random), random.between(-0.15, 0.15), random.between(-0.35, -0.1));
  const start = random.between(0, 2 * Math.PI);
  const fingers = [0, 1, 2, 3].map((i) => {
    const [dx, dy] = [Math.cos(start + 0.22 * i), Math.sin(start + 0.22 * i)].map(
      (part) => part * size * 0.35,
    );
    return `<path d="M${x},${y}l${dx},${dy}" stroke="${colour}" stroke-width="${size * 0.075}" stroke-linecap="round"/>`;
  });
  return `${fingers.join('')}<circle cx="${x}" cy="${y}" r="${size * 0.14}" fill="${colour}"/>`;
}

/** Shadow, or glaring light, on the lower half of the face. */
function shadow(face: PaintableFace, random: Random): string {
  const [[x1, y1], [x2, y2]] = [face.at(NOSE), face.at(CHIN)];
  const colour = random.chance(0.65) ? 'black' : 'white';
  return (
    `<defs><linearGradient id="light" gradientUnits="userSpaceOnUse" x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}"><stop offset="0" stop-color="${colour}" stop-opacity="0"/>` +
    `<stop offset="1" stop-color="${colour}" stop-opacity="${random.between(0.4, 0.8)}"/></linearGradient></defs><rect width="100%" height="100%" fill="url(#light)"/>`
  );
}

function pick<T>(from: readonly T[], random: Random): T {
  return from[Math.min(from.length - 1, Math.floor(random.between(0, from.length)))]!;
}

/** Forehead to chin, pixels. */
function heightOf({ at }: PaintableFace): number {
  const [[x, y], [u, v]] = [at(FOREHEAD), at(CHIN)];
  return Math.hypot(u - x, v - y);
}

/** A place beside a point of the mesh. @param right @param up in heights of the face, along its axes */
function beside({ at }: PaintableFace, index: number, right: number, up: number): Place {
  const [[x, y], [u, v], [from, below]] = [at(FOREHEAD), at(CHIN), at(index)];
  const [dx, dy] = [x - u, y - v];
  return [from - dy * right + dx * up, below + dx * right + dy * up];
}

function awayFromMouth({ at }: PaintableFace, index: number, by: number): Place {
  const [[x, y], [u, v]] = [at(index), at(MOUTH)];
  return [u + (x - u) * by, v + (y - v) * by];
}

/** The colour in the light that falls on the skin. */
function lit(colour: readonly number[], { skin }: PaintableFace, by: number): Colour {
  const light = Math.max(
    0.25,
    Math.min(1.15, ((0.3 * skin[0] + 0.59 * skin[1] + 0.11 * skin[2]) / 255) * 1.6),
  );
  return [colour[0]! * light * by, colour[1]! * light * by, colour[2]! * light * by];
}

function texture(face: PaintableFace, grain: number, strength: number, random: Random): string {
  const frequency = grain / Math.max(8, heightOf(face) / 14);
  return (
    `<filter id="texture"><feTurbulence type="fractalNoise" baseFrequency="${frequency}" numOctaves="3" seed="${Math.floor(random.between(0, 1e4))}"/>` +
    `<feColorMatrix type="matrix" values="0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 ${strength} 0"/><feComposite in2="SourceGraphic" operator="in" result="grain"/>` +
    '<feMerge><feMergeNode in="SourceGraphic"/><feMergeNode in="grain"/></feMerge></filter>'
  );
}

function polygon(places: readonly Place[]): string {
  return `M${places.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join('L')}Z`;
}

function css(colour: readonly number[]): string {
  return `rgb(${colour.map((value) => Math.round(Math.max(0, Math.min(255, value)))).join(',')})`;
}
