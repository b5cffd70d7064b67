import { createHash } from 'node:crypto';
import { maxFrames, type SubmitSessionRequest } from '@wajah/contract';
import { Refusal } from '../../../errors.ts';
import type { LivenessSessionRecord } from '../../../store/session-store.ts';
import type { Caller } from '../../caller.ts';
import type { LivenessContext } from '../context.ts';
import { analyzeFrame } from './analyze-frames.ts';
import type { EarlyFrames } from './early-frames.ts';

/**
 * Analyses a frame before its submission, and holds the result.
 * @returns SHA-256 of the picture, hexadecimal
 * @throws Refusal `malformed` | `busy`, of the picture's encoding
 */
export async function analyzeEarly(
  context: LivenessContext,
  caller: Caller,
  early: EarlyFrames,
  session: Pick<LivenessSessionRecord, 'id' | 'expiresAt'>,
  image: string,
): Promise<string> {
  const field = { kind: 'image', name: 'image' } as const;
  const bytes = context.pictures.decode(field, image);
  const digest = createHash('sha256').update(bytes).digest('hex');
  if (!early.find(session.id, digest)) {
    if (early.count(session.id) >= maxFrames) {
      throw new Refusal('tooManyFrames', { most: maxFrames });
    }
    early.hold(session, digest, analyzeFrame(context, caller, field, bytes));
  }
  await early.find(session.id, digest);
  return digest;
}

/** @throws Refusal `malformed` when a frame has only a digest, and its analysis is not held */
export function requireEarly(early: EarlyFrames, { sessionId, frames, consent }: SubmitSessionRequest): void {
  for (const [index, { image, digest }] of frames.entries()) {
    if (image !== undefined || digest === undefined) continue;
    const found = early.find(sessionId, digest) !== undefined;
    if (found && !consent) continue;
    throw new Refusal(found ? 'frameNeedsImage' : 'frameNotHeld', { index });
  }
}
