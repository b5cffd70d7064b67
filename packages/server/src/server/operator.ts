import { chmod, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { OperatorError } from '../errors.ts';
import { buildOperatorApp, type OperatorServices } from '../http/operator-app.ts';
import { prepareDirectory, shortSocketPath, socketFile } from '../store/data-directory.ts';
import { DisposableStack } from './disposable-stack.ts';

interface Settings {
  readonly config: Config;
  readonly logger: Logger;
}

/**
 * Listens on a Unix socket in the data directory that only the user who runs the server can open. Servers of a database
 * need no such directory: where it cannot be written they run without, and of several in one the last that was started
 * is asked.
 */
export async function listenToOperator(
  services: OperatorServices,
  { config, logger }: Settings,
): Promise<{ close(): Promise<void> }> {
  try {
    if (config.database) prepareDirectory(config.dataDir);
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    logger.warn(`commands do not reach this server: ${error.message}`);
    return { close: async () => {} };
  }
  return listen(services, { config, logger });
}

/** Takes the place of the socket of another server of the database, which leaves it alone when it ends. */
async function listen(services: OperatorServices, { config, logger }: Settings) {
  const stack = new DisposableStack();
  const { path } = stack.adopt(shortSocketPath(config.dataDir), (it) => it.release());
  const file = socketFile(config.dataDir);
  let ours: number | undefined;
  const removeOurs = async () => {
    const found = await stat(file).catch(() => null);
    if (found !== null && found.ino === ours) await rm(file, { force: true });
  };
  stack.adopt(removeOurs, (remove) => remove());
  const app = stack.adopt(await buildOperatorApp(services, { config, logger }), (it) => it.close());
  // As long as the name of the socket: longer ones may be too long.
  const draft = join(dirname(path), `o${process.pid}.sock`);
  await rm(draft, { force: true });
  const mask = process.umask(0o177);
  try {
    await app.listen({ path: draft, listenTextResolver: () => `the operator is answered at ${file}` });
  } finally {
    process.umask(mask);
  }
  await chmod(draft, 0o600);
  ours = (await stat(draft)).ino;
  await rename(draft, path);
  return { close: () => stack.disposeAsync() };
}
