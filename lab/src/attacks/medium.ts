import type { Box } from '@wajah/engine';
import { between, blank, type Canvas, paint, toPixels } from '../recapture/canvas.ts';
import { glare } from '../recapture/light.ts';
import { asPrint, asScreen } from '../recapture/media.ts';
import { seeded } from '../recapture/random.ts';
import { recapture } from '../recapture/simulate.ts';
import { canvasOf, copyOf } from './still.ts';

/** A frame played on a screen and filmed with its surroundings; bezel and glare by the seed of the session. */
export function refilmed(frame: Canvas, face: Box, session: string): Canvas {
  const { data, width, height } = recapture(toPixels(frame), face, session);
  return canvasOf(data, width, height);
}

/** A frame played on a screen that fills the view: no bezel, the raster of the screen and sometimes a reflection. */
export function fullScreen(frame: Canvas, session: string): Canvas {
  const page = copyOf(frame);
  const random = seeded(`screen ${session}`);
  asScreen(page, random);
  if (random.chance(0.15)) glare(page, random);
  return page;
}

/** How a sheet of paper is held. Degrees. */
export interface Held {
  readonly yaw: number;
  readonly pitch: number;
  /** Bend about the vertical axis: angle between its middle and its edges. */
  readonly curl: number;
}

/** A print of the still before the camera, tilted and perhaps bent. */
export function heldPrint(still: Canvas, { yaw, pitch, curl }: Held, session: string): Canvas {
  const page = copyOf(still);
  asPrint(page, seeded(`print ${session}`));
  const { width, height } = page;
  const out = blank(width, height, [120, 118, 112]);
  const radians = Math.PI / 180;
  const [cy, sy] = [Math.cos(yaw * radians), Math.sin(yaw * radians)];
  const [cp, sp] = [Math.cos(pitch * radians), Math.sin(pitch * radians)];
  const camera = 1.6 * width;
  // Radius of the cylinder whose surface the sheet lies on.
  const radius = curl === 0 ? Number.POSITIVE_INFINITY : width / 2 / (curl * radians);
  const places = new Float32Array(width * height * 3).fill(Number.NaN);
  const isFlat = !Number.isFinite(radius);
  for (let u = 0; u < 2 * width; u++) {
    const along = u / 2 - width / 2;
    const px = isFlat ? along : radius * Math.sin(along / radius);
    const pz = isFlat ? 0 : radius * (1 - Math.cos(along / radius));
    for (let v = 0; v < 2 * height; v++) {
      const py = v / 2 - height / 2;
      const [x, y1, z1] = [cy * px - sy * pz, py, sy * px + cy * pz];
      const [y, z] = [cp * y1 + sp * z1, -sp * y1 + cp * z1];
      const near = camera / (camera + z);
      const [sx, sy2] = [Math.round(width / 2 + x * near), Math.round(height / 2 + y * near)];
      if (sx < 0 || sy2 < 0 || sx >= width || sy2 >= height) continue;
      const at = 3 * (sy2 * width + sx);
      if (places[at + 2]! < z) continue;
      places.set([u / 2, v / 2, z], at);
    }
  }
  paint(out, (value, channel, x, y) => {
    const at = 3 * (y * width + x);
    if (Number.isNaN(places[at]!)) return value;
    return between(page.planes[channel]!, width, height, places[at]!, places[at + 1]!);
  });
  return out;
}
