import { setImmediate as nextTurn } from 'node:timers/promises';
import { nearestShape, replayedFrames, shapeQuery } from '@wajah/engine';
import { hourMs, minuteMs } from '../../lib/time.ts';
import type { FrameVault } from '../../security/vaults/row-vaults.ts';
import { openedOrNull } from '../../security/vaults/sealing.ts';
import type { FrameStore, LivenessSessionRecord, RememberedFrames } from '../../store/ports/sessions.ts';
import { frameHours } from '../../store/session-store.ts';
import type { AnalyzedFrame } from './context.ts';
import { createReason, type Reason } from './reasons.ts';

interface ReplayDependencies {
  readonly frames: FrameStore;
  readonly vault: FrameVault;
  /** How long traces are remembered; `frameHours` by default. */
  readonly hours?: number;
}

export type Replays = ReturnType<typeof createReplays>;

/**
 * Frames of passed sessions and of the tries of hosted ones, of all clients, on every server of the store: none of them
 * passes again, changed or not.
 */
export function createReplays({ frames: store, vault, hours = frameHours }: ReplayDependencies) {
  const memory = new Memory(store, vault);
  const record = (session: LivenessSessionRecord, frames: readonly AnalyzedFrame[]) => {
    const shapes = frames.map(shapesOf).filter(({ length }) => length > 0);
    const sealed = vault.seal(session.id, bytesOf(shapes.flat()));
    return store.record(session, { frames: shapes.length, shapes: sealed }, new Date());
  };
  return {
    /** Takes over what was recorded and erased, by any server, from now on every minute. @returns number of sessions */
    refresh: () => memory.refresh(),
    /**
     * Reports frames that were used in a session before: the reasons name neither client nor session nor time. Of sessions
     * that fail, frames are remembered only where the link has further tries: each needs frames of its own.
     * @param judged indices of the frames that are compared: those that the steps are judged by
     * @param passing whether the session passes if no frame was used before: its frames are then recorded first, so that of
     *   concurrent sessions with the same frames the second finds them; they are forgotten again if it does not pass
     */
    async check(
      session: LivenessSessionRecord,
      frames: readonly AnalyzedFrame[],
      judged: readonly number[],
      passing: boolean,
    ): Promise<Reason[]> {
      const remembered = passing || Boolean(session.secret);
      const before = remembered ? await record(session, frames) : Number.POSITIVE_INFINITY;
      const compared = judged.flatMap((index) => frames[index]!);
      const shapes = compared.map(shapesOf);
      const used = shapes.length > 0 ? await memory.find(shapes, before, Date.now() - hours * hourMs) : [];
      const found = compared.filter((_, i) => used[i]);
      if (found.length > 0) await store.forget(session);
      return found.map(({ name }) => createReason('replay', `${name} was used before`));
    },
    close: () => memory.close(),
  };
}

/** Each frame has a shape; those that the steps are judged by also a settled one, which needs more time. */
function shapesOf({ result }: AnalyzedFrame): Int16Array[] {
  if (!('face' in result)) return [];
  const { shape, settledShape } = result.face;
  return [shape, settledShape].flatMap((one) => one ?? []);
}

/** One after the other, 16 bits each, little-endian. */
function bytesOf(shapes: readonly Int16Array[]): Uint8Array {
  return Buffer.concat(
    shapes.map(({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength)),
  );
}

/** Rows that are read at once. */
const pageRows = 200;
/** Remembered sessions that are compared in one turn of the event loop. */
const sliceSessions = 500;

interface RememberedSession {
  readonly sentAt: number;
  /** One after the other. */
  readonly shapes: Int16Array;
}

/** The opened rows of the store, read before each search. */
class Memory {
  readonly #store: FrameStore;
  readonly #vault: FrameVault;
  /** In the order of their ids. */
  readonly #sessions = new Map<number, RememberedSession>();
  /** The last id that was read, and the sum of those in memory. */
  #last = 0;
  #sum = 0;
  #reading: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;

  constructor(store: FrameStore, vault: FrameVault) {
    this.#store = store;
    this.#vault = vault;
  }

  /** One after the other, so that no row is added twice. @returns number of sessions */
  async refresh(): Promise<number> {
    this.#timer ??= setInterval(() => void this.refresh().catch(() => undefined), minuteMs).unref();
    this.#reading = this.#reading.catch(() => undefined).then(() => this.#read());
    await this.#reading;
    return this.#sessions.size;
  }

  async #read(): Promise<void> {
    for (;;) {
      const rows = await this.#store.list(this.#last, pageRows);
      for (const row of rows) {
        this.#sessions.set(row.id, { sentAt: row.sentAt.getTime(), shapes: opened(this.#vault, row) });
        this.#last = row.id;
        this.#sum += row.id;
      }
      if (rows.length < pageRows) break;
      await nextTurn();
    }
    const { count, sum } = await this.#store.extent(this.#last);
    if (count === this.#sessions.size && sum === this.#sum) return;
    const ids = new Set(await this.#store.ids(this.#last));
    for (const [id, { shapes }] of this.#sessions) {
      if (ids.has(id)) continue;
      shapes.fill(0);
      this.#sessions.delete(id);
      this.#sum -= id;
    }
  }

  /**
   * @param before only sessions with smaller ids are compared @param since, milliseconds: those that were sent later
   * @param frames the shapes of each
   * @returns for each frame whether it belongs to those that are enough evidence for one session
   */
  async find(frames: readonly (readonly Int16Array[])[], before: number, since: number): Promise<boolean[]> {
    await this.refresh();
    const queries = frames.map((shapes) => shapes.map(shapeQuery));
    let compared = 0;
    for (const [id, session] of this.#sessions) {
      if (id >= before) break;
      if (session.sentAt < since) continue;
      const used = replayedFrames(
        queries.map((shapes) => Math.min(...shapes.map((query) => nearestShape(query, session.shapes)))),
      );
      if (used.includes(true)) return used;
      if (++compared % sliceSessions === 0) await nextTurn();
    }
    return frames.map(() => false);
  }

  close(): void {
    clearInterval(this.#timer);
  }
}

/** A row that cannot be opened was damaged, or written under another key: it matches nothing. */
function opened(vault: FrameVault, { sessionId, shapes }: RememberedFrames): Int16Array {
  const bytes = openedOrNull(() => vault.open(sessionId, shapes));
  // A copy, since the unsealed bytes need not be aligned to two.
  return new Int16Array(new Uint8Array(bytes ?? []).buffer);
}
