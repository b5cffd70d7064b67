import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { AlignedFaceImage } from '@wajah/engine';
import type { FrameStore } from '../../store/session-store.ts';
import { FrameThread } from './frame-thread.ts';

/** The comparison with remembered frames took too long. */
export class FrameIndexTimeout extends Error {
  override readonly name = 'FrameIndexTimeout';
}

/** A frame to look for. */
export interface SearchedFrame {
  /** Of `FrameVault.digest`. */
  readonly digest: Uint8Array;
  /** Undefined when no face was found. */
  readonly image: AlignedFaceImage | undefined;
}

/** Finds the frames that were used in sessions of any client, on any server of the store. */
export interface FrameIndex {
  /** Starts to load the remembered frames, unless it has. */
  warm(since: Date): void;
  /**
   * @param before an id of `FrameStore.record`; only frames recorded earlier are found. Infinity: all
   * @returns for each frame whether it is the same picture as a remembered one
   * @throws FrameIndexTimeout
   */
  findUsed(frames: readonly SearchedFrame[], since: Date, before: number): Promise<boolean[]>;
  close(): Promise<void>;
}

/** Rows that are read at once: a few milliseconds of the event loop with the embedded store. */
const pageRows = 250;
/** Candidates of a frame whose details are compared, the nearest ones. */
const mostCandidates = 8;

/**
 * The worker starts with the first search. Before each search it is given the hashes that were recorded since the last
 * one, by this server or another, so a search is right at any time; the first one loads all of them.
 */
export function createFrameIndex(
  store: FrameStore,
  key: Uint8Array,
  { timeoutMs = 20_000 }: { readonly timeoutMs?: number } = {},
): FrameIndex {
  const thread = new FrameThread(key);
  let cursor = 0;
  let last: Promise<void> = Promise.resolve();
  const refresh = (since: Date): Promise<void> => {
    last = last.catch(() => undefined).then(() => load(since));
    return last;
  };
  const load = async (since: Date): Promise<void> => {
    // A new thread has nothing.
    if (thread.start()) cursor = 0;
    for (;;) {
      const frames = await store.hashes(cursor, since, pageRows);
      thread.add(frames, since.getTime());
      cursor = frames.at(-1)?.id ?? cursor;
      if (frames.length < pageRows) return;
      await yieldToEventLoop();
    }
  };
  const findUsed = async (frames: readonly SearchedFrame[], since: Date, before: number) => {
    const used = await Promise.all(frames.map(({ digest }) => store.hasDigest(digest, since, before)));
    await refresh(since);
    const images = frames.flatMap(({ image }) => image ?? []);
    const candidates = await thread.candidates(images, { before, since: since.getTime() }, mostCandidates);
    for (const [i, image] of images.entries()) {
      const at = frames.findIndex((frame) => frame.image === image);
      if (used[at] || candidates[i]!.length === 0) continue;
      // In the order of the candidates, without those that were erased.
      const details = await store.details(candidates[i]!);
      used[at] = await thread.same(image, details);
    }
    return used;
  };
  return {
    warm: (since) => void refresh(since).catch(() => undefined),
    findUsed: (frames, since, before) => withTimeout(findUsed(frames, since, before), timeoutMs),
    close: () => thread.close(),
  };
}

async function withTimeout<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new FrameIndexTimeout('remembered frames are being loaded')), timeoutMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
