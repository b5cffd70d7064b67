import type { Logger } from 'pino';
import {
  browserUrl,
  type Config,
  type Environment,
  hasDesktop,
  loadConfig,
  programName,
  unknownSettings,
} from '../config/config.ts';
import { maskDatabaseUrl } from '../config/database-url.ts';
import { textOf, unknownSetting } from '../config/finding.ts';
import { installationFolder } from '../config/installed.ts';
import { OperatorError } from '../errors.ts';
import { confirmed } from '../operations/command.ts';
import type { Terminal } from '../operations/terminal.ts';
import { decideOnPack } from '../server/embedder-pack.ts';
import type { FetchedPack } from '../server/fetch-pack.ts';
import { createLogger, logDestination } from '../server/logger.ts';
import { type ArrivingPadPack, fetchPadPack } from '../server/pad-pack.ts';
import type { RunningServer } from '../server/serve.ts';
import { startConfiguredEngine } from '../server/starting-engine.ts';
import { installStoredPacks } from '../services/packs/stored-packs.ts';
import { version } from '../version.ts';

/** A terminal and npm may both deliver one Ctrl-C: signals within this time are one. */
const sameSignalMs = 500;

/**
 * Serves until SIGINT or SIGTERM, or until it must be started again, then drains. Messages for people go to the standard
 * error; the standard output has log lines only, on a terminal as text.
 */
export async function serve(terminal: Terminal, env?: Environment): Promise<void> {
  const config = loadConfig(env);
  for (const found of unknownSettings(env).map(unknownSetting)) terminal.note(`Warning: ${textOf(found)}`);
  const stopped = stopSignal();
  terminal.note(`Wajah ${version} is starting …`);
  if (!config.database) await beginInstallation(config, terminal);
  const output = holdOutput();
  const destination = await logDestination(process.stdout.isTTY === true, output);
  const logger = createLogger(config.logLevel, destination);
  const stored = await installStoredPacks(config);
  const [arriving, decided] = [fetchPadPack(config), decideOnPack(config)];
  let hasStarted = false;
  const parts = { arriving, decided, hasStarted: () => hasStarted };
  const server = await startBesideWorkers(config, logger, parts).catch(async (error: unknown) => {
    output.release();
    (await arriving)?.stop();
    throw error;
  });
  const padPack = await arriving;
  // Lines of text for people have warnings already.
  const people = destination !== undefined && logger.isLevelEnabled('warn') ? null : terminal;
  const tell = (pack: FetchedPack | null) => tellOf(pack, logger, people);
  try {
    logger.info({ url: server.url, version }, 'listening');
    terminal.note(startMessage(server, config));
    for (const line of stored.installed) tell({ installed: true, line });
    tell(await decided);
    if (padPack?.awaited) tell(await padPack.result);
    else void padPack?.result.then((fetched) => tell(withRestart(fetched, server)));
    warn(server, people);
    await createFirstClient(server, config, terminal, { logger, env });
    hasStarted = true;
    output.release();
    const [signal, { drainSeconds }] = [await ended(server, stopped), await import('../server/serve.ts')];
    terminal.note(`${signal}: finishing running calls, at most ${drainSeconds} seconds …`);
    logger.info({ signal }, 'draining');
  } finally {
    padPack?.stop();
    await server.close();
  }
  logger.info('stopped');
}

/** @throws OperatorError when the server must be started again, which who supervises it does */
async function ended({ context }: RunningServer, stopped: Promise<NodeJS.Signals>): Promise<NodeJS.Signals> {
  const end = await Promise.race([stopped, context.lost]);
  if (end instanceof OperatorError) throw end;
  return end;
}

function warn({ context }: RunningServer, people: Terminal | null): void {
  for (const found of context.foundAtStart) people?.note(`Warning: ${textOf(found)}\n`);
}

/**
 * Says that the start makes an installation.
 * @throws OperatorError where the server could not listen, or one has lost data, unless that is agreed to
 */
async function beginInstallation(config: Config, terminal: Terminal): Promise<void> {
  const { dataDir } = config;
  const { databaseFile, isInstallation, newInstallationNotice, prepareDirectory } = await import(
    '../store/data-directory.ts'
  );
  // The server of another installation often listens there: nothing is made beside it by accident.
  if (!isInstallation(dataDir)) await (await import('../server/serve.ts')).requireAddress(config);
  prepareDirectory(dataDir);
  const loss = (await import('../store/lost-data.ts')).findLoss(databaseFile(dataDir));
  if (loss) await confirmed(terminal, false, `${loss.found}.\n${loss.question}`, loss.found);
  loss?.accept();
  const notice = newInstallationNotice(dataDir);
  if (notice) terminal.note(notice);
}

