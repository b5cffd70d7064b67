import {
  type Engine,
  type PadNetworkScore,
  SPOOF_THRESHOLD,
  type SpoofEstimate,
  UNCLEAR_SPOOF_THRESHOLD,
} from '@wajah/engine';
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
  /** What the score is computed from. */
  readonly networks: readonly PadNetworkScore[];
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
      const verdict = spoof ? verdictOf(spoof) : 'none';
      const { score = null, networks = [] } = spoof ?? {};
      responses.push({ ...presentation, verdict, score, networks });
      step();
    }
    return responses;
  });
}

/** The verdict of the service at its default thresholds: an unclear picture is an attack from a stricter one on. */
export function verdictOf({ score, networks, unclear }: SpoofEstimate): Verdict {
  if (networks.length === 0) return 'unclear';
  if (unclear.length > 0) return score >= UNCLEAR_SPOOF_THRESHOLD ? 'attack' : 'unclear';
  return score >= SPOOF_THRESHOLD ? 'attack' : 'bona fide';
}
