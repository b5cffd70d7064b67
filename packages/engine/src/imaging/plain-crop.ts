import type { Pixels, Scaling, Target } from './crop-kernel.ts';
import type { Affine } from './geometry.ts';

/** As `cutScaled`, without WASM: the exact values, in several times its time. */
export function cutPlainly(
  from: Pixels,
  m: Affine,
  to: Target,
  edge: boolean,
  { factors, summands, sum }: Scaling,
): void {
  const plane = to.width * to.height;
  const three = sum ? new Float32Array(3 * plane) : to.data;
  warp(from, m, { ...to, data: three }, edge);
  for (let i = 0; i < three.length; i++) {
    const channel = Math.floor(i / plane);
    three[i] = three[i]! * factors[channel]! + summands[channel]!;
  }
  for (let i = 0; sum && i < plane; i++) to.data[i] = three[i]! + three[i + plane]! + three[i + 2 * plane]!;
}

function warp(from: Pixels, m: Affine, { width, height, data }: Target, edge: boolean): void {
  const plane = width * height;
  const lastX = from.width - 1;
  const lastY = from.height - 1;
  for (let row = 0; row < height; row++) {
    let x = m.a * 0.5 + m.b * (row + 0.5) + m.tx - 0.5;
    let y = m.c * 0.5 + m.d * (row + 0.5) + m.ty - 0.5;
    for (let to = row * width, end = to + width; to < end; to++, x += m.a, y += m.c) {
      if (x >= 0 && y >= 0 && x < lastX && y < lastY) {
        bilinear(from, x, y, 3, from.width * 3, data, to, plane);
        continue;
      }
      // Half a pixel beyond the last centre still belongs to the picture.
      const inside = x >= -0.5 && y >= -0.5 && x <= lastX + 0.5 && y <= lastY + 0.5;
      if (!inside && !edge) {
        data[to] = data[to + plane] = data[to + 2 * plane] = 0;
        continue;
      }
      const cx = Math.max(0, Math.min(x, lastX));
      const cy = Math.max(0, Math.min(y, lastY));
      const right = cx < lastX ? 3 : 0;
      const below = cy < lastY ? from.width * 3 : 0;
      bilinear(from, cx, cy, right, below, data, to, plane);
    }
  }
}

/**
 * Writes one RGB value. (x, y) lies in the picture and counts from the centre of the first pixel; `right` and `below` are the
 * distances of its neighbours in `pixels`.
 */
function bilinear(
  { pixels, width }: Pixels,
  x: number,
  y: number,
  right: number,
  below: number,
  data: Float32Array,
  to: number,
  plane: number,
): void {
  const x0 = x | 0;
  const y0 = y | 0;
  const fx = x - x0;
  const fy = y - y0;
  const p = (y0 * width + x0) * 3;
  const q = p + below;
  // Written out: the loop over three channels takes twice as long.
  const top0 = pixels[p]! + (pixels[p + right]! - pixels[p]!) * fx;
  const low0 = pixels[q]! + (pixels[q + right]! - pixels[q]!) * fx;
  data[to] = top0 + (low0 - top0) * fy;
  const top1 = pixels[p + 1]! + (pixels[p + right + 1]! - pixels[p + 1]!) * fx;
  const low1 = pixels[q + 1]! + (pixels[q + right + 1]! - pixels[q + 1]!) * fx;
  data[to + plane] = top1 + (low1 - top1) * fy;
  const top2 = pixels[p + 2]! + (pixels[p + right + 2]! - pixels[p + 2]!) * fx;
  const low2 = pixels[q + 2]! + (pixels[q + right + 2]! - pixels[q + 2]!) * fx;
  data[to + 2 * plane] = top2 + (low2 - top2) * fy;
}