/** @param terminal for people; null: they read the log */
function tellOf(pack: FetchedPack | null, logger: Logger, terminal: Terminal | null): void {
  if (!pack) return;
  const { installed, line } = pack;
  logger[installed ? 'info' : 'warn'](line);
  terminal?.note(`${installed ? '' : 'Warning: '}${line}\n`);
}

/** @param fetched a PAD pack, which may have come after the engine was opened */
function withRestart(fetched: FetchedPack, { context }: RunningServer): FetchedPack {
  const { installed, line } = fetched;
  const isUsed = !installed || context.engine.padPack !== null;
  return isUsed ? fetched : { installed, line: `${line} Restart the server to use it.` };
}

/**
 * The standard output, which keeps text back until `release`: log lines would stand between the lines of the start
 * message.
 */
function holdOutput() {
  let held: string[] | null = [];
  const release = () => {
    const lines = held ?? [];
    held = null;
    for (const line of lines) process.stdout.write(line);
  };
  process.once('exit', release);
  return { release, write: (text: string) => (held ? held.push(text) > 0 : process.stdout.write(text)) };
}

/** The workers open their models while this process loads the modules of the server. */
async function startBesideWorkers(
  config: Config,
  logger: Logger,
  parts: {
    arriving: Promise<ArrivingPadPack | null>;
    decided: Promise<unknown>;
    hasStarted: () => boolean;
  },
): Promise<RunningServer> {
  const { arriving, decided, hasStarted } = parts;
  await decided;
  const awaited = arriving.then((padPack) => (padPack?.awaited ? padPack.result : undefined));
  const startingEngine = await startConfiguredEngine(config, logger, awaited);
  const { startServer } = await import('../server/serve.ts');
  return startServer(config, logger, { startingEngine, hasStarted });
}

/** Resolves with the first signal to stop; a second one ends the process at once. */
function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let first = 0;
    const stop = (signal: NodeJS.Signals) => {
      if (first === 0) {
        first = Date.now();
        resolve(signal);
      } else if (Date.now() - first > sameSignalMs) {
        process.exit(signal === 'SIGINT' ? 130 : 143);
      }
    };
    process.on('SIGINT', stop);
    process.on('SIGTERM', stop);
  });
}

function startMessage({ url }: RunningServer, config: Config): string {
  const { dataDir, database, engine } = config;
  const workers = engine.workers === 1 ? '1 engine worker' : `${engine.workers} engine workers`;
  return [
    '',
    `Wajah listens on ${url}  (${workers}; Ctrl-C stops it)`,
    `  console  ${browserUrl(config, url)}/console, a link that signs in: wajah client sign-in-link <client_id>`,
    `  API      ${url}/docs, first calls are in the guide`,
    `  guide    ${url}/docs/guide`,
    `  data     ${database ? maskDatabaseUrl(database.url) : dataDir}`,
    `  more     wajah --help${programName().startsWith('npx') ? `, in ${installationFolder}` : ''}`,
    '',
  ].join('\n');
}

/** Creates the client `demo` if there is no client yet, and introduces it; later starts renew the gallery of drawn people. */
async function createFirstClient(
  { url, context }: RunningServer,
  config: Config,
  terminal: Terminal,
  { logger, env }: { logger: Logger; env: Environment | undefined },
): Promise<void> {
  const { database, dataDir, samples, openBrowser: mayOpen } = config;
  const { createSampleGallery, firstClientId, introduceFirstClient, openBrowser, renewSampleGallery } =
    await import('./first-client.ts');
  if ((await context.store.clients.list()).length > 0) return renewSampleGallery(context, logger);
  // Several servers may start at once.
  if (database) {
    terminal.note('There is no client yet; create one with: wajah client create <client_id>\n');
    return;
  }
  const client = await context.accounts.create({ clientId: firstClientId, operator: true });
  if (samples) await createSampleGallery(context, logger);
  const link = `${browserUrl(config, url)}${await context.signInLinks.create(client.clientId)}`;
  introduceFirstClient(terminal, { ...client, link }, { url, dataDir });
  if (mayOpen && terminal.showsNotes && hasDesktop(env)) openBrowser(link, dataDir);
}
