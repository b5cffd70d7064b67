import { type Calibration, type Engine, type StageTimes, startEngine } from '@wajah/engine';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { packChoice } from '../config/pack-choice.ts';
import { asOperatorError } from '../errors.ts';
import { isEngineError } from '../operator/models.ts';
import { imageLimits } from '../services/pictures/image-limits.ts';

/** The configured engine, whose workers start while the rest of the server is opened. */
export interface StartingEngine {
  /**
   * Resolves when every worker is warm. Call it once.
   * @param calibration that the operator installed @param observe receives the times of the stages of each analysis
   * @throws OperatorError when the models cannot be opened
   */
  finish(calibration: Calibration | undefined, observe: (stages: StageTimes) => void): Promise<Engine>;
  /** Also before `finish`. */
  close(): Promise<void>;
}

/** Resolves when the workers are started. @throws OperatorError when the models cannot be opened */
export async function startConfiguredEngine(
  { engine, limits, packs }: Config,
  logger: Logger,
  onConversion?: (done: number, total: number) => void,
): Promise<StartingEngine> {
  const onWorkerEnd = (reason: string) => logger.warn({ reason }, 'an engine worker ended and is replaced');
  let receive: (stages: StageTimes) => void = () => undefined;
  const onAnalyzed = (stages: StageTimes) => receive(stages);
  const orRefuse = <T>(work: () => Promise<T>) =>
    asOperatorError(work, isEngineError, 'The models cannot be opened: ');
  const starting = await orRefuse(async () => {
    const pack = await packChoice(packs);
    return startEngine({
      ...engine,
      image: imageLimits(limits),
      pack,
      onWorkerEnd,
      onAnalyzed,
      onConversion,
    });
  });
  return {
    finish(calibration, observe) {
      receive = observe;
      return orRefuse(() => starting.opened(calibration));
    },
    close: () => starting.close(),
  };
}
