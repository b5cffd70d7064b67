import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { frameDetailOf, type PerceptualHash } from '@wajah/engine';
import { Refusal } from '../../errors.ts';
import { FrameIndexTimeout, type SearchedFrame } from '../../matching/frames/frame-index.ts';
import type { FrameVault } from '../../security/vaults/frame-vault.ts';
import type { FrameRecord, LivenessSessionRecord } from '../../store/session-store.ts';
import type { ServiceDependencies } from '../dependencies.ts';
import type { AnalyzedFrame } from './judge.ts';
import { createReason, type Reason } from './reasons.ts';

type ReplayDependencies = Pick<ServiceDependencies, 'store' | 'config' | 'frameVault' | 'frameIndex'>;

/** Larger than every id. */
const all = Number.MAX_SAFE_INTEGER;

/**
 * Reports frames that were used in a session before, of any client: the reasons name neither client nor session nor time.
 * Frames are remembered only of sessions that pass, because an honest person repeats a failed one.
 * @param passing whether the session passes if no frame was used before: its frames are then recorded first, so that of
 *   concurrent sessions with one frame the second finds it; they are forgotten again if the session does not pass
 * @throws Refusal `busy` when the remembered frames could not be loaded in time
 */
export async function checkReplays(
  deps: ReplayDependencies,
  session: LivenessSessionRecord,
  frames: readonly AnalyzedFrame[],
  passing: boolean,
): Promise<Reason[]> {
  const { store, config, frameVault, frameIndex } = deps;
  const since = rememberedSince(config);
  const records = passing ? await frameRecords(frameVault, session, frames) : [];
  const before = records.length > 0 ? await store.frames.record(session, records, new Date()) : all;
  try {
    const searched = frames.filter(isDecoded);
    const used = await frameIndex.findUsed(
      searched.map((frame) => searchedFrame(frameVault, frame)),
      since,
      before,
    );
    const found = searched.filter((_, i) => used[i]);
    if (found.length > 0) await store.frames.forget(session.clientId, session.id);
    return found.map(({ name }) => createReason('replay', `${name} was used before`));
  } catch (error) {
    if (error instanceof FrameIndexTimeout) {
      throw new Refusal('busy', 'remembered frames are being loaded; send the same frames again in a moment');
    }
    throw error;
  }
}

/** Earliest time of frames that are compared. */
export function rememberedSince({ sessions }: ReplayDependencies['config']): Date {
  return new Date(Date.now() - sessions.frameHours * 60 * 60 * 1000);
}

/** Pictures that could not be decoded have no digest. */
function isDecoded({ digest }: AnalyzedFrame): boolean {
  return digest.length > 0;
}

async function frameRecords(
  vault: FrameVault,
  { id }: LivenessSessionRecord,
  frames: readonly AnalyzedFrame[],
): Promise<FrameRecord[]> {
  const records: FrameRecord[] = [];
  for (const frame of frames.filter(isDecoded)) {
    // A detail takes about a millisecond.
    await yieldToEventLoop();
    const hash = perceptualHashOf(frame);
    records.push({
      digest: vault.digest(frame.digest),
      hash: hash ? vault.seal('hash', id, hash.bits) : null,
      detail: hash ? vault.seal('detail', id, frameDetailOf(hash.image)) : null,
    });
  }
  return records;
}

function searchedFrame(vault: FrameVault, frame: AnalyzedFrame): SearchedFrame {
  return { digest: vault.digest(frame.digest), image: perceptualHashOf(frame)?.image };
}

function perceptualHashOf({ result }: AnalyzedFrame): PerceptualHash | undefined {
  return 'face' in result ? result.face.perceptualHash : undefined;
}
