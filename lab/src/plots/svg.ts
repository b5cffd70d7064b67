/** A line of a plot, or the outline of an area that is filled. */
export interface Series {
  /** Text of the legend; an empty one is left out. */
  readonly name: string;
  readonly colour: string;
  readonly points: readonly (readonly [number, number])[];
  readonly filled?: boolean;
}

/** An axis; a logarithmic one shows powers of ten. */
export interface Axis {
  readonly label: string;
  readonly from: number;
  readonly to: number;
  readonly logarithmic?: boolean;
}

const WIDTH = 640;
const HEIGHT = 420;
const LEFT = 70;
const BOTTOM = 50;
const TOP = 36;
const RIGHT = 16;

/** Draws series over two axes as SVG. Values beyond an axis are drawn at its end. */
export function plot(title: string, x: Axis, y: Axis, series: readonly Series[]): string {
  const toX = scale(x, LEFT, WIDTH - RIGHT);
  const toY = scale(y, HEIGHT - BOTTOM, TOP);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>`,
    `<text x="${WIDTH / 2}" y="20" text-anchor="middle" font-size="14">${escaped(title)}</text>`,
    ...ticks(x).map((value) => tick(toX(value), HEIGHT - BOTTOM, toX(value), TOP, labelOf(value), 'x')),
    ...ticks(y).map((value) => tick(LEFT, toY(value), WIDTH - RIGHT, toY(value), labelOf(value), 'y')),
    `<text x="${(LEFT + WIDTH - RIGHT) / 2}" y="${HEIGHT - 10}" text-anchor="middle">${escaped(x.label)}</text>`,
    `<text transform="translate(16 ${(TOP + HEIGHT - BOTTOM) / 2}) rotate(-90)" text-anchor="middle">${escaped(y.label)}</text>`,
    ...series.map((one) => line(one, toX, toY, HEIGHT - BOTTOM)),
    ...series.filter(({ name }) => name !== '').map((one, index) => legend(one, index)),
    '</svg>',
    '',
  ].join('\n');
}

function scale({ from, to, logarithmic }: Axis, start: number, end: number): (value: number) => number {
  const place = (value: number) => (logarithmic ? Math.log10(Math.max(value, 1e-300)) : value);
  const [low, high] = [place(from), place(to)];
  return (value) => {
    const share = (place(value) - low) / (high - low);
    return round(start + Math.min(1, Math.max(0, share)) * (end - start));
  };
}

function ticks({ from, to, logarithmic }: Axis): number[] {
  if (!logarithmic) return Array.from({ length: 6 }, (_, i) => from + ((to - from) * i) / 5);
  const first = Math.round(Math.log10(from));
  const count = Math.round(Math.log10(to)) - first;
  return Array.from({ length: count + 1 }, (_, i) => 10 ** (first + i));
}

function tick(x1: number, y1: number, x2: number, y2: number, label: string, axis: 'x' | 'y'): string {
  const rule = `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" stroke="#ddd"/>`;
  if (axis === 'x') return `${rule}<text x="${x1}" y="${y1 + 16}" text-anchor="middle">${label}</text>`;
  return `${rule}<text x="${x1 - 6}" y="${y1 + 4}" text-anchor="end">${label}</text>`;
}

function line(
  { points, colour, filled }: Series,
  toX: (value: number) => number,
  toY: (value: number) => number,
  ground: number,
): string {
  const path = points.map(([x, y]) => `${toX(x)},${toY(y)}`).join(' L');
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) return '';
  if (!filled) return `<path d="M${path}" fill="none" stroke="${colour}" stroke-width="2"/>`;
  const area = `M${toX(first[0])},${ground} L${path} L${toX(last[0])},${ground} Z`;
  return `<path d="${area}" fill="${colour}" fill-opacity="0.35" stroke="${colour}"/>`;
}

function legend({ name, colour }: Series, index: number): string {
  const y = TOP + 16 + index * 18;
  const x = WIDTH - RIGHT - 190;
  return `<rect x="${x}" y="${y - 9}" width="10" height="10" fill="${colour}"/><text x="${x + 16}" y="${y}">${escaped(name)}</text>`;
}

function labelOf(value: number): string {
  if (value === 0) return '0';
  return Math.abs(value) < 0.01 ? value.toExponential(0) : String(Number(value.toPrecision(3)));
}

const round = (value: number) => Math.round(value * 10) / 10;

function escaped(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}
