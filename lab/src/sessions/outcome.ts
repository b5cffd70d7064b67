import type { Verdict } from './service.ts';

/** A judged session of the measurement. */
export interface SessionOutcome extends Verdict {
  /** The real person before the camera, or whose picture was used. */
  readonly person: string;
}

/** Sessions of one kind: honest ones, or attacks of one species. */
export interface SessionGroup {
  readonly name: string;
  readonly kind: 'honest' | 'attack';
  /** Whether they are animated stills, which have a goal of their own. */
  readonly animated: boolean;
  readonly outcomes: readonly SessionOutcome[];
}
