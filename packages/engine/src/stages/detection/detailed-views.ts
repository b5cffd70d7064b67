import type { Affine } from '../../imaging/geometry.ts';
import { brightnessAt, type Sampler } from '../../imaging/sampler.ts';
import type { Box, Point } from '../../types.ts';
import { type Tile, tilesOf, viewOf } from './views.ts';

/** A tile for the face on a card that somebody holds up, as shares of the picture's shorter and longer side. */
const TILE = 0.2;
const MIN_TILE = 0.1;
/** Tiles that are searched; of two that share more than this part of their area only one is. */
const EFFORTS = { some: { count: 16, shared: 0.45 }, many: { count: 48, shared: 0.6 } } as const;
/** Share of edges in print; leaves and fabric have more. Chosen on the same selfies. */
const PRINT = 0.4;
/** Parts above the middle of the face come last: a card is held beside or below it. */
const ABOVE = 1;
/** Longer side of the copy in which detail is measured, pixels, and side of the cells that it is summed in. */
const COPY = 800;
const CELL = 8;
/** Difference of two brightnesses two pixels apart, along both axes together, that counts as an edge, 0…510. */
const EDGE = 25;

/**
 * Views of the parts of a picture with as many edges as print has, most similar first. All tiles of this size are 120.
 * @param faces boxes of faces that are known, the holder's first; no card is in them
 */
export function detailedViews(from: Sampler, faces: readonly Box[], effort: keyof typeof EFFORTS): Affine[] {
  const { count, shared } = EFFORTS[effort];
  const density = edgeDensity(from);
  const [holder] = faces;
  const level = holder ? holder.y + holder.height / 2 : 0;
  const ranked = tilesOf(from, TILE, MIN_TILE)
    .filter(({ centre }) => !faces.some((box) => contains(box, centre)))
    .map((tile) => ({
      tile,
      distance: Math.abs(density(tile) - PRINT) + (tile.centre.y < level ? ABOVE : 0),
    }))
    .sort((p, q) => p.distance - q.distance);
  const chosen: Tile[] = [];
  for (const { tile } of ranked) {
    if (chosen.length === count) break;
    if (!chosen.some((other) => sharedPart(tile, other) > shared)) chosen.push(tile);
  }
  return chosen.map(viewOf);
}

/** Function from a tile to its share of edges; where there are none, strong contrast counts a little. */
function edgeDensity(from: Sampler): (tile: Tile) => number {
  const scale = Math.min(1, COPY / Math.max(from.width, from.height));
  const [width, height] = [Math.ceil(from.width * scale), Math.ceil(from.height * scale)];
  const across = Math.ceil(width / CELL);
  const cells = edgesOfCells(from, { width, height, scale }, across);
  const cell = CELL / scale;
  return ({ centre, side }) => {
    const first = (middle: number) => Math.max(0, Math.floor((middle - side / 2) / cell));
    const end = (middle: number, length: number) =>
      Math.min(Math.ceil(length / CELL), Math.ceil((middle + side / 2) / cell));
    let [sum, count] = [0, 0];
    for (let y = first(centre.y); y < end(centre.y, height); y++) {
      for (let x = first(centre.x); x < end(centre.x, width); x++, count++) sum += cells[y * across + x]!;
    }
    return sum / (count * CELL ** 2);
  };
}

function edgesOfCells(
  from: Sampler,
  { width, height, scale }: { width: number; height: number; scale: number },
  across: number,
): Float64Array {
  const copy = from.crop({ a: 1 / scale, b: 0, c: 0, d: 1 / scale, tx: 0, ty: 0 }, width, height, 'edge');
  const grey = new Float32Array(width * height);
  for (let i = 0; i < grey.length; i++) grey[i] = brightnessAt(copy, i);
  const cells = new Float64Array(across * Math.ceil(height / CELL));
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      const i = y * width + x;
      const change = Math.abs(grey[i + 1]! - grey[i - 1]!) + Math.abs(grey[i + width]! - grey[i - width]!);
      cells[Math.floor(y / CELL) * across + Math.floor(x / CELL)]! += change > EDGE ? 1 : change / 10_000;
    }
  }
  return cells;
}

function contains({ x, y, width, height }: Box, point: Point): boolean {
  return point.x > x && point.x < x + width && point.y > y && point.y < y + height;
}

function sharedPart(one: Tile, other: Tile): number {
  const along = (axis: 'x' | 'y') => Math.max(0, one.side - Math.abs(one.centre[axis] - other.centre[axis]));
  return (along('x') * along('y')) / one.side ** 2;
}
