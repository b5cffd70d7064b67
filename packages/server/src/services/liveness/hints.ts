import type { RequestOf } from '@wajah/contract';
import type { Analysis, AnalyzeRequest, Face } from '@wajah/engine';
import { Refusal } from '../../errors.ts';
import { wearsMask } from '../faces/main-face.ts';
import { keyOf, type Try } from './frames.ts';

/**
 * Hints of a try, or while it waits: the shortest time between the beginnings of two, milliseconds, the share of a worker's
 * time that they may take, and how long they may work in all.
 */
const hintLimits = { everyMs: 200, share: 0.3, workMs: 30_000 } as const;
/** Part of the time between two after which the next is taken already: timers of pages are not exact. */
const early = 0.9;

/** How long a face that was seen without a mask and dark glasses is not looked at for them again, milliseconds. */
const uncoveredMs = 1000;

type Asked = NonNullable<RequestOf<'hintLivenessFrame'>['attributes']>;

/** What is known of the hints of a try. */
interface HintedTry {
  workMs: number;
  nextAt: number;
  /** Until then nobody is taken to wear a mask or dark glasses. */
  uncoveredUntil: number;
}

/**
 * Measures a picture for a hint. What covers a face is told by the embedder, a fifth of a hint: once a second while nothing
 * does, and each time as long as something does, so that who takes it off is told at once.
 */
async function measureHint(
  analyze: (request: AnalyzeRequest) => Promise<Analysis>,
  attributes: Asked,
  tried: HintedTry,
): Promise<Analysis> {
  const request = { maxFaces: 2, search: 'fast' } as const;
  if (!attributes.some((name) => name !== 'pose')) return analyze({ ...request, attributes });
  const now = performance.now();
  const uncovered = now < tried.uncoveredUntil;
  // The mask is told by the same run as the glasses: whichever is asked for, the next hint may be about the other.
  const measured = uncovered ? attributes : ([...attributes, 'mask', 'unclear'] as const);
  const seen = await analyze({ ...request, attributes: measured, uncovered });
  if (seen.faces.length === 0) tried.uncoveredUntil = 0;
  else if (!uncovered) tried.uncoveredUntil = seen.faces.every(isUncovered) ? now + uncoveredMs : 0;
  return seen;
}

function isUncovered(face: Face): boolean {
  return !wearsMask(face) && !face.unclear!.some(({ name }) => name === 'eyes');
}

/** Measures pictures for hints, and limits those of each try at this server by what they cost. */
export function createHintMeasuring() {
  const given = new Map<string, HintedTry>();
  return {
    /**
     * Measures a picture, while no other one of the try is measured.
     * @returns beside the analysis the seconds after which the next hint is given
     * @throws Refusal `tooManyRequests`
     */
    async measure(
      session: Try,
      attributes: Asked,
      analyze: (request: AnalyzeRequest) => Promise<Analysis>,
    ): Promise<Analysis & { nextIn: number }> {
      const id = keyOf(session);
      const begun = performance.now();
      const tried = given.get(id) ?? { workMs: 0, nextAt: 0, uncoveredUntil: 0 };
      if (tried.workMs >= hintLimits.workMs) {
        throw new Refusal('hintsUsedUp', { most: hintLimits.workMs / 1000 }, { retry_after: 60 });
      }
      if (begun < tried.nextAt) throw new Refusal('hintsTooOften', { seconds: 1 }, { retry_after: 1 });
      // Until the deadline that it has when it begins, at the latest.
      if (!given.has(id))
        setTimeout(() => given.delete(id), session.expiresAt.getTime() - Date.now() + 300_000).unref();
      given.set(id, tried);
      tried.nextAt = Number.POSITIVE_INFINITY;
      let everyMs: number = hintLimits.everyMs;
      try {
        const analysis = await measureHint(analyze, attributes, tried);
        const workMs = Object.values(analysis.stages).reduce((sum, ms) => sum + ms, 0);
        tried.workMs += workMs;
        everyMs = Math.max(everyMs, workMs / hintLimits.share);
        const nextIn = Math.max(0, begun + everyMs - performance.now()) / 1000;
        return { ...analysis, nextIn };
      } finally {
        tried.nextAt = begun + early * everyMs;
      }
    },
  };
}
