import { resolve } from 'node:path';
import { EngineError } from './errors.ts';
import { builtinManifest, type PreparedPack } from './packs/builtin.ts';
import { type PackChoice, preparePack } from './packs/choose.ts';
import { installedPack } from './packs/install/installed.ts';
import { embeddingSpecOf, type PackDefinition } from './packs/manifest.ts';
import { sameEmbeddingSpec } from './packs/upgrade.ts';
import { SPOOF_THRESHOLD } from './pad/thresholds.ts';
import { openPreparedPack } from './runtime/open-pack.ts';
import { AnalyzerPool } from './runtime/pool.ts';
import { compiledFile } from './runtime/processes/command.ts';
import {
  alikeSimilarityOf,
  type CalibrationCurve,
  comparisonSimilarityOf,
  innerProduct,
  requireCurve,
  similarityOf,
} from './similarity.ts';
import type { EmbeddingSpec, Engine, ImageLimits, StageTimes, WorkerEnd } from './types.ts';

/** Settings of an engine. */
export interface EngineOptions {
  readonly image: ImageLimits;
  /** The built-in pack unless another one is chosen. */
  readonly pack?: PackChoice;
  /** Calibration that replaces that of the pack, if it was measured with the same embedding specification. */
  readonly calibration?: Calibration | undefined;
}

/**
 * Default of `workerMemoryBytes`. Measured on 50-megapixel pictures with every attribute: 300 MB for a JPEG, 800 MB for an
 * interlaced PNG of 16 bits.
 */
export const WORKER_MEMORY = 1536 * 2 ** 20;

/** A calibration curve and the embedding specification that it was measured with. */
export interface Calibration {
  readonly contract: EmbeddingSpec;
  readonly curve: CalibrationCurve;
}

/** Settings of an engine over worker processes. */
export interface PooledEngineOptions extends EngineOptions {
  /** Processes, 1 or more; each keeps its own copy of the models. */
  readonly workers: number;
  /** Largest number of calls that wait for a worker, 0 or more; further ones are rejected as `busy`. */
  readonly queue: number;
  /** Timeout of a call in milliseconds, including the time in the queue. */
  readonly deadlineMs: number;
  /** Memory that a worker may allocate, bytes. */
  readonly workerMemoryBytes?: number;
  /** Program, with its arguments, that starts each worker with fewer rights. */
  readonly launcher?: readonly string[];
  /** Is told when a worker has ended and is replaced. */
  readonly onWorkerEnd?: (end: WorkerEnd) => void;
  /** Receives the times of the stages of each analysis. */
  readonly onAnalyzed?: (stages: StageTimes) => void;
  /** File that a worker runs instead of the engine's own, for tests of faults. */
  readonly workerFile?: string;
}

/**
 * Opens the engine over worker processes. Resolves when every worker is warm.
 * @throws EngineError `pack`; `crashed` when a worker ends while it starts
 * @example
 * const engine = await openEngine({ workers: 2, queue: 32, deadlineMs: 10_000, image: limits });
 * const { faces } = await engine.analyze(bytes, { attributes: ['embedding'], maxFaces: 1, search: 'fast' });
 * await engine.close();
 */
export async function openEngine(options: PooledEngineOptions): Promise<Engine> {
  return (await startEngine(options)).opened(options.calibration);
}

/** An engine whose workers are starting. */
export interface StartingEngine {
  /**
   * Resolves when every worker is warm. Call it once.
   * @param calibration as of the options, known later
   * @throws EngineError as `openEngine`; the workers are closed then
   */
  opened(calibration: Calibration | undefined): Promise<Engine>;
  /** Compares templates before the workers are warm. */
  comparer(calibration: Calibration | undefined): Comparer;
  /** Waits until the workers have started, and closes them. */
  close(): Promise<void>;
}

/** As `openEngine`, but resolves when the workers are started: they load the models while the caller does other work. */
export async function startEngine(
  options: Omit<PooledEngineOptions, 'calibration'>,
): Promise<StartingEngine> {
  const pack = await prepare(options);
  const embedder = startEmbedder(pack, options);
  const close = () =>
    embedder.then(
      (it) => it.close(),
      () => undefined,
    );
  // Its failure is reported by `opened`.
  embedder.catch(() => undefined);
  return {
    async opened(calibration) {
      try {
        return {
          ...(await embedder),
          ...comparerOf(calibrated(pack, calibration)),
          padPack: padPackOf(pack),
        };
      } catch (error) {
        await close();
        throw error;
      }
    },
    comparer: (calibration) => comparerOf(calibrated(pack, calibration)),
    close,
  };
}

/** The part of an engine that compares templates: it needs no network. */
export type Comparer = Pick<
  Engine,
  | 'embeddingSpec'
  | 'upgrades'
  | 'threshold'
  | 'similarity'
  | 'comparisonSimilarity'
  | 'similarityOf'
  | 'cohortCurve'
  | 'provisional'
>;

/** The comparison of templates of a pack, whose networks are not opened. @throws EngineError `pack` */
export async function openComparer(options: Omit<EngineOptions, 'image'>): Promise<Comparer> {
  return comparerOf(await prepare(options));
}

