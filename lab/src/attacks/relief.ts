import { type Matrix3, rotate } from '@wajah/engine/training';
import { between, type Canvas } from '../recapture/canvas.ts';
import { smoothStep } from './curves.ts';
import { copyOf, type Still } from './still.ts';

/** Side of the squares that the relief is cut into, pixels. */
const CELL = 8;
/** Distance of the camera over the width of a face. */
const CAMERA = 3.6;

/** A still bent over the relief of its own mesh. */
export interface Relief {
  readonly columns: number;
  readonly rows: number;
  /** Behind the plane of the face's edge, pixels, for each corner of the squares. */
  readonly depth: Float32Array;
  /** Share with which a corner turns with the head: 1 on the face, 0 in the room behind. */
  readonly turns: Float32Array;
  /** Centre of rotation and width of the face, pixels. */
  readonly pivot: readonly [number, number, number];
  readonly unit: number;
}

/** How the head is turned, and how the hand holds the camera. */
export interface Turn {
  /** Angles as those of `Pose`, degrees; roll turns the whole picture. */
  readonly yaw: number;
  readonly pitch: number;
  readonly roll: number;
  /** Enlargement of the whole picture, from 1 on. */
  readonly zoom: number;
  /** Shift of the whole picture, pixels. */
  readonly x: number;
  readonly y: number;
  /** Distance of the camera from the centre of rotation over the width of a face; by default that of the still. */
  readonly away?: number;
}

/** Depth over that of the mesh. */
const GAIN = 1.15;

export function reliefOf({ canvas, mesh }: Still): Relief {
  const columns = Math.ceil((canvas.width - 1) / CELL) + 1;
  const rows = Math.ceil((canvas.height - 1) / CELL) + 1;
  const unit = mesh[3 * 454]! - mesh[3 * 234]!;
  const [cx, cy] = [(mesh[3 * 454]! + mesh[3 * 234]!) / 2, (mesh[3 * 10 + 1]! + mesh[3 * 152 + 1]!) / 2];
  const half = (mesh[3 * 152 + 1]! - mesh[3 * 10 + 1]!) / 2;
  const edge = (mesh[3 * 454 + 2]! + mesh[3 * 234 + 2]!) / 2;
  const depth = new Float32Array(columns * rows);
  const turns = new Float32Array(columns * rows);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const [x, y] = [column * CELL, row * CELL];
      const apart = Math.hypot((x - cx) / (0.62 * unit), (y - cy) / (y > cy ? 1.15 * half : 1.4 * half));
      const at = row * columns + column;
      depth[at] = (depthAt(mesh, x, y) - edge) * GAIN + 0.5 * unit * smoothStep(apart, 0.85, 1.6);
      turns[at] = 1 - smoothStep(apart, 1, 1.9);
    }
  }
  // The points of the mesh are sparse on the cheeks: without smoothing they stand out as spikes when the head turns.
  const smooth = smoothed(smoothed(depth, columns, rows), columns, rows);
  return { columns, rows, depth: smooth, turns, pivot: [cx, cy + 0.25 * half, 0.55 * unit], unit };
}

/** Means over 3 × 3 corners; the edge is repeated outside. */
function smoothed(values: Float32Array, columns: number, rows: number): Float32Array {
  const clamp = (value: number, most: number) => Math.max(0, Math.min(most, value));
  return values.map((_, at) => {
    const [column, row] = [at % columns, Math.floor(at / columns)];
    let sum = 0;
    for (let dy = -1; dy <= 1; dy++) {
      for (let dx = -1; dx <= 1; dx++) {
        sum += values[clamp(row + dy, rows - 1) * columns + clamp(column + dx, columns - 1)]!;
      }
    }
    return sum / 9;
  });
}

/** Depth of the mesh at a place: mean over its points, weighted by distance to the power of −4. */
function depthAt(mesh: Float32Array, x: number, y: number): number {
  let [sum, weights] = [0, 0];
  for (let i = 0; i < mesh.length; i += 3) {
    const square = (mesh[i]! - x) ** 2 + (mesh[i + 1]! - y) ** 2 + 4;
    const weight = 1 / (square * square);
    sum += weight * mesh[i + 2]!;
    weights += weight;
  }
  return sum / weights;
}

/** Draws the relief turned. @param canvas the still, or the still with another expression */
export function turned(canvas: Canvas, relief: Relief, turn: Turn): Canvas {
  const { columns, rows } = relief;
  const places = held(corners(relief, turn), canvas, turn);
  const out = copyOf(canvas);
  const nearest = new Float32Array(canvas.width * canvas.height).fill(Number.POSITIVE_INFINITY);
  for (let row = 1; row < rows; row++) {
    for (let column = 1; column < columns; column++) {
      const [c, d] = [row * columns + column - 1, row * columns + column];
      const [a, b] = [c - columns, d - columns];
      drawTriangle(canvas, out, nearest, places, relief, [a, b, c]);
      drawTriangle(canvas, out, nearest, places, relief, [b, d, c]);
    }
  }
  return out;
}

