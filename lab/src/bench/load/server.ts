import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Question, Started, Usage, Watched } from './server-process.ts';

/** A running server in a process of its own. */
export interface BenchServer extends Started {
  usage(): Promise<Usage>;
  /** Begins to measure CPU times, or how long the event loop is held, whose clock takes CPU time itself. */
  watch(what: 'cpu' | 'loop'): Promise<void>;
  /** What was used and held since `watch`. */
  watched(): Promise<Watched>;
  stop(): Promise<void>;
}

/** Environment of a server. */
export type Settings = Readonly<Record<string, string>>;

/** The build of this checkout. */
export const ownBuild = join(import.meta.dirname, '../../../../packages/server/dist');

/** @param env settings @param options `execArgv` of Node, another build, and a data directory that is kept */
export async function startBenchServer(
  env: Settings,
  { clients = 1, build = ownBuild, execArgv = [] as string[], data = '' } = {},
): Promise<BenchServer> {
  const folder = data || mkdtempSync(join(tmpdir(), 'wajah-load-'));
  const child = fork(join(import.meta.dirname, 'server-process.js'), [build, `${clients}`], {
    execArgv,
    env: {
      WAJAH_PORT: '0',
      WAJAH_DATA_DIR: folder,
      WAJAH_CALLS_PER_MINUTE: '10000000',
      ...env,
    },
  });
  const exit = once(child, 'exit');
  const [started] = (await Promise.race([
    once(child, 'message'),
    exit.then(() => Promise.reject(new Error('the server ended'))),
  ])) as [Started];
  const ask = async <Answer>(question: Question) => {
    child.send(question);
    return (await once(child, 'message'))[0] as Answer;
  };
  return {
    ...started,
    usage: () => ask('usage'),
    watch: (what) => ask(what),
    watched: () => ask('watched'),
    async stop() {
      child.disconnect();
      await exit;
      if (!data) rmSync(folder, { recursive: true });
    },
  };
}