function comparerOf(pack: PreparedPack): Comparer {
  const curve = requireCurve(pack.curve, pack.manifest.id);
  return {
    embeddingSpec: embeddingSpecOf(pack.manifest),
    upgrades: pack.manifest.upgrades,
    threshold: pack.manifest.threshold,
    similarity: (a, b) => similarityOf(curve, innerProduct(a, b)),
    comparisonSimilarity: (a, b) => comparisonSimilarityOf(curve, a, b),
    similarityOf: (product) => alikeSimilarityOf(curve, product),
    cohortCurve: curve.cohort ?? null,
    provisional: curve.provisional ?? false,
  };
}

/** The part of an engine that computes templates and does not compare them: it needs no calibration. */
export type Embedder = Pick<
  Engine,
  'embeddingSpec' | 'upgrades' | 'analyze' | 'thumbnail' | 'load' | 'memory' | 'close'
>;

/** Opens a pack over worker processes to compute templates only. @throws EngineError `pack` | `crashed` */
export async function openEmbedder(options: PooledEngineOptions): Promise<Embedder> {
  return startEmbedder(await prepare(options), options);
}

async function startEmbedder(pack: PreparedPack, options: PooledEngineOptions): Promise<Embedder> {
  const { workers, queue, deadlineMs, image: limits, onWorkerEnd, onAnalyzed } = options;
  const launch = {
    pack,
    entry: options.workerFile ?? compiledFile('worker.js'),
    memoryBytes: options.workerMemoryBytes ?? WORKER_MEMORY,
    launcher: options.launcher ?? [],
  };
  const pool = new AnalyzerPool({ launch, limits, workers, queue, deadlineMs, onWorkerEnd, onAnalyzed });
  try {
    await pool.start();
  } catch (error) {
    await pool.close();
    throw error;
  }
  return {
    embeddingSpec: embeddingSpecOf(pack.manifest),
    upgrades: pack.manifest.upgrades,
    analyze: (bytes, request, call) => pool.analyze(bytes, request, call),
    thumbnail: (crop, call) => pool.thumbnail(crop, call),
    load: () => pool.load(),
    memory: () => pool.memory(),
    close: () => pool.close(),
  };
}

/**
 * Opens the engine in the calling thread, which blocks while a network runs: for tests and tools. Calls run one after
 * another; an abort takes effect only before a call starts.
 * @throws EngineError `pack`
 * @example
 * const engine = await openEngineInThread({ image: { maxBytes: 10 << 20, maxPixels: 50e6 } });
 * const { faces } = await engine.analyze(bytes, { attributes: ['pose'], maxFaces: 1, search: 'fast' });
 */
export async function openEngineInThread(options: EngineOptions): Promise<Engine> {
  // Loaded when it is needed: a server's own process decodes no picture.
  const { analyze } = await import('./analyze.ts');
  const { thumbnailOf } = await import('./imaging/face-crop.ts');
  const prepared = await prepare(options);
  const { models, close } = await openPreparedPack(prepared);
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  let closed = false;
  return {
    ...comparerOf(prepared),
    padPack: padPackOf(prepared),
    analyze(image, request, call) {
      if (closed) return Promise.reject(new EngineError('closed', 'The engine is closed.'));
      waiting++;
      const run = last.then(() => {
        if (call?.signal?.aborted) throw new EngineError('aborted', 'The call was aborted.');
        return analyze(models, image, request, options.image, call?.deadline);
      });
      last = run.catch(() => undefined).finally(() => waiting--);
      return run;
    },
    thumbnail: ({ jpeg, box }) => thumbnailOf(jpeg, box),
    load() {
      const running = Math.min(1, waiting);
      return { workers: 1, alive: 1, restarts: 0, running, queued: waiting - running };
    },
    memory: async () => [],
    async close() {
      closed = true;
      await last;
      await close();
    },
  };
}

async function prepare({ pack, calibration }: Omit<EngineOptions, 'image'>): Promise<PreparedPack> {
  // Absolute: the working directory of a worker is another one.
  const absolute = pack && { ...pack, packsDir: resolve(pack.packsDir) };
  return calibrated(await preparePack(absolute), calibration);
}

const padPackOf = ({ padNetworks }: PreparedPack) => padNetworks?.pack ?? null;

/** The pack with another calibration, if that was measured with its templates. */
function calibrated(pack: PreparedPack, calibration: Calibration | undefined): PreparedPack {
  const fits = calibration && sameEmbeddingSpec(calibration.contract, embeddingSpecOf(pack.manifest));
  return fits ? { ...pack, curve: calibration.curve } : pack;
}

/**
 * The thresholds that a server has by default with a pack, 0…1, where its calibration comes from, and what it converts
 * templates from, without opening its networks.
 * @throws EngineError `pack` when it is not installed
 */
export async function packThresholds({ id, packsDir }: Pick<PackChoice, 'id' | 'packsDir'>) {
  const builtin = await builtinManifest();
  const installed = id === builtin.id ? null : (await installedPack(packsDir, id)).definition;
  const chosen = installed ?? builtin;
  return {
    threshold: chosen.threshold ?? builtin.threshold,
    spoofThreshold: SPOOF_THRESHOLD,
    calibration: installed ? calibrationOf(installed) : 'measured',
    upgradesFrom: installed ? [] : builtin.upgrades.map(({ from }) => from),
  } as const;
}

function calibrationOf({ networks, curve, published }: PackDefinition) {
  if (!(networks.embedder || networks['second-embedder']) || curve !== undefined) return 'measured';
  return published ? 'provisional' : 'missing';
}
