import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type CloserJudgement,
  type Face,
  judgePerspective,
  pairsToCompare,
  perspectiveChange,
} from '@wajah/engine';
import { createReason, type Reason } from './reasons.ts';

/** Least size of a face that came closer over its size before. */
const LEAST_GROWTH = 1.5;

/** How a face came closer in the frames of a session that asks for it. */
export interface Closer extends CloserJudgement {
  /** Its size after over its size before. */
  readonly growth: number;
  /** Whether it came close enough to be judged. */
  readonly performed: boolean;
}

/**
 * Compares faces of the step `face closer` with those of the front, a pair in each turn of the event loop.
 * @param far and `near`: analysed with `pose` and `aligned`
 */
export async function measureCloser(far: readonly Face[], near: readonly Face[]): Promise<Closer> {
  const growth = sizeOf(near) / sizeOf(far);
  const performed = growth >= LEAST_GROWTH;
  const measured: ReturnType<typeof perspectiveChange>[] = [];
  for (const [before, after] of performed ? pairsToCompare(far, near) : []) {
    measured.push(perspectiveChange(before.aligned!, after.aligned!));
    await nextTurn();
  }
  return { growth, performed, ...judgePerspective(measured) };
}

/** Median size of a face; not a number without one. */
function sizeOf(faces: readonly Face[]): number {
  const sizes = faces.flatMap(({ aligned }) => aligned?.unit ?? []).sort((a, b) => a - b);
  return sizes[sizes.length >> 1] ?? Number.NaN;
}

/** A print and a screen grow without the perspective of a head; who blurs their frames shows none either. */
export function checkCloser(closer: Closer | undefined): Reason[] {
  if (!closer?.performed || closer.verdict === 'head') return [];
  const { verdict, change, error, pairs, growth } = closer;
  const finding =
    verdict === 'flat'
      ? 'the face grows as a flat picture does that comes closer, without the perspective of a head'
      : 'the perspective of the face that comes closer cannot be measured';
  const figures = `${change.toFixed(3)} ± ${error.toFixed(3)} from ${pairs} ${pairs === 1 ? 'pair' : 'pairs'}, ${growth.toFixed(2)} times as large`;
  return [createReason('closer', finding, figures)];
}
