import { cutFraction } from '@wajah/contract';
import {
  nothingObserved,
  type Observed,
  type RecordedScore,
} from '../../services/activity/activity-recorder.ts';
import type {
  JudgedAttributes,
  JudgedBatch,
  JudgedPicture,
  JudgedSession,
} from '../../services/liveness/ports.ts';
import type { Detection, Identification } from '../../services/recognition/ports.ts';

/** A score as the answer states it. */
function score(value: number, accepted: boolean): RecordedScore {
  return { value: cutFraction(value), accepted };
}

/** Two faces that were compared. */
export function observedComparison(compared: { similarity: number; verified: boolean }): Observed {
  const { similarity, verified } = compared;
  const denial = verified ? null : `not verified: similarity ${cutFraction(similarity)}`;
  return { similarities: [score(similarity, verified)], spoof: [], denial };
}

/** A selfie that matches its card; one that does not is refused. */
export function observedCard({ similarity }: { similarity: number }): Observed {
  return { ...nothingObserved, similarities: [score(similarity, true)] };
}

/** The best candidate, or that of each face where several were searched for. */
export function observedPeople({ people, faces, several }: Identification): Observed {
  const best = several ? faces.map(({ candidates }) => candidates[0]) : [people[0]];
  return {
    ...nothingObserved,
    similarities: best.flatMap((one) => (one ? score(one.confidence, true) : [])),
  };
}

export function observedDetection({ faces }: Detection): Observed {
  const spoof = faces.flatMap(({ spoof: judged, isSpoof }) =>
    judged && isSpoof !== undefined ? score(judged.score, !isSpoof) : [],
  );
  return { ...nothingObserved, spoof };
}

export function observedPicture({ liveness, verified, matchStatus, results }: JudgedPicture): Observed {
  const failed = Object.entries(matchStatus).flatMap(([name, holds]) => (holds ? [] : [name]));
  const { similarity } = results;
  return {
    similarities: similarity === undefined ? [] : [score(similarity, verified === true)],
    spoof: spoofOf([results]),
    denial: denialOf(liveness, failed),
  };
}

/** @param hasUser whether the call names one: without, the verification of an entry means nothing */
export function observedBatch({ liveness, reasons, results }: JudgedBatch, hasUser: boolean): Observed {
  const verified = results.find(({ similarity }) => similarity !== undefined);
  return {
    similarities: hasUser && verified ? [score(verified.similarity ?? 0, verified.verified !== false)] : [],
    spoof: spoofOf(results),
    denial: denialOf(liveness, reasons),
  };
}

/** The denial names what was measured. */
export function observedSession({ liveness, verified, diagnostics, results }: JudgedSession): Observed {
  const reasons = diagnostics.map(({ name, detail }) => `${name}: ${detail}`);
  return {
    similarities: verified ? [score(verified.similarity, verified.holds)] : [],
    spoof: spoofOf(results),
    denial: denialOf(liveness, reasons),
  };
}

function spoofOf(entries: readonly Pick<JudgedAttributes, 'isSpoof' | 'spoofScore'>[]): RecordedScore[] {
  return entries.flatMap(({ spoofScore, isSpoof }) =>
    spoofScore === undefined ? [] : score(spoofScore, isSpoof !== true),
  );
}

function denialOf(liveness: 'passed' | 'failed', reasons: readonly string[]): string | null {
  if (liveness === 'passed') return null;
  return `liveness failed${reasons.length > 0 ? `: ${reasons.join('; ')}` : ''}`;
}
