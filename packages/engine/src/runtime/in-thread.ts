import { analyze } from '../analyze.ts';
import { EngineError } from '../errors.ts';
import { spoofThresholds } from '../pad/fusion.ts';
import { comparisonSimilarityOf, innerProduct, requireCurve, similarityOf } from '../similarity.ts';
import type { Engine, ImageLimits } from '../types.ts';
import type { OpenPack } from './open-pack.ts';

/**
 * An engine in the calling thread, which blocks while a network runs: for workers, tools and tests. Calls run one after
 * another; an abort takes effect only before a call starts. Closing the engine closes the pack.
 * @example
 * const engine = createEngine(await openBuiltinPack('cache'), { maxBytes: 10 << 20, maxPixels: 50e6 });
 * const { faces } = await engine.analyze(bytes, { attributes: ['pose'], maxFaces: 1, search: 'fast' });
 */
export function createEngine(pack: OpenPack, limits: ImageLimits): Engine {
  const { models } = pack;
  const curve = requireCurve(pack.curve, pack.manifest.id);
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  let closed = false;
  return {
    embeddingSpec: pack.embeddingSpec,
    upgrades: pack.manifest.upgrades,
    threshold: pack.manifest.threshold,
    padPack: pack.padPack,
    ...spoofThresholds(models.padNetworks !== null),
    analyze(image, request, options) {
      if (closed) return Promise.reject(new EngineError('closed', 'The engine is closed.'));
      waiting++;
      const run = last.then(() => {
        if (options?.signal?.aborted) throw new EngineError('aborted', 'The call was aborted.');
        return analyze(models, image, request, limits, options?.deadline);
      });
      last = run.catch(() => undefined).finally(() => waiting--);
      return run;
    },
    similarity: (a, b) => similarityOf(curve, innerProduct(a, b)),
    comparisonSimilarity: (a, b) => comparisonSimilarityOf(curve, innerProduct(a, b)),
    similarityOf: (product) => similarityOf(curve, product),
    cohortCurve: curve.cohort ?? null,
    provisional: curve.provisional ?? false,
    providers: { used: ['cpu'], missing: [] },
    load: () => ({
      ...{ workers: 1, alive: 1, restarts: 0 },
      ...{ running: Math.min(1, waiting), queued: Math.max(0, waiting - 1) },
    }),
    memory: async () => [],
    async close() {
      closed = true;
      await last;
      await pack.close();
    },
  };
}
