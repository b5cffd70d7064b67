import type { Eyes, Pose, StateEstimate } from '@wajah/engine';
import type { AngleName } from '../services.ts';

/**
 * Where a head points: front when both angles are below `front` degrees; otherwise the larger of yaw and
 * pitch decides. Undefined on the line between two directions.
 *
 * @param front degrees, exclusive for the front and inclusive for the others
 */
export function angleOf({ yaw, pitch }: Pose, front: number): AngleName | undefined {
  const [sideways, upright] = [Math.abs(yaw), Math.abs(pitch)];
  if (sideways < front && upright < front) return 'face front';
  if (sideways > upright) return yaw > 0 ? 'face left' : 'face right';
  if (upright > sideways) return pitch > 0 ? 'face up' : 'face down';
  return undefined;
}

/** Degrees by which a pose lies inside a direction; negative: outside of it. */
export function angleMargin({ yaw, pitch }: Pose, name: AngleName, front: number): number {
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

/** Error of the measured angles, degrees: mean 1–4° up to 30° (see the accuracy report). */
const angleError = 4;

/** Probability (0…1) that the head points where it was asked to, given the error of the measured angles. */
export function angleEvidence(pose: Pose, name: AngleName, front: number): number {
  // A logistic curve with this slope stays within 0.01 of the normal distribution.
  return 1 / (1 + Math.exp((-1.702 * angleMargin(pose, name, front)) / angleError));
}

/** Eyes are open when both are, and closed when both are. */
export function eyesAre(eyes: Eyes, asked: 'open' | 'closed'): boolean {
  return eyes.left.state === asked && eyes.right.state === asked;
}

/** Probability (0…1) that both eyes are as asked. */
export function eyesEvidence(eyes: Eyes, asked: 'open' | 'closed'): number {
  return probability(eyes.left, asked) * probability(eyes.right, asked);
}

/** Probability (0…1) of a state, from the state that was judged and its score. */
export function probability<State extends string>(judged: StateEstimate<State>, asked: State): number {
  return judged.state === asked ? judged.score : 1 - judged.score;
}
