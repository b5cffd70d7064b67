import { basename } from 'node:path';
import { type Api, base64Of } from './api.ts';
import { mapConcurrently, type Tick } from './concurrency.ts';
import type { Pair } from './pairs.ts';

/** Counts of a run over pairs. */
export interface PairsResult {
  readonly genuine: { readonly trials: number; readonly accepted: number };
  readonly impostors: { readonly trials: number; readonly refused: number };
  /** A line for each mistake, by its kind. */
  readonly mistakes: {
    readonly falseNonMatches: readonly string[];
    readonly falseMatches: readonly string[];
    readonly refused: readonly string[];
  };
}

/** Compares the pictures of each pair; a pair that the server refuses counts as an error. */
export async function runPairs(
  api: Api,
  pairs: readonly Pair[],
  options: { readonly width: number; readonly tick: Tick },
): Promise<PairsResult> {
  const decided = await mapConcurrently(pairs, options.width, async (pair) => {
    const answer = await api.post('/face-api/compare-images', {
      source_image: await base64Of(pair.a),
      target_image: await base64Of(pair.b),
    });
    options.tick();
    const right = answer.status === '200' && answer['verified'] === pair.same;
    const refused = answer.status !== '200';
    const found = refused
      ? `${answer.status} ${answer.detail}`
      : `similarity ${Number(answer['similarity']).toFixed(3)}`;
    const line = `${basename(pair.a)} and ${basename(pair.b)}: ${found}`;
    return { pair, right, refused, line };
  });
  const genuine = decided.filter(({ pair }) => pair.same);
  const impostors = decided.filter(({ pair }) => !pair.same);
  return {
    genuine: { trials: genuine.length, accepted: genuine.filter(({ right }) => right).length },
    impostors: { trials: impostors.length, refused: impostors.filter(({ right }) => right).length },
    mistakes: {
      falseNonMatches: genuine.filter(({ right, refused }) => !right && !refused).map(lineOf),
      falseMatches: impostors.filter(({ right, refused }) => !right && !refused).map(lineOf),
      refused: decided.filter(({ refused }) => refused).map(lineOf),
    },
  };
}

const lineOf = ({ line }: { readonly line: string }) => line;
