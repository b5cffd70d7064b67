import type { Angle } from '@wajah/contract';
import type { Eyes, Pose, StateEstimate } from '@wajah/engine';

/**
 * The direction of a head: front when both angles are below `front` degrees, otherwise that of the larger of yaw and
 * pitch; undefined when both are equal.
 *
 * @param front degrees; a head at this angle does not face the front
 */
export function angleOf({ yaw, pitch }: Pose, front: number): Angle | undefined {
  const [sideways, upright] = [Math.abs(yaw), Math.abs(pitch)];
  if (sideways < front && upright < front) return 'face front';
  if (sideways > upright) return yaw > 0 ? 'face left' : 'face right';
  if (upright > sideways) return pitch > 0 ? 'face up' : 'face down';
  return undefined;
}

/** Distance of a pose from the border of a direction, degrees; negative outside of it. */
export function angleMargin({ yaw, pitch }: Pose, name: Angle, front: number): number {
  const [sideways, upright] = [Math.abs(yaw), Math.abs(pitch)];
  switch (name) {
    case 'face front':
      return front - Math.max(sideways, upright);
    case 'face left':
      return Math.min(yaw - front, yaw - upright);
    case 'face right':
      return Math.min(-yaw - front, -yaw - upright);
    case 'face up':
      return Math.min(pitch - front, pitch - sideways);
    case 'face down':
      return Math.min(-pitch - front, -pitch - sideways);
  }
}

/** Mean error of the estimated angles, degrees: 1–4° up to 30° (docs/accuracy.md). */
const angleError = 4;

/** Probability (0…1) that the head has a direction, given the error of the estimated angles. */
export function angleEvidence(pose: Pose, name: Angle, front: number): number {
  // The logistic curve with this slope approximates the normal distribution within 0.01.
  return 1 / (1 + Math.exp((-1.702 * angleMargin(pose, name, front)) / angleError));
}

/** Eyes are open when both are, and closed when both are. */
export function eyesAre(eyes: Eyes, required: 'open' | 'closed'): boolean {
  return eyes.left.state === required && eyes.right.state === required;
}

/** Probability (0…1) that both eyes have a state. */
export function eyesEvidence(eyes: Eyes, required: 'open' | 'closed'): number {
  return stateEvidence(eyes.left, required) * stateEvidence(eyes.right, required);
}

/** Probability (0…1) of a state, from the judged state and its score. */
export function stateEvidence<State extends string>(judged: StateEstimate<State>, required: State): number {
  return judged.state === required ? judged.score : 1 - judged.score;
}
