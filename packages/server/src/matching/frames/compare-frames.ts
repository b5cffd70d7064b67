import type { PerceptualHash } from '@wajah/engine';
import { type FrameTrace, frameDetailOf, sameFrameQuery } from '@wajah/engine/series';

interface ComparableFrame {
  readonly trace: () => FrameTrace;
  readonly isSame: (other: FrameTrace) => boolean;
}

/** As `FrameIndex.findSame`. */
export function compareFrames(
  frames: readonly PerceptualHash[],
  pairs: readonly (readonly [number, number])[],
): boolean[] {
  const comparable = frames.map(comparableOf);
  // A comparison allows for cropping of its own frame only, so both directions are tried.
  return pairs.map(([i, j]) => {
    const [a, b] = [comparable[i]!, comparable[j]!];
    return a.isSame(b.trace()) || b.isSame(a.trace());
  });
}

/** Computes what it needs at the first comparison. */
function comparableOf({ bits, image }: PerceptualHash): ComparableFrame {
  let detail: Uint8Array | undefined;
  return {
    trace: () => {
      detail ??= frameDetailOf(image);
      return { bits, detail };
    },
    isSame: sameFrameQuery(image),
  };
}