/** x, y and depth at which each corner is seen. */
function corners({ columns, rows, depth, turns, pivot, unit }: Relief, turn: Turn): Float32Array {
  const [own, camera] = [CAMERA * unit, (turn.away ?? CAMERA) * unit];
  const rotation = rotationOf(turn);
  const cloud = new Float32Array(columns * rows * 3);
  for (let at = 0; at < columns * rows; at++) {
    cloud[3 * at] = (at % columns) * CELL - pivot[0];
    cloud[3 * at + 1] = Math.floor(at / columns) * CELL - pivot[1];
    cloud[3 * at + 2] = depth[at]! - pivot[2];
  }
  const seen = rotate(rotation, cloud);
  for (let at = 0; at < columns * rows; at++) {
    const share = turns[at]!;
    const [z, back] = [seen[3 * at + 2]!, cloud[3 * at + 2]!];
    for (const axis of [0, 1]) {
      const i = 3 * at + axis;
      const moved = (seen[i]! * (own + back) * (camera / own)) / (camera + z);
      seen[i] = pivot[axis]! + cloud[i]! + share * (moved - cloud[i]!);
    }
    seen[3 * at + 2] = back + share * (z - back);
  }
  return seen;
}

/** Moves the corners with the camera, in place. */
function held(places: Float32Array, { width, height }: Canvas, { roll, zoom, x, y }: Turn): Float32Array {
  const [cos, sin] = [zoom * Math.cos((roll * Math.PI) / 180), zoom * Math.sin((roll * Math.PI) / 180)];
  for (let i = 0; i < places.length; i += 3) {
    const [u, v] = [places[i]! - width / 2, places[i + 1]! - height / 2];
    places[i] = width / 2 + cos * u - sin * v + x;
    places[i + 1] = height / 2 + sin * u + cos * v + y;
  }
  return places;
}

/** Rotation by yaw and then pitch: x to the right of the picture, y down, z away. */
function rotationOf({ yaw, pitch }: Turn): Matrix3 {
  const radians = Math.PI / 180;
  const [cy, sy] = [Math.cos(yaw * radians), Math.sin(yaw * radians)];
  const [cp, sp] = [Math.cos(pitch * radians), Math.sin(pitch * radians)];
  return [cy, sy * sp, -sy * cp, 0, cp, sp, sy, -cy * sp, cy * cp];
}

function drawTriangle(
  from: Canvas,
  to: Canvas,
  nearest: Float32Array,
  places: Float32Array,
  { columns }: Relief,
  [a, b, c]: readonly [number, number, number],
): void {
  const [ax, ay, bx, by] = [places[3 * a]!, places[3 * a + 1]!, places[3 * b]!, places[3 * b + 1]!];
  const [cx, cy] = [places[3 * c]!, places[3 * c + 1]!];
  const area = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay);
  // Seen from behind, or on edge.
  if (!(area > 1e-6)) return;
  const { width, height } = to;
  const [left, right] = [
    Math.max(0, Math.ceil(Math.min(ax, bx, cx))),
    Math.min(width - 1, Math.max(ax, bx, cx)),
  ];
  const [top, bottom] = [
    Math.max(0, Math.ceil(Math.min(ay, by, cy))),
    Math.min(height - 1, Math.max(ay, by, cy)),
  ];
  const source = (corner: number) =>
    [(corner % columns) * CELL, Math.floor(corner / columns) * CELL] as const;
  const [sa, sb, sc] = [source(a), source(b), source(c)];
  for (let y = top; y <= bottom; y++) {
    for (let x = left; x <= right; x++) {
      const wb = ((x - ax) * (cy - ay) - (cx - ax) * (y - ay)) / area;
      const wc = ((bx - ax) * (y - ay) - (x - ax) * (by - ay)) / area;
      const wa = 1 - wb - wc;
      if (wa < -1e-6 || wb < -1e-6 || wc < -1e-6) continue;
      const depth = wa * places[3 * a + 2]! + wb * places[3 * b + 2]! + wc * places[3 * c + 2]!;
      const at = y * width + x;
      if (depth >= nearest[at]!) continue;
      nearest[at] = depth;
      const [sx, sy] = [wa * sa[0] + wb * sb[0] + wc * sc[0], wa * sa[1] + wb * sb[1] + wc * sc[1]];
      for (const [k, plane] of from.planes.entries())
        to.planes[k]![at] = between(plane, width, height, sx, sy);
    }
  }
}
