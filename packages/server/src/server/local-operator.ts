import type { Comparer, Engine } from '@wajah/engine';
import type { Config } from '../config/config.ts';
import { OperatorError } from '../errors.ts';
import { buildOperatorApp } from '../http/operator-app.ts';
import { once } from '../lib/periodic.ts';
import { fetchBy } from '../operations/operator-calls.ts';
import type { StatusService } from '../services/activity/ports.ts';
import { createCalibrationNote, serverCalibration } from '../services/galleries/calibration.ts';
import { createScheduler } from '../services/scheduling/scheduler.ts';
import { createServices, openCore } from './context.ts';
import { DisposableStack } from './disposable-stack.ts';
import { createLogger } from './logger.ts';
import { operatorServices } from './operator.ts';
import { startConfiguredEngine } from './starting-engine.ts';

/**
 * The operator's app without a server: the store is opened, the models when a call needs them.
 * @throws OperatorError as `openCore`
 */
export async function openOperator(config: Config) {
  const stack = new DisposableStack();
  const logger = createLogger('silent');
  try {
    const core = stack.adopt(await openCore(config, logger), (it) => it.close());
    const servicesOf = (engine: Engine) => {
      const parts = { ...core, engine, scheduler: createScheduler(engine, config.engine), config };
      return { ...createServices(parts), calibrationNote: createCalibrationNote(parts), status: noStatus };
    };
    const analysing = once(async () => {
      const starting = stack.adopt(await startConfiguredEngine(config, logger), (it) => it.close());
      const observer = { analyzed: () => {}, workerEnded: () => {} };
      const engine = await starting.finish(await serverCalibration(core.store.meta), observer);
      return servicesOf(stack.adopt(engine, (it) => it.close()));
    });
    const comparing = once(async () => servicesOf(withoutNetworks(await core.comparer())));
    const services = operatorServices({ ...core, config }, { comparing, analysing });
    const app = stack.adopt(await buildOperatorApp(services, { config, logger }), (it) => it.close());
    return { fetch: fetchFrom(app), close: () => stack.disposeAsync() };
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}

/** `fetch` of an app of this process. */
export const fetchFrom = (app: Awaited<ReturnType<typeof buildOperatorApp>>) =>
  fetchBy(async ({ method, path: url, body: payload, signal, headers }) => {
    const answer = await app.inject({
      method: method as 'POST',
      url,
      headers,
      payload,
      ...(signal && { signal }),
    });
    return { status: answer.statusCode, headers: answer.headers, body: answer.body };
  });

const noStatus: StatusService = {
  read: () => Promise.reject(new OperatorError('No server runs on this data directory.')),
};

/** An engine that compares templates and analyses nothing. */
function withoutNetworks(comparer: Comparer): Engine {
  const refuse = () => Promise.reject(new Error('no networks are loaded'));
  return {
    ...comparer,
    padPack: null,
    providers: { used: [], missing: [] },
    analyze: refuse,
    thumbnail: refuse,
    load: () => ({ workers: 0, alive: 0, restarts: 0, running: 0, queued: 0 }),
    memory: async () => [],
    close: async () => {},
  };
}
