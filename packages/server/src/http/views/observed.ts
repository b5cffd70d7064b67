import { cutFraction } from '@wajah/contract';
import type {
  JudgedAttributes,
  JudgedBatch,
  JudgedPicture,
  JudgedSession,
} from '../../services/liveness/ports.ts';
import { nothingObserved, type Observed } from '../observed.ts';

/** Two faces that were compared. */
export function observedComparison(compared: { similarity: number; verified: boolean }): Observed {
  const similarity = cutFraction(compared.similarity);
  const denial = compared.verified ? null : `not verified: similarity ${similarity}`;
  return { ...nothingObserved, similarity, denial };
}

export function observedPicture({ liveness, matchStatus, results }: JudgedPicture): Observed {
  const failed = Object.entries(matchStatus).flatMap(([name, holds]) => (holds ? [] : [name]));
  return {
    similarity: cut(results.similarity),
    spoofScore: spoofOf([results]),
    denial: denialOf(liveness, failed),
  };
}

/** @param hasUser whether the call names one: without, the verification of an entry means nothing */
export function observedBatch({ liveness, reasons, results }: JudgedBatch, hasUser: boolean): Observed {
  const similarity = results.find((entry) => entry.similarity !== undefined)?.similarity;
  return {
    similarity: hasUser ? cut(similarity) : null,
    spoofScore: spoofOf(results),
    denial: denialOf(liveness, reasons),
  };
}

/** The denial names what was measured. */
export function observedSession({ liveness, verified, diagnostics, results }: JudgedSession): Observed {
  const reasons = diagnostics.map(({ name, detail }) => `${name}: ${detail}`);
  return {
    similarity: cut(verified?.similarity),
    spoofScore: spoofOf(results),
    denial: denialOf(liveness, reasons),
  };
}

/** The highest of the faces that were judged. */
function spoofOf(entries: readonly Pick<JudgedAttributes, 'spoofScore'>[]): number | null {
  const scores = entries.flatMap(({ spoofScore }) => spoofScore ?? []);
  return scores.length === 0 ? null : cutFraction(Math.max(...scores));
}

/** A score as the answer states it. */
function cut(score: number | undefined): number | null {
  return score === undefined ? null : cutFraction(score);
}

function denialOf(liveness: 'passed' | 'failed', reasons: readonly string[]): string | null {
  if (liveness === 'passed') return null;
  return `liveness failed${reasons.length > 0 ? `: ${reasons.join('; ')}` : ''}`;
}
