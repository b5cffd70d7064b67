import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { type PerceptualHash, perceptualHashQuery } from '@wajah/engine';
import type { SessionVault } from '../../security/vaults/session-vault.ts';
import type { SubmittedFrame } from '../../store/session-store.ts';
import type { AnalyzedFrame } from './judge.ts';

/**
 * The digest and masked perceptual hash of each frame, which are stored to find it in later sessions.
 * @param mask of the client, see `SessionVault`
 */
export function frameTraces(
  frames: readonly AnalyzedFrame[],
  mask: ReturnType<SessionVault['hashMask']>,
): SubmittedFrame[] {
  return frames
    .filter(({ digest }) => digest.length > 0)
    .map((frame) => {
      const hash = perceptualHashOf(frame);
      return { digest: frame.digest, perceptualHash: hash ? mask(hash.bits) : null };
    });
}

/**
 * Checks for frames that the client sent in an earlier session.
 * @param mask under which the earlier frames were stored
 * @returns one sentence for each
 */
export async function checkReplays(
  frames: readonly AnalyzedFrame[],
  earlier: readonly SubmittedFrame[],
  mask: ReturnType<SessionVault['hashMask']>,
): Promise<string[]> {
  const digests = new Set(earlier.map(({ digest }) => Buffer.from(digest).toString('hex')));
  const hashes = earlier.flatMap(({ perceptualHash }) => (perceptualHash ? [mask(perceptualHash)] : []));
  const found: string[] = [];
  for (const frame of frames) {
    // A busy client has thousands of hashes a day.
    await yieldToEventLoop();
    if (digests.has(frame.digest.toString('hex')))
      found.push(`${frame.name} was sent in another session before`);
    else if (isAmong(hashes, frame))
      found.push(`${frame.name} shows the same moment as a frame of another session`);
  }
  return found;
}

function isAmong(hashes: readonly Uint8Array[], frame: AnalyzedFrame): boolean {
  const hash = perceptualHashOf(frame);
  const query = hash && perceptualHashQuery(hash.image);
  return query !== undefined && hashes.some((bits) => query.isSameFrame(bits));
}

function perceptualHashOf({ result }: AnalyzedFrame): PerceptualHash | undefined {
  return 'face' in result ? result.face.perceptualHash : undefined;
}
