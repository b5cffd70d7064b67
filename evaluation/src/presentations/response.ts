import type { Engine } from '@wajah/engine';
import type { EvalFolder } from '../data/eval-folder.ts';
import { withProgress } from '../run/progress.ts';
import type { Presentation } from './presentation.ts';

/** Answer to a presentation. `unclear`: the picture does not allow a decision. `none`: no face was detected. */
export type Verdict = 'bona fide' | 'attack' | 'unclear' | 'none';

/** A presentation and its answer. */
export interface Response extends Presentation {
  readonly verdict: Verdict;
  /** Spoof score, 0…1; null without a face. */
  readonly score: number | null;
}

/** Analyses the most prominent face of each presentation as the service does, with a progress bar. */
export async function respond(
  engine: Engine,
  folder: EvalFolder,
  presentations: readonly Presentation[],
): Promise<Response[]> {
  return withProgress('pad', presentations.length, async (step) => {
    const responses: Response[] = [];
    for (const presentation of presentations) {
      const bytes = folder.bytes(presentation.task, presentation.file);
      const { faces } = await engine.analyze(bytes, { attributes: ['spoof'], maxFaces: 1, search: 'fast' });
      const spoof = faces[0]?.spoof;
      const verdict = spoof ? verdictOf(spoof, engine) : 'none';
      responses.push({ ...presentation, verdict, score: spoof?.score ?? null });
      step();
    }
    return responses;
  });
}

/** What a verdict needs of a face's spoof score: `unclear` lists why the picture does not allow a decision. */
interface SpoofScore {
  readonly score: number;
  readonly unclear?: readonly string[];
}

/** Least scores of an attack in a clear and in an unclear picture, 0…1. */
interface SpoofThresholds {
  readonly spoofThreshold: number;
  readonly unclearSpoofThreshold: number;
}

/** The verdict of the service at its default thresholds: an unclear picture is an attack from a stricter one on. */
export function verdictOf(
  { score, unclear = [] }: SpoofScore,
  { spoofThreshold, unclearSpoofThreshold }: SpoofThresholds,
): Verdict {
  if (unclear.length > 0) return score >= unclearSpoofThreshold ? 'attack' : 'unclear';
  return score >= spoofThreshold ? 'attack' : 'bona fide';
}
