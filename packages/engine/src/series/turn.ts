import type { Pose } from '../types.ts';

/** Degrees by which two faces are turned from each other; 0 where the pose of one is not known. */
export function angleBetween({ pose: a }: { pose?: Pose }, { pose: b }: { pose?: Pose }): number {
  return a && b ? Math.hypot(a.yaw - b.yaw, a.pitch - b.pitch) : 0;
}
