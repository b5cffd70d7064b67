import { type Affine, squareCrop } from '../../imaging/geometry.ts';
import type { Sampler } from '../../imaging/sampler.ts';
import type { Box, Point } from '../../types.ts';
import type { Detection } from '../detected.ts';

/** Side of a square view of the picture, pixels. A detector with a larger input samples the same view more finely. */
export const VIEW = 256;

/** A picture's size in pixels. */
export type Size = Pick<Sampler, 'width' | 'height'>;

/** An upright square of a picture, pixels. */
interface Tile {
  readonly centre: Point;
  readonly side: number;
}

/** Side of a tile as a share of the picture's shorter side, and its minimum as a share of the longer side. */
const TILE = 0.6;
const MIN_TILE = 0.2;
/** Step from tile to tile over the side of a tile. */
const TILE_STEP = 0.5;

/** Square view of the whole picture, centred, `zoomOut` times as wide as needed, rotated by quarter turns. */
export function wholeView({ width, height }: Size, zoomOut = 1, quarterTurns = 0): Affine {
  const centre = { x: width / 2, y: height / 2 };
  return squareCrop(centre, Math.max(width, height) * zoomOut, (quarterTurns * Math.PI) / 2, VIEW);
}

/** Views of overlapping squares that cover the picture; their number is bounded, however long the picture is. */
export function tileViews(size: Size): Affine[] {
  return tilesOf(size, TILE, MIN_TILE).map(viewOf);
}

function viewOf({ centre, side }: Tile): Affine {
  return squareCrop(centre, side, 0, VIEW);
}

/**
 * @param share side over the shorter side of the picture
 * @param least of its longer side
 * @param leastSide pixels
 */
function tilesOf({ width, height }: Size, share: number, least: number, leastSide = 1): Tile[] {
  const side = Math.max(Math.min(width, height) * share, Math.max(width, height) * least, leastSide);
  return tileCentres(height, side).flatMap((y) =>
    tileCentres(width, side).map((x) => ({ centre: { x, y }, side })),
  );
}

/** Centres of tiles along one axis, evenly spaced, the first and the last flush with the ends. */
function tileCentres(length: number, side: number): number[] {
  if (length <= side) return [length / 2];
  const steps = Math.ceil((length - side) / (side * TILE_STEP));
  return Array.from({ length: steps + 1 }, (_, i) => side / 2 + ((length - side) * i) / steps);
}

/** A tile for the face on a card that somebody holds up, as shares of the picture's shorter and longer side. */
const CARD_TILE = 0.2;
const MIN_CARD_TILE = 0.1;
/** Least side of a tile, pixels: smaller ones have only faces that are too small to compare. */
const MIN_SIDE = 192;
/** Tiles that are searched, half of them around hints; of two that share more than this part of their area one is. */
const EFFORTS = { some: { count: 14, shared: 0.45 }, many: { count: 48, shared: 0.6 } } as const;
/** The same for tiles around hints, which are not on a grid. */
const HINTS_SHARED = 0.3;
/** Largest side of a hint over that of a tile. */
const MAX_HINT = 0.7;
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
 * Views of the parts of a picture where the face on a card may be: around weak detections, strongest first, and those with
 * as many edges as print has, most similar first. Neither alone suffices: print is on clothes too, and the weak
 * detections of a small face are lost among others.
 * @param faces boxes of faces that are known, the holder's first; no card is in them
 * @param hints detections in the whole picture, also of very low scores
 */
export function detailedViews(
  from: Sampler,
  faces: readonly Box[],
  hints: readonly Detection[],
  effort: keyof typeof EFFORTS,
): Affine[] {
  const { count, shared } = EFFORTS[effort];
  const [holder] = faces;
  const level = holder ? holder.y + holder.height / 2 : 0;
  const candidate = (tile: Tile, distance: number): Candidate => ({
    tile,
    distance: distance + (tile.centre.y < level ? ABOVE : 0),
  });
  const unknown = ({ tile: { centre } }: Candidate) => !faces.some((box) => contains(box, centre));
  const tiles = tilesOf(from, CARD_TILE, MIN_CARD_TILE, MIN_SIDE);
  const density = edgeDensity(from);
  const hinted = hints
    .filter(({ side }) => side <= MAX_HINT * tiles[0]!.side)
    .map(({ box, score }) => candidate(tileAround(box, tiles[0]!.side, from), 1 - score));
  const printed = tiles.map((tile) => candidate(tile, Math.abs(density(tile) - PRINT)));
  const chosen: Tile[] = [];
  choose(hinted.filter(unknown), count / 2, HINTS_SHARED, chosen);
  choose(printed.filter(unknown), count, shared, chosen);
  return chosen.map(viewOf);
}

interface Candidate {
  readonly tile: Tile;
  /** Smaller is more promising. */
  readonly distance: number;
}

/** Adds the most promising tiles that share little with those chosen, until there are `count`. */
function choose(candidates: readonly Candidate[], count: number, shared: number, chosen: Tile[]): void {
  for (const { tile } of candidates.toSorted((p, q) => p.distance - q.distance)) {
    if (chosen.length >= count) return;
    if (!chosen.some((other) => sharedPart(tile, other) > shared)) chosen.push(tile);
  }
}

/** In the picture as far as it fits. */
function tileAround({ x, y, width, height }: Box, side: number, size: Size): Tile {
  const within = (centre: number, length: number) =>
    Math.max(Math.min(side, length) / 2, Math.min(length - Math.min(side, length) / 2, centre));
  return { centre: { x: within(x + width / 2, size.width), y: within(y + height / 2, size.height) }, side };
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
  const toPicture = { a: 1 / scale, b: 0, c: 0, d: 1 / scale, tx: 0, ty: 0 };
  const grey = from.luminance(toPicture, width, height, 'edge');
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
