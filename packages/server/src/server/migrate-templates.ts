import type { Logger } from 'pino';
import type { ServiceDependencies } from '../services/dependencies.ts';
import { noticesOfUpgrades, rollingRestartMs } from '../services/galleries/embedding-spec.ts';
import { migrateAllGalleries, prepareUpgrades } from '../services/galleries/template-migration.ts';
import type { DisposableStack } from './disposable-stack.ts';

/**
 * Migrates galleries before the server listens. Other servers of a shared database still run the previous pack: there
 * templates are converted beside the present ones, the first call on a gallery migrates it, and galleries without a call
 * are migrated when all servers should have been restarted.
 */
export async function migrateTemplates(
  stack: DisposableStack,
  services: ServiceDependencies,
  logger: Logger,
): Promise<void> {
  const { store, engine, config } = services;
  for (const line of await noticesOfUpgrades(store, engine)) logger.info(line);
  if (!config.database) {
    await migrateAllGalleries(services);
    return;
  }
  const failed = (err: unknown) =>
    logger.warn({ err }, 'not all templates were converted; the next call on each gallery tries again');
  await prepareUpgrades(services).catch(failed);
  let late: Promise<unknown> = Promise.resolve();
  const timer = setTimeout(() => {
    late = migrateAllGalleries(services).catch(failed);
  }, rollingRestartMs);
  stack.adopt(timer.unref(), async () => {
    clearTimeout(timer);
    await late;
  });
}
