import { setFlagsFromString } from 'node:v8';
import type { Logger } from 'pino';
import { type Config, urlOf } from '../config/config.ts';
import { OperatorError } from '../errors.ts';
import { buildApp } from '../http/app.ts';
import { listeningFails } from '../lib/listening.ts';
import { openAhead } from '../services/galleries/open-ahead.ts';
import { type Context, type Overrides, openContext } from './context.ts';
import { DisposableStack } from './disposable-stack.ts';
import { openTracer } from './tracer.ts';

/** A listening server. */
export interface RunningServer {
  /** URL on this machine, without a final slash. */
  readonly url: string;
  readonly context: Context;
  /** Refuses new calls, waits at most 10 seconds for running ones, closes everything. */
  close(): Promise<void>;
}

/**
 * Growth after which V8 collects the whole heap, percent of what is live; buffers of pictures count. Under a moderate load
 * V8 allows 8 MB, which 30 verifications allocate: collections then take a quarter of the process's CPU time.
 */
const heapGrowth = 100;

/** Time of running calls to finish when the server stops, seconds: the deadline of a call by default. */
export const drainSeconds = 10;

/**
 * Opens everything, then listens.
 * @throws OperatorError when the address cannot be listened on, or as `openContext`
 * @example
 * const server = await startServer(loadConfig({ WAJAH_PORT: '0' }), createLogger('silent'));
 * await fetch(`${server.url}/health`);
 * await server.close();
 */
export async function startServer(
  config: Config,
  logger: Logger,
  overrides: Overrides = {},
): Promise<RunningServer> {
  setFlagsFromString(`--heap-growing-percent=${heapGrowth}`);
  const stack = new DisposableStack();
  try {
    const context = stack.adopt(await openContext(config, logger, overrides), (it) => it.close());
    const app = stack.adopt(await buildApp(context, { config, logger, tracer: await openTracer() }), (it) =>
      drain(it),
    );
    const port = await listen(app, config);
    const url = urlOf({ host: config.host, port });
    context.directory?.publish({ url, publicUrl: config.publicUrl });
    stack.adopt(openAhead({ ...context, log: logger }), (it) => it.stop());
    return { url, context, close: () => stack.disposeAsync() };
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}

type App = Awaited<ReturnType<typeof buildApp>>;

async function drain(app: App): Promise<void> {
  const cut = setTimeout(() => app.server.closeAllConnections(), drainSeconds * 1000);
  try {
    await app.close();
  } finally {
    clearTimeout(cut);
  }
}

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is taken by another program; choose another WAJAH_PORT, or 0 for a free one',
  EACCES: 'this user may not listen there; choose a WAJAH_PORT from 1024 up',
  EADDRNOTAVAIL: 'this machine has no such address; WAJAH_HOST must be one of its own, or 0.0.0.0 for all',
  ENOTFOUND: 'the name is not known; WAJAH_HOST must be an address of this machine',
};

/** @throws OperatorError when no server can listen on the address of the settings */
export async function requireAddress(config: Config): Promise<void> {
  refuseAddress(config, await listeningFails(config.host, config.port));
}

function refuseAddress({ host, port }: Config, code: string | null | undefined): void {
  const reason = reasons[code ?? ''];
  if (reason !== undefined) throw new OperatorError(`Cannot listen on ${host}:${port}: ${reason}`);
}

/** @returns the port, which the system chooses for port 0 */
async function listen(app: App, config: Config): Promise<number> {
  const { host, port } = config;
  try {
    await app.listen({ host, port });
  } catch (error) {
    refuseAddress(config, (error as NodeJS.ErrnoException).code);
    throw error;
  }
  const address = app.server.address();
  return typeof address === 'object' && address ? address.port : port;
}
