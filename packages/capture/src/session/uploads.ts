import { abortable } from '../abort.ts';
import { requireSuccess } from '../transport/http-transport.ts';
import type { Frame, LivenessTransport } from '../transport/protocol.ts';

type Send = NonNullable<LivenessTransport['sendFrame']>;

/** Frames on their way to the server while others are still captured. */
export interface Uploads {
  add(frame: Frame): void;
  /**
   * Waits until the server has analysed the frames, or has refused one.
   * @param onProgress called with the share of the frames that are analysed, 0 to 1
   * @returns digests by picture, of the frames that the server has
   */
  finish(onProgress: (share: number) => void): Promise<ReadonlyMap<string, string>>;
}

/** Sends one frame after the other, so that detection has the rest of the line. After a failure no more are sent. */
export function createUploads(send: Send, session_id: string, signal: AbortSignal): Uploads {
  const digests = new Map<string, string>();
  let added = 0;
  let failed = false;
  let report = () => {};
  let last = Promise.resolve();
  const upload = async (image: string) => {
    if (failed || signal.aborted) return;
    try {
      const { digest } = requireSuccess(await abortable(send({ session_id, image }, { signal }), signal));
      digests.set(image, digest);
      report();
    } catch {
      // The picture is submitted instead.
      failed = true;
    }
  };
  return {
    add({ image }) {
      added += 1;
      last = last.then(() => upload(image));
    },
    async finish(onProgress) {
      report = () => onProgress(digests.size / added);
      report();
      await last;
      return digests;
    },
  };
}
