import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Parameter } from '@wajah/contract';
import type { Engine } from '@wajah/engine';
import { type Context, createLogger, loadConfig, openContext } from '@wajah/server';

/** A frame of a submission. */
export interface SentFrame {
  readonly step: Parameter;
  /** JPEG or PNG. */
  readonly image: Uint8Array;
}

/** The judgement of a session. */
export interface Verdict {
  readonly passed: boolean;
  /** Names of the checks that failed, each once: of the table `checks`, and of those that need more than the frames. */
  readonly failed: readonly string[];
}

/** The real liveness service on a store of its own. */
export interface SessionService {
  /**
   * Creates a client without earlier sessions.
   * @param frames of earlier sessions: by default they are forgotten, because a film is shown by several clients
   * @returns its name
   */
  newClient(frames?: 'forget' | 'keep'): Promise<string>;
  /**
   * Opens a session for a client and judges the frames for it.
   * @param draw a challenge with this number of random steps, which the frames can answer
   * @param give frames for the drawn steps, in their order
   */
  run(
    client: string,
    draw: (count: number) => Parameter[],
    give: (steps: readonly Parameter[]) => Promise<SentFrame[]>,
  ): Promise<Verdict>;
  close(): Promise<void>;
}

/**
 * Starts the services in this process with the settings of the environment, a temporary data directory and no quotas.
 * @param acceptUnjudged for figures of the other checks: frames that no PAD network judges do not fail a session
 */
export async function openSessionService(engine: Engine, acceptUnjudged = false): Promise<SessionService> {
  const dataDir = await mkdtemp(join(tmpdir(), 'wajah-sessions-'));
  const config = loadConfig();
  // Rendering the frames of an attack may take longer than a person.
  const sessions = { ...config.sessions, seconds: 3600 };
  // A measurement may take as long as it takes.
  const resources = { ...config.engine, queue: 1000, deadlineMs: 300_000 };
  const accepting = { ...config.thresholds, unclearSpoof: 'accept' as const };
  const thresholds = acceptUnjudged ? accepting : config.thresholds;
  const own = {
    ...config,
    sessions,
    thresholds,
    engine: resources,
    dataDir,
    secretKey: null,
    database: null,
  };
  let draw: (count: number) => Parameter[] = () => [];
  const context = await openContext(own, createLogger('silent'), {
    engine,
    drawSteps: (count) => draw(count),
  });
  // Sessions run beside each other, but a challenge is drawn by one function for all.
  let opening: Promise<unknown> = Promise.resolve();
  return {
    newClient: (frames = 'forget') => newClient(context, frames),
    async run(client, ownDraw, give) {
      const caller = callerOf(client);
      const opened = opening.then(() => {
        draw = ownDraw;
        return context.livenessSessions.open(caller, {});
      });
      opening = opened.catch(() => undefined);
      const { sessionId, steps } = await opened;
      const frames = await give(steps as Parameter[]);
      const submitted = { sessionId, frames: asSubmitted(frames) };
      const { liveness, failed, diagnostics } = await context.livenessSessions.submit(caller, submitted);
      const others = diagnostics.map(({ name }) => name).filter((name) => BESIDE_THE_TABLE.includes(name));
      return { passed: liveness === 'passed', failed: [...new Set([...failed, ...others])] };
    },
    async close() {
      await context.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function newClient({ store }: Context, frames: 'forget' | 'keep'): Promise<string> {
  const clientId = `evaluation-${randomUUID()}`;
  const quota = { hits: -1, faces: -1, galleries: -1 };
  await store.clients.create({ clientId, passwordHash: null, quota });
  if (frames === 'forget') {
    const never = new Date(0);
    await store.sessions.prune(never, { sessions: never, frames: new Date(Date.now() + 1000) });
  }
  return clientId;
}

const callerOf = (clientId: string) => ({
  clientId,
  trxId: randomUUID(),
  signal: new AbortController().signal,
});

/** Reasons of checks that need more than the frames and the steps: the clock, earlier sessions, a user. */
const BESIDE_THE_TABLE = ['order', 'time', 'replay', 'user'];

/** Time between frames, ms: they must not span more than the session's age, which is short in a measurement. */
const BETWEEN_FRAMES = 40;

function asSubmitted(frames: readonly SentFrame[]) {
  const end = Date.now();
  return frames.map(({ step, image }, i) => ({
    step,
    image: Buffer.from(image).toString('base64'),
    capturedAt: new Date(end - (frames.length - i) * BETWEEN_FRAMES).toISOString(),
  }));
}
