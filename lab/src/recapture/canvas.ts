import type { RgbPixels } from '@wajah/engine/training';

/** Three planes of gamma-encoded values, nominally 0…255, clipped only at the end. */
export interface Canvas {
  readonly width: number;
  readonly height: number;
  /** r, g, b, row by row. */
  readonly planes: readonly [Float32Array, Float32Array, Float32Array];
}

/** A uniform canvas. */
export function blank(width: number, height: number, colour: readonly number[]): Canvas {
  const plane = (channel: number) => new Float32Array(width * height).fill(colour[channel]!);
  return { width, height, planes: [plane(0), plane(1), plane(2)] };
}

/**
 * Part of a picture, resized to width × height (mean of up to 4 × 4 samples per pixel); the edge is repeated outside.
 * @param part left, top, width, height in pixels of the picture
 */
export function cut(
  pixels: RgbPixels,
  part: readonly [number, number, number, number],
  width: number,
  height: number,
): Canvas {
  const canvas = blank(width, height, [0, 0, 0]);
  const [left, top, partWidth, partHeight] = part;
  const fine = Math.min(4, Math.max(1, Math.ceil(Math.max(partWidth / width, partHeight / height))));
  const columns = places(left, partWidth, width * fine, pixels.width);
  const rows = places(top, partHeight, height * fine, pixels.height);
  const [r, g, b] = canvas.planes;
  for (let y = 0; y < height * fine; y++) {
    const to = Math.floor(y / fine) * width;
    for (let x = 0; x < width * fine; x++) {
      const from = (rows[y]! * pixels.width + columns[x]!) * 3;
      const at = to + Math.floor(x / fine);
      r[at]! += pixels.data[from]!;
      g[at]! += pixels.data[from + 1]!;
      b[at]! += pixels.data[from + 2]!;
    }
  }
  for (const plane of canvas.planes) plane.set(plane.map((sum) => sum / fine ** 2));
  return canvas;
}

/** Pixel index of each of `count` even steps over a part. */
function places(start: number, length: number, count: number, limit: number): Int32Array {
  return Int32Array.from({ length: count }, (_, i) =>
    Math.max(0, Math.min(limit - 1, Math.floor(start + ((i + 0.5) / count) * length))),
  );
}

/** Bilinear; the edge is repeated outside. */
export function between(plane: Float32Array, width: number, height: number, x: number, y: number): number {
  const cx = Math.max(0, Math.min(width - 1.001, x));
  const cy = Math.max(0, Math.min(height - 1.001, y));
  const x0 = Math.floor(cx);
  const y0 = Math.floor(cy);
  const fx = cx - x0;
  const fy = cy - y0;
  const at = y0 * width + x0;
  const upper = plane[at]! * (1 - fx) + plane[at + 1]! * fx;
  const lower = plane[at + width]! * (1 - fx) + plane[at + width + 1]! * fx;
  return upper * (1 - fy) + lower * fy;
}

/** Changes each value in place. */
export function paint(
  canvas: Canvas,
  change: (value: number, channel: number, x: number, y: number) => number,
): void {
  canvas.planes.forEach((plane, channel) => {
    for (let y = 0; y < canvas.height; y++) {
      for (let x = 0; x < canvas.width; x++) {
        const at = y * canvas.width + x;
        plane[at] = change(plane[at]!, channel, x, y);
      }
    }
  });
}

/** Gaussian blur in place; standard deviation in pixels. */
export function blur(canvas: Canvas, sigma: number): void {
  const reach = Math.max(1, Math.ceil(2.5 * sigma));
  const kernel = Float64Array.from({ length: 2 * reach + 1 }, (_, i) =>
    Math.exp(-((i - reach) ** 2) / (2 * sigma * sigma)),
  );
  const total = kernel.reduce((sum, value) => sum + value, 0);
  for (const plane of canvas.planes) {
    for (const [stride, length, lines, step] of [
      [1, canvas.width, canvas.height, canvas.width],
      [canvas.width, canvas.height, canvas.width, 1],
    ] as const) {
      const line = new Float32Array(length);
      for (let l = 0; l < lines; l++) {
        for (let i = 0; i < length; i++) line[i] = plane[l * step + i * stride]!;
        for (let i = 0; i < length; i++) {
          let sum = 0;
          for (let k = -reach; k <= reach; k++) {
            sum += kernel[k + reach]! * line[Math.max(0, Math.min(length - 1, i + k))]!;
          }
          plane[l * step + i * stride] = sum / total;
        }
      }
    }
  }
}

/** 8-bit pixels of a canvas, clipped. */
export function toPixels(canvas: Canvas): RgbPixels {
  const { width, height, planes } = canvas;
  const data = new Uint8Array(width * height * 3);
  for (let i = 0; i < width * height; i++) {
    for (let c = 0; c < 3; c++) data[i * 3 + c] = Math.max(0, Math.min(255, Math.round(planes[c]![i]!)));
  }
  return { data, width, height };
}
