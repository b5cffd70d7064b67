import { setImmediate as others } from 'node:timers/promises';
import { type PerceptualHash, perceptualHashQuery } from '@wajah/engine';
import type { SessionVault } from '../../security/vaults/session-vault.ts';
import type { SubmittedFrame } from '../../store/store.ts';
import type { SeenFrame } from './session-judge.ts';

/**
 * What is remembered of frames, so that they do not count in another session.
 * @param mask of the client, see `SessionVault`
 */
export function tracesOf(
  frames: readonly SeenFrame[],
  mask: ReturnType<SessionVault['hashMask']>,
): SubmittedFrame[] {
  return frames
    .filter(({ digest }) => digest.length > 0)
    .map((frame) => {
      const fingerprint = fingerprintOf(frame);
      return { digest: frame.digest, perceptualHash: fingerprint ? mask(fingerprint.bits) : null };
    });
}

/**
 * Frames that the client sent in another session before, in sentences.
 * @param mask that they were remembered under
 */
export async function replays(
  frames: readonly SeenFrame[],
  earlier: readonly SubmittedFrame[],
  mask: ReturnType<SessionVault['hashMask']>,
): Promise<string[]> {
  const digests = new Set(earlier.map(({ digest }) => Buffer.from(digest).toString('hex')));
  const prints = earlier.flatMap(({ perceptualHash: fingerprint }) =>
    fingerprint ? [mask(fingerprint)] : [],
  );
  const found: string[] = [];
  for (const frame of frames) {
    // A day of a busy client is thousands of fingerprints: others get their turn.
    await others();
    if (digests.has(frame.digest.toString('hex')))
      found.push(`${frame.name} was sent in another session before`);
    else if (isAmong(prints, frame))
      found.push(`${frame.name} shows the same moment as a frame of another session`);
  }
  return found;
}

function isAmong(prints: readonly Uint8Array[], frame: SeenFrame): boolean {
  const fingerprint = fingerprintOf(frame);
  const probe = fingerprint && perceptualHashQuery(fingerprint.image);
  return probe !== undefined && prints.some((bits) => probe.isSameFrame(bits));
}

function fingerprintOf({ look }: SeenFrame): PerceptualHash | undefined {
  return 'face' in look ? look.face.perceptualHash : undefined;
}
