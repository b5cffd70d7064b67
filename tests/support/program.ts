import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { sharedEngine } from '../../packages/engine/test/support/shared-engine.ts';
import { runCommand } from '../../packages/server/src/cli/run.ts';
import { loadConfig } from '../../packages/server/src/config/config.ts';
import type { Terminal } from '../../packages/server/src/operations/terminal.ts';
import { openContext } from '../../packages/server/src/server/context.ts';
import { createLogger } from '../../packages/server/src/server/logger.ts';
import { isInstallation } from '../../packages/server/src/store/data-directory.ts';
import { offline, patient } from '../../packages/server/test/support/patient.ts';
import { atEnd } from '../../packages/server/test/support/temporary.ts';
import { root } from './sources.ts';

/** The checked-in start file: what `npx wajah` runs. */
const program = join(root, 'packages/server/bin/wajah.js');

/** Node's options of programs that lower their priority: beside other tests they would hardly run. */
export const ofEqualPriority = `--import=data:text/javascript,${encodeURIComponent(
  'import os from "node:os"; import { syncBuiltinESMExports } from "node:module"; os.setPriority = () => {}; syncBuiltinESMExports();',
)}`;

/** Settings on top of a quiet environment of our own. */
export type Settings = Readonly<Record<string, string>>;

export interface Finished {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
}

/** Commands that need a process of their own: they wait for signals or lower its priority. */
const ofOwnProcess = new Set(['serve', 'reembed', 'import']);

/**
 * Runs a command to its end: in this process, as starting the program takes longer than most commands. Where it asks for a
 * server and none runs, one in this process answers it; the first client may be created so.
 */
export async function wajah(settings: Settings, ...args: string[]): Promise<Finished> {
  const run = () =>
    ofOwnProcess.has(args[0] ?? '') ? new Run(settings, args).finished : wajahHere(settings, ...args);
  const mayBegin = args[0] === 'client' && args[1] === 'create';
  const done = await run();
  if (!(mayBegin ? /no server answers|holds no installation/ : /no server answers/).test(done.err))
    return done;
  const context = await openServerHere(settings).catch((error: Error) => error);
  if (context instanceof Error) return { ...done, err: `wajah: ${context.message}\n` };
  return run().finally(() => context.close());
}

/** A server in this process, which listens for commands alone. */
const openServerHere = async (settings: Settings) =>
  openContext(loadConfig(environment(settings)), createLogger('silent'), { engine: await sharedEngine() });

/** What the first start does for commands. */
export async function createInstallation(settings: Settings): Promise<void> {
  const config = loadConfig(environment(settings));
  if (!config.database && !isInstallation(config.dataDir)) await (await openServerHere(settings)).close();
}

/** Runs a command in this process, also one that would not end here if it succeeded. */
export async function wajahHere(settings: Settings, ...args: string[]): Promise<Finished> {
  let [out, err] = ['', ''];
  const terminal: Terminal = {
    out: (text) => {
      out += `${text}\n`;
    },
    note: (text) => {
      err += `${text}\n`;
    },
    showsNotes: false,
    confirm: async () => false,
    readLine: async () => '',
  };
  return { code: await runCommand(args, terminal, environment(settings)), signal: null, out, err };
}

function environment(settings: Settings): NodeJS.ProcessEnv {
  return {
    PATH: process.env['PATH'],
    // The default may be taken on this machine.
    WAJAH_PORT: '0',
    // Each worker opens the models anew, and few tests need two.
    WAJAH_ENGINE_WORKERS: '1',
    WAJAH_OPEN_BROWSER: 'false',
    // The same for commands in this process; the checkout may have a file of settings.
    WAJAH_COMMAND: 'wajah',
    WAJAH_ENV_FILE: '/dev/null',
    // Tests count galleries and faces.
    WAJAH_SAMPLES: 'false',
    NODE_OPTIONS: ofEqualPriority,
    ...offline,
    ...patient,
    ...settings,
  };
}

/** Starts the built server on a free port and waits until it prints its URL. */
export async function serve(settings: Settings): Promise<Run & { readonly url: string }> {
  const run = new Run(settings, ['serve']);
  const url = await run.waitForOutput(/listens on (http:\S+)[\s\S]*--help\n\n/);
  // The demo client is introduced right after, if at all; a degraded server does not get ready.
  for (let isStarting = true; isStarting; ) {
    const { checks } = (await (await fetch(`${url}/ready`)).json()) as { checks?: { start: boolean } };
    isStarting = checks?.start === false;
    if (isStarting) await setTimeout(20);
  }
  return Object.assign(run, { url });
}

/** Secrets of the client that the first start creates, from the file that it names. */
export async function firstClient(server: Run): Promise<{ file: string; password: string; token: string }> {
  const file = await server.waitForOutput(/ (\S+first-client\.env)\n/);
  await server.waitForOutput(/curl .*\n/);
  const [, password = '', token = ''] =
    /PASSWORD='(.+)'\nTOKEN='(.+)'/.exec(readFileSync(file, 'utf8')) ?? [];
  return { file, password, token };
}

/** The processes that a process started. */
export function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);
}

/** A running program of ours. */
export class Run {
  readonly finished: Promise<Finished>;
  readonly #child: ChildProcess;
  #out = '';
  #err = '';

  /** @param command the program before its arguments; absent: the built server's command line */
  constructor(
    settings: Settings,
    args: readonly string[],
    [executable = '', ...before]: readonly string[] = [process.execPath, program],
  ) {
    const env = environment(settings);
    this.#child = spawn(executable, [...before, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.#out += text;
    });
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#err += text;
    });
    this.finished = once(this.#child, 'close').then(([code, signal]) => ({
      code: code as number | null,
      signal: signal as NodeJS.Signals | null,
      out: this.#out,
      err: this.#err,
    }));
    atEnd(() => this.stop('SIGKILL'));
  }

  get pid(): number {
    return this.#child.pid ?? Number.NaN;
  }

  get out(): string {
    return this.#out;
  }

  get err(): string {
    return this.#err;
  }

  /** Closes the read end of the standard error, as when the terminal was closed. */
  closeStderr(): void {
    this.#child.stderr?.destroy();
  }

  stop(signal: NodeJS.Signals): Promise<Finished> {
    this.#child.kill(signal);
    return this.finished;
  }

  /** The first group of a pattern, once the standard error matches it. */
  async waitForOutput(pattern: RegExp): Promise<string> {
    for (;;) {
      const found = pattern.exec(this.#err);
      if (found) return found[1] ?? found[0];
      if (this.#child.exitCode !== null)
        throw new Error(`ended without saying ${pattern}: ${this.#err}\n${this.#out}`);
      await setTimeout(20);
    }
  }
}
