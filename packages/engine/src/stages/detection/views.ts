import { type Affine, squareCrop } from '../../imaging/geometry.ts';
import type { Sampler } from '../../imaging/sampler.ts';
import type { Point } from '../../types.ts';

/** Side of a square view of the picture, pixels. A detector with a larger input samples the same view more finely. */
export const VIEW = 256;

/** A picture's size in pixels. */
export type Size = Pick<Sampler, 'width' | 'height'>;

/** An upright square of a picture, pixels. */
export interface Tile {
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

export function viewOf({ centre, side }: Tile): Affine {
  return squareCrop(centre, side, 0, VIEW);
}

/**
 * @param share side over the shorter side of the picture
 * @param least of its longer side
 * @param leastSide pixels
 */
export function tilesOf({ width, height }: Size, share: number, least: number, leastSide = 1): Tile[] {
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
