import { embeddingSpecOf, openPreparedPack, type PreparedPack } from '../packs/builtin.ts';
import { type PackChoice, preparePack } from '../packs/choose.ts';
import { spoofThreshold } from '../pad/fusion.ts';
import { type CalibrationCurve, innerProduct, requireCurve, similarityOf } from '../similarity.ts';
import type { EmbeddingSpec, Engine, ImageLimits } from '../types.ts';
import { createEngine } from './in-thread.ts';
import { AnalyzerPool } from './pool.ts';

/** Settings of an engine. */
export interface EngineOptions {
  /** Folder for the converted models, made when missing. */
  readonly cacheDir: string;
  readonly image: ImageLimits;
  /** The built-in one unless another is chosen. */
  readonly pack?: PackChoice;
  /** Calibration that goes before that of the pack, where it was made for the same templates. */
  readonly calibration?: Calibration | undefined;
}

/** A curve and what the templates are pinned to that it was measured with. */
export interface Calibration {
  readonly contract: EmbeddingSpec;
  readonly curve: CalibrationCurve;
}

/** Settings of an engine over worker threads. */
export interface PooledEngineOptions extends EngineOptions {
  /** Threads, 1 or more; each keeps its own copy of the models. */
  readonly workers: number;
  /** Calls that may wait for a thread, 0 or more; further ones are refused as `busy`. */
  readonly queue: number;
  /** Time of a call in milliseconds, its waiting included. */
  readonly deadlineMs: number;
}

/**
 * Opens the engine over worker threads, converting the models first when the cache lacks them. Resolves when
 * every thread is warm.
 *
 * @throws EngineError `pack`
 * @example
 * const engine = await openEngine({ cacheDir, workers: 2, queue: 32, deadlineMs: 10_000, image: limits });
 * const { faces } = await engine.analyze(bytes, { attributes: ['embedding'], maxFaces: 1, search: 'fast' });
 * await engine.close();
 */
export async function openEngine(options: PooledEngineOptions): Promise<Engine> {
  const pack = await prepare(options);
  const curve = requireCurve(pack.curve, pack.manifest.id);
  const pool = await warmPool(pack, options);
  return {
    embeddingSpec: embeddingSpecOf(pack.manifest),
    threshold: pack.manifest.threshold,
    spoofThreshold: spoofThreshold(pack.padNetworks !== undefined),
    analyze: (bytes, request, call) => pool.analyze(bytes, request, call),
    similarity: (a, b) => similarityOf(curve, innerProduct(a, b)),
    similarityOf: (product) => similarityOf(curve, product),
    load: () => pool.load(),
    close: () => pool.close(),
  };
}

/** What makes templates, but does not compare them: a pack needs no calibration for that. */
export type Embedder = Pick<Engine, 'embeddingSpec' | 'analyze' | 'load' | 'close'>;

/**
 * Opens a pack over worker threads only to make templates with it.
 *
 * @throws EngineError `pack`
 */
export async function openEmbedder(options: PooledEngineOptions): Promise<Embedder> {
  const pack = await prepare(options);
  const pool = await warmPool(pack, options);
  return {
    embeddingSpec: embeddingSpecOf(pack.manifest),
    analyze: (bytes, request, call) => pool.analyze(bytes, request, call),
    load: () => pool.load(),
    close: () => pool.close(),
  };
}

async function warmPool(pack: PreparedPack, options: PooledEngineOptions): Promise<AnalyzerPool> {
  const { workers, queue, deadlineMs, image } = options;
  const pool = new AnalyzerPool({ pack, limits: image, workers, queue, deadlineMs });
  try {
    await pool.warm();
    return pool;
  } catch (error) {
    await pool.close();
    throw error;
  }
}

/**
 * Opens the engine in the calling thread, which it blocks while it works: for tests and small tools.
 *
 * @throws EngineError `pack`
 */
export async function openEngineInThread(options: EngineOptions): Promise<Engine> {
  return createEngine(await openPreparedPack(await prepare(options)), { limits: options.image });
}

async function prepare({ cacheDir, pack, calibration }: EngineOptions): Promise<PreparedPack> {
  const prepared = await preparePack(cacheDir, pack);
  const fits = calibration && sameEmbeddingSpec(calibration.contract, embeddingSpecOf(prepared.manifest));
  return fits ? { ...prepared, curve: calibration.curve } : prepared;
}

/** Whether templates of the two can be compared. */
export function sameEmbeddingSpec(a: EmbeddingSpec, b: EmbeddingSpec): boolean {
  const names = Object.keys(b) as (keyof EmbeddingSpec)[];
  return names.every((name) => a[name] === b[name]);
}
