/** A picture laid over a relief. */
export interface Surface {
  /** RGB, row-major. */
  readonly pixels: Uint8Array;
  readonly width: number;
  readonly height: number;
  /** How far behind the picture's plane a place lies, pixels; smaller is nearer. */
  depthAt(x: number, y: number): number;
  /** Whether the place is there at all. */
  shown(x: number, y: number): boolean;
}

/** Where a place of the surface is seen: pixels, and how far away (for what hides what). */
export type Place = (x: number, y: number, z: number) => [x: number, y: number, depth: number];

/** Side of the squares that the relief is cut into, pixels. */
const CELL = 6;

/** A corner of a square: where it is on the surface, and where it is seen. */
type Corner = readonly [seen: readonly [number, number, number], x: number, y: number];

/**
 * Draws a surface as seen, before a plain room: a small rasteriser with a depth buffer.
 * @returns RGB of the surface's size
 */
export function drawSurface(surface: Surface, place: Place): Uint8Array {
  const { width, height } = surface;
  const image = room(width, height);
  const nearest = new Float32Array(width * height).fill(Number.POSITIVE_INFINITY);
  const columns = Math.floor((width - 1) / CELL);
  const rows = Math.floor((height - 1) / CELL);
  const corner = (column: number, row: number): Corner | null => {
    const [x, y] = [column * CELL, row * CELL];
    return surface.shown(x, y) ? [place(x, y, surface.depthAt(x, y)), x, y] : null;
  };
  let above = Array.from({ length: columns + 1 }, (_, column) => corner(column, 0));
  for (let row = 1; row <= rows; row++) {
    const below = Array.from({ length: columns + 1 }, (_, column) => corner(column, row));
    for (let column = 0; column < columns; column++) {
      const [a, b, c, d] = [above[column], above[column + 1], below[column], below[column + 1]];
      if (!a || !b || !c || !d) continue;
      drawTriangle(surface, image, nearest, [a, b, c]);
      drawTriangle(surface, image, nearest, [b, d, c]);
    }
    above = below;
  }
  return image;
}

function room(width: number, height: number): Uint8Array {
  const image = new Uint8Array(width * height * 3);
  for (let i = 0; i < image.length; i += 3) {
    const shade = Math.round(40 * (i / image.length));
    image[i] = 150 - shade;
    image[i + 1] = 165 - shade;
    image[i + 2] = 178 - shade;
  }
  return image;
}

function drawTriangle(
  surface: Surface,
  image: Uint8Array,
  nearest: Float32Array,
  [a, b, c]: readonly [Corner, Corner, Corner],
): void {
  const [[ax, ay, az], [bx, by, bz], [cx, cy, cz]] = [a[0], b[0], c[0]];
  const area = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay);
  // Seen from behind, or on edge.
  if (!(area > 1e-6)) return;
  const { width, height } = surface;
  const [left, right] = [
    Math.max(0, Math.ceil(Math.min(ax, bx, cx))),
    Math.min(width - 1, Math.floor(Math.max(ax, bx, cx))),
  ];
  const [top, bottom] = [
    Math.max(0, Math.ceil(Math.min(ay, by, cy))),
    Math.min(height - 1, Math.floor(Math.max(ay, by, cy))),
  ];
  for (let y = top; y <= bottom; y++) {
    for (let x = left; x <= right; x++) {
      const wb = ((x - ax) * (cy - ay) - (cx - ax) * (y - ay)) / area;
      const wc = ((bx - ax) * (y - ay) - (x - ax) * (by - ay)) / area;
      const wa = 1 - wb - wc;
      if (wa < -1e-9 || wb < -1e-9 || wc < -1e-9) continue;
      const depth = wa * az + wb * bz + wc * cz;
      const at = y * width + x;
      if (depth >= nearest[at]!) continue;
      nearest[at] = depth;
      copyPixel(surface, wa * a[1] + wb * b[1] + wc * c[1], wa * a[2] + wb * b[2] + wc * c[2], image, at * 3);
    }
  }
}

/** Bilinear. */
function copyPixel(
  { pixels, width, height }: Surface,
  x: number,
  y: number,
  image: Uint8Array,
  to: number,
): void {
  const x0 = Math.min(width - 2, Math.max(0, Math.floor(x)));
  const y0 = Math.min(height - 2, Math.max(0, Math.floor(y)));
  const [fx, fy] = [x - x0, y - y0];
  const p = (y0 * width + x0) * 3;
  const q = p + width * 3;
  for (let channel = 0; channel < 3; channel++) {
    const top = pixels[p + channel]! * (1 - fx) + pixels[p + 3 + channel]! * fx;
    const low = pixels[q + channel]! * (1 - fx) + pixels[q + 3 + channel]! * fx;
    image[to + channel] = top * (1 - fy) + low * fy;
  }
}
