import { type Affine, intersection, squareCrop } from './geometry.ts';
import { faceBox } from './landmarks.ts';
import type { Sampler } from './sampler.ts';
import { type Detection, detect, suppress, VIEW } from './stages/detect.ts';
import { type Mesh, meshOf } from './stages/mesh.ts';
import type { Models } from './stages/model.ts';
import type { Box } from './types.ts';

/** A face that passed the gate, and where it lies. */
export interface FoundFace {
  readonly detection: Detection;
  readonly mesh: Mesh;
  /** Brow to chin, temple to temple; pixels of the upright picture, may reach beyond its edges. */
  readonly box: Box;
}

/** Side of a tile over the shorter side of the picture. */
const TILE = 0.6;
/** Step from tile to tile over the side of a tile. */
const TILE_STEP = 0.5;
/** A face that fills the frame is found when the picture takes up less of the view. */
const ZOOM_OUT = 1.8;
/** Two faces that share more than this of the smaller one are one face seen twice. */
const SAME_FACE = 0.5;

/**
 * Finds the faces of a picture, the most prominent first.
 *
 * `fast` looks at the whole picture; only when nobody is there it goes over tiles (small faces), a zoomed-out
 * view (a face that fills the frame) and quarter turns (a picture that lies on its side without saying so).
 * `thorough` always goes over the tiles.
 */
export async function findFaces(
  models: Models,
  from: Sampler,
  search: 'fast' | 'thorough',
): Promise<FoundFace[]> {
  const look = async (views: readonly Affine[]): Promise<FoundFace[]> => gate(models, from, views);
  const whole = wholeView(from);
  let faces = await look(search === 'fast' ? [whole] : [whole, ...tileViews(from)]);
  if (faces.length === 0 && search === 'fast') faces = await look(tileViews(from));
  for (const view of [wholeView(from, ZOOM_OUT), ...[1, 3, 2].map((turns) => wholeView(from, 1, turns))]) {
    if (faces.length > 0) break;
    faces = await look([view]);
  }
  return faces.sort((p, q) => prominence(q.box, from) - prominence(p.box, from));
}

async function gate(models: Models, from: Sampler, views: readonly Affine[]): Promise<FoundFace[]> {
  const seen: Detection[] = [];
  for (const view of views) seen.push(...(await detect(models.detector, from, view)));
  const gateAt = models.mesh.spec.threshold ?? 0.5;
  const faces: FoundFace[] = [];
  for (const detection of suppress(seen)) {
    const mesh = await meshOf(models.mesh, from, detection);
    if (mesh.score >= gateAt) faces.push({ detection, mesh, box: faceBox(mesh) });
  }
  return withoutRepeats(faces);
}

/** The whole picture in the middle of a square view, `zoomOut` times as wide as needed, turned by quarter turns. */
export function wholeView({ width, height }: Sampler, zoomOut = 1, quarterTurns = 0): Affine {
  const centre = { x: width / 2, y: height / 2 };
  return squareCrop(centre, Math.max(width, height) * zoomOut, (quarterTurns * Math.PI) / 2, VIEW);
}

/** Overlapping squares that cover the picture. */
export function tileViews({ width, height }: Sampler): Affine[] {
  const side = Math.min(width, height) * TILE;
  const views: Affine[] = [];
  for (const y of starts(height, side)) {
    for (const x of starts(width, side))
      views.push(squareCrop({ x: x + side / 2, y: y + side / 2 }, side, 0, VIEW));
  }
  return views;
}

/** Evenly spread starts, the first at 0 and the last flush with the end. */
function starts(length: number, side: number): number[] {
  const steps = Math.max(1, Math.ceil((length - side) / (side * TILE_STEP)));
  return Array.from({ length: steps + 1 }, (_, i) => ((length - side) * i) / steps);
}

/** Tiles cut faces in two: keeps the larger of two that lie in one another. */
function withoutRepeats(faces: readonly FoundFace[]): FoundFace[] {
  const area = ({ box }: FoundFace) => box.width * box.height;
  const kept: FoundFace[] = [];
  for (const face of [...faces].sort((p, q) => q.mesh.score - p.mesh.score || area(q) - area(p))) {
    const repeats = kept.some(
      (other) => intersection(face.box, other.box) > SAME_FACE * Math.min(area(face), area(other)),
    );
    if (!repeats) kept.push(face);
  }
  return kept;
}

/** Area weighted by closeness to the centre: a face at the edge counts half. */
function prominence(box: Box, { width, height }: Sampler): number {
  const away = Math.hypot(box.x + box.width / 2 - width / 2, box.y + box.height / 2 - height / 2);
  return box.width * box.height * (1 - away / Math.hypot(width, height));
}
