import {
  type Calibration,
  type Comparer,
  type Engine,
  EngineError,
  type StageTimes,
  startEngine,
  type WorkerEnd,
} from '@wajah/engine';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { packChoice } from '../config/pack-choice.ts';
import { asOperatorError } from '../errors.ts';
import { imageLimits } from '../services/faces/pictures.ts';

/** The configured engine, whose workers start while the rest of the server is opened. */
export interface StartingEngine {
  /**
   * Resolves when every worker is warm. Call it once.
   * @param calibration that the operator installed
   * @throws OperatorError when the models cannot be opened
   */
  finish(calibration: Calibration | undefined, observer: EngineObserver): Promise<Engine>;
  /** The comparison of templates, before every worker is warm. @throws OperatorError as `finish` */
  comparer(calibration: Calibration | undefined): Promise<Comparer>;
  /** Also before `finish`. */
  close(): Promise<void>;
}

/** Receives what the workers do. */
interface EngineObserver {
  /** The times of the stages of an analysis. */
  analyzed(stages: StageTimes): void;
  /** A worker has ended and is replaced. */
  workerEnded(end: WorkerEnd): void;
}

/**
 * Resolves when the workers are started.
 * @param padPack that the workers wait for: it is there, or does not come, when this resolves
 * @throws OperatorError when the models cannot be opened
 */
export async function startConfiguredEngine(
  { engine, limits, packs }: Config,
  logger: Logger,
  padPack: Promise<unknown> = Promise.resolve(),
): Promise<StartingEngine> {
  let observer: EngineObserver | undefined;
  const onWorkerEnd = (end: WorkerEnd) => {
    observer?.workerEnded(end);
    logger.warn({ reason: end.reason }, 'an engine worker ended and is replaced');
  };
  const onAnalyzed = (stages: StageTimes) => observer?.analyzed(stages);
  const orRefuse = <T>(work: () => Promise<T>) =>
    asOperatorError(work, (error) => error instanceof EngineError, 'The models cannot be opened: ');
  const starting = await orRefuse(async () => {
    const pack = { ...(await packChoice(packs)), padNetworksArrive: padPack };
    return startEngine({
      ...engine,
      image: imageLimits(limits),
      pack,
      onWorkerEnd,
      onAnalyzed,
    });
  });
  return {
    finish(calibration, observing) {
      observer = observing;
      return orRefuse(() => starting.opened(calibration));
    },
    comparer: (calibration) => orRefuse(async () => starting.comparer(calibration)),
    close: () => starting.close(),
  };
}
