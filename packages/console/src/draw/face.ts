/** Contours as indices of MediaPipe's canonical face mesh. Left and right are the person's. */
export const contours = {
  oval: [
    10, 338, 297, 332, 284, 251, 389, 356, 454, 323, 361, 288, 397, 365, 379, 378, 400, 377, 152, 148, 176,
    149, 150, 136, 172, 58, 132, 93, 234, 127, 162, 21, 54, 103, 67, 109,
  ],
  leftEye: [263, 249, 390, 373, 374, 380, 381, 382, 362, 398, 384, 385, 386, 387, 388, 466],
  rightEye: [33, 7, 163, 144, 145, 153, 154, 155, 133, 173, 157, 158, 159, 160, 161, 246],
  lips: [61, 146, 91, 181, 84, 17, 314, 405, 321, 375, 291, 409, 270, 269, 267, 0, 37, 39, 40, 185],
  innerLips: [78, 95, 88, 178, 87, 14, 317, 402, 318, 324, 308, 415, 310, 311, 312, 13, 82, 81, 80, 191],
} as const;

/** Index of the tip of the nose. */
const noseTip = 1;

/** x, y, z in pixels of the upright picture. */
export type MeshPoint = readonly [number, number, number];

/** A closed contour as the `d` of an SVG path, without missing points. */
export function outlineOf(mesh: readonly MeshPoint[], line: readonly number[]): string {
  const corners = line.flatMap((index) => {
    const point = mesh[index];
    return point ? [`${short(point[0])} ${short(point[1])}`] : [];
  });
  return corners.length === 0 ? '' : `M${corners.join('L')}Z`;
}

/** Every point as a dot: a stroke of length 0 with round caps. */
export function dotsOf(mesh: readonly MeshPoint[]): string {
  return mesh.map(([x, y]) => `M${short(x)} ${short(y)}h0`).join('');
}

export function noseOf(mesh: readonly MeshPoint[]): { x: number; y: number } | undefined {
  const point = mesh[noseTip];
  return point && { x: point[0], y: point[1] };
}

function short(value: number): string {
  return value.toFixed(1);
}

/** Head pose in degrees: positive yaw to the person's left, pitch up, roll to the person's left shoulder. */
interface Angles {
  readonly yaw: number;
  readonly pitch: number;
  readonly roll: number;
}

/** A projected unit vector in the picture, x to the right, y down. */
type Direction = readonly [x: number, y: number];

/**
 * The axes of the head, projected on the picture.
 * @example poseAxes({ yaw: 90, pitch: 0, roll: 0 }).forward; // [1, 0]: the person's left is the picture's right
 */
export function poseAxes({ yaw, pitch, roll }: Angles): Record<'forward' | 'left' | 'up', Direction> {
  const [sinYaw, cosYaw] = sineAndCosine(yaw);
  const [sinPitch, cosPitch] = sineAndCosine(pitch);
  const [sinRoll, cosRoll] = sineAndCosine(roll);
  const tilted = (x: number, y: number): Direction => [x * cosRoll - y * sinRoll, x * sinRoll + y * cosRoll];
  return {
    forward: tilted(sinYaw * cosPitch, -sinPitch),
    left: tilted(cosYaw, 0),
    up: tilted(-sinPitch * sinYaw, -cosPitch),
  };
}

function sineAndCosine(degrees: number): [number, number] {
  const angle = (degrees * Math.PI) / 180;
  return [Math.sin(angle), Math.cos(angle)];
}
