import { distance, middle } from '../../imaging/geometry.ts';
import type { FacePoints, Portrait } from './portrait.ts';

/** A square of a portrait, pixels of its crop; may reach beyond the edges. */
export interface Zone {
  readonly x: number;
  readonly y: number;
  readonly side: number;
}

/** Side of a zone over the distance of the eyes. */
const SIDE = 0.3;

/**
 * The measurement zones of the person's right and left cheek: halfway between eyes and mouth, from the line through the
 * eye outwards.
 */
export function cheekZones({ fromPicture }: Portrait, points: FacePoints): [right: Zone, left: Zone] {
  const [rightEye, leftEye] = [fromPicture(points.rightEye), fromPicture(points.leftEye)];
  const side = Math.max(1, Math.floor(distance(rightEye, leftEye) * SIDE));
  const down = distance(middle(rightEye, leftEye), fromPicture(points.mouth)) / 2;
  const zone = (x: number, y: number) => ({ x: Math.round(x), y: Math.round(y + down), side });
  return [zone(rightEye.x - side, rightEye.y), zone(leftEye.x, leftEye.y)];
}
