/** Angles of a head in degrees: yaw > 0 to the own left, pitch > 0 up, roll > 0 towards the own left shoulder. */
export interface Angles {
  readonly yaw: number;
  readonly pitch: number;
  readonly roll: number;
}

/** A direction in the picture, x to the right and y down; shorter than 1 where it points at the viewer or away. */
export type Direction = readonly [x: number, y: number];

/**
 * Where the head's own axes point in the picture.
 * @example poseAxes({ yaw: 90, pitch: 0, roll: 0 }).forward; // [1, 0]: the own left is the right of the picture
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
