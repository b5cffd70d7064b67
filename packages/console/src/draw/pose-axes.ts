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
