import type { AlignedFaceImage, PerceptualHash } from '@wajah/engine';
import { inTime } from '../../lib/deadline.ts';
import { FramesUnavailable, FrameThread } from './frame-thread.ts';
import type { FrameQuestion, FrameWorkerData, SearchedFrame } from './messages.ts';

/** Compares frames with each other and with those that were used in sessions of any client, on any server of the store. */
export interface FrameIndex {
  /** Starts to load the remembered frames, unless it has. */
  warm(): void;
  /** Takes over what was recorded and erased; it does so by itself every minute. @returns number of hashes in memory */
  refresh(): Promise<number>;
  /**
   * @param before an id of `FrameStore.record`; only frames recorded earlier are found. Infinity: all
   * @returns for each frame whether it is the same picture as a remembered one
   * @throws FramesUnavailable
   */
  findUsed(frames: readonly SearchedFrame[], before: number): Promise<boolean[]>;
  /**
   * @param pairs places in `frames`
   * @returns for each pair whether both are the same picture
   * @throws FramesUnavailable
   */
  findSame(
    frames: readonly PerceptualHash[],
    pairs: readonly (readonly [number, number])[],
  ): Promise<boolean[]>;
  close(): Promise<void>;
}

/**
 * A worker does everything: it reads the store over a connection of its own, opens the hashes and compares. It starts on
 * demand. Before each search it reads what was recorded since the last one, so a search is right at any time.
 */
export function createFrameIndex(data: FrameWorkerData, { timeoutMs = 20_000 } = {}): FrameIndex {
  const thread = new FrameThread(data);
  const late = () => {
    throw new FramesUnavailable('remembered frames are being loaded');
  };
  const refresh = async () => (await thread.ask({ kind: 'refresh' })) as number;
  const decide = async (question: FrameQuestion) =>
    (await inTime(thread.ask(question), timeoutMs, late)) as boolean[];
  return {
    warm() {
      if (!thread.running) void refresh().catch(() => undefined);
    },
    refresh,
    findUsed: async (frames, before) => {
      if (frames.length === 0) return [];
      const copies = frames.map(({ digest, image }) => ({
        digest: new Uint8Array(digest),
        image: image && copyOf(image),
      }));
      return decide({ kind: 'search', frames: copies, before });
    },
    findSame: async (frames, pairs) => {
      if (pairs.length === 0) return [];
      const copies = frames.map(({ bits, image }) => ({ bits: new Uint8Array(bits), image: copyOf(image) }));
      return decide({ kind: 'compare', frames: copies, pairs });
    },
    close: () => thread.close(),
  };
}

/** Posting a view sends its whole buffer. */
function copyOf({ luma, inside }: AlignedFaceImage): AlignedFaceImage {
  return { luma: new Uint8Array(luma), inside: new Uint8Array(inside) };
}
