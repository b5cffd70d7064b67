import type { Random } from '../recapture/random.ts';
import type { PaintableFace, Place } from './paintable-face.ts';

/** Mesh points of the corners and the lids of each eye, and where the arms end. */
const EYES = [
  { around: [33, 133, 159, 145], temple: 127 },
  { around: [362, 263, 386, 374], temple: 356 },
] as const;
const LENSES = [
  '10,10,12',
  '25,20,18',
  '45,30,20',
  '20,30,45',
  '40,45,42',
  '70,50,30',
  '30,70,90',
  '95,90,85',
];
const FRAMES = ['15,15,15', '40,30,25', '90,60,40', '150,120,60', '170,170,175', '235,235,235', '120,30,30'];

/** Glasses with lenses that nobody sees through. */
export function sunglasses(face: PaintableFace, random: Random): string {
  const lens = one(LENSES, random);
  const light = random.between(0.5, 1.3);
  const colour = lens.split(',').map((value) => Math.round(Math.min(160, Number(value) * light)));
  const glare = random.chance(0.5) ? random.between(0.1, 0.45) : 0;
  const [top, bottom] = [random.between(0.94, 1), random.between(0.86, 1)];
  const stops =
    `<stop offset="0" stop-color="rgb(${colour})" stop-opacity="${top}"/>` +
    `<stop offset="1" stop-color="rgb(${colour})" stop-opacity="${bottom}"/>`;
  const defs = `<defs><linearGradient id="lens" x1="0" x2="0" y1="0" y2="1">${stops}</linearGradient></defs>`;
  return defs + glassesOf(face, random, 'url(#lens)', glare, random.between(0, 0.05));
}

/** Glasses with clear lenses. */
export function spectacles(face: PaintableFace, random: Random): string {
  const tint = random.chance(0.3) ? random.between(0, 0.2) : 0;
  const glare = random.chance(0.4) ? random.between(0.1, 0.5) : 0;
  return glassesOf(face, random, `rgba(40,40,50,${tint})`, glare, random.between(0.015, 0.09));
}

/** @param edge width of the frame over the distance of the eyes */
function glassesOf(face: PaintableFace, random: Random, fill: string, glare: number, edge: number): string {
  const [right, left] = EYES.map(({ around }) => middleOf(face, around)) as [Place, Place];
  const apart = Math.hypot(left[0] - right[0], left[1] - right[1]);
  const [dx, dy] = [(left[0] - right[0]) / apart, (left[1] - right[1]) / apart];
  const [width, height] = [random.between(0.7, 0.98) * apart, random.between(0.45, 0.82) * apart];
  const [outward, down] = [random.between(-0.01, 0.06) * apart, random.between(-0.02, 0.14) * apart];
  const roundness = random.between(2, 5);
  const stroke = `stroke="rgb(${one(FRAMES, random)})" stroke-width="${edge * apart}"`;
  const place = ([x, y]: Place, along: number, below: number): Place => [
    x + dx * along - dy * below,
    y + dy * along + dx * below,
  ];
  const middles = [place(right, -outward, down), place(left, outward, down)] as const;
  const lenses = middles.map((middle) => {
    const at = (turn: number) =>
      place(
        middle,
        (width / 2) * bent(Math.cos(turn), roundness),
        (height / 2) * bent(Math.sin(turn), roundness),
      );
    const shape = path(Array.from({ length: 40 }, (_, i) => at((i * Math.PI) / 20)));
    const shine = path([at(3.4), at(4.2), at(0.6), at(1)]);
    return `<path d="${shape}" fill="${fill}" ${stroke}/><path d="${shine}" fill="white" opacity="${glare}"/>`;
  });
  const bridge = `M${place(middles[0], width / 2, -height / 6)}L${place(middles[1], -width / 2, -height / 6)}`;
  const arms = EYES.map(({ temple }, i) => {
    const hinge = place(middles[i]!, (i === 0 ? -1 : 1) * (width / 2), -height / 5);
    return `M${hinge}L${face.at(temple)}`;
  });
  const lines = `<path d="${bridge}${arms.join('')}" fill="none" ${stroke}/>`;
  return `${lenses.join('')}${lines}`;
}

/** A coordinate of a rounded rectangle: 2 is an ellipse. */
const bent = (value: number, roundness: number) => Math.sign(value) * Math.abs(value) ** (2 / roundness);

function middleOf({ at }: PaintableFace, points: readonly number[]): Place {
  const places = points.map(at);
  const mean = (axis: 0 | 1) => places.reduce((sum, place) => sum + place[axis], 0) / places.length;
  return [mean(0), mean(1)];
}

const path = (places: readonly Place[]) =>
  `M${places.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join('L')}Z`;
const one = (from: readonly string[], random: Random) =>
  from[Math.min(from.length - 1, Math.floor(random.between(0, from.length)))]!;
