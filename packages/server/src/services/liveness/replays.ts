import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { frameDetailOf, type PerceptualHash } from '@wajah/engine';
import type { FrameIndex } from '../../matching/frames/frame-index.ts';
import type { FrameVault } from '../../security/vaults/row-vaults.ts';
import type { FrameRecord, LivenessSessionRecord } from '../../store/session-store.ts';
import type { Store } from '../../store/store.ts';
import type { AnalyzedFrame } from './context.ts';
import { createReason, type Reason } from './reasons.ts';
import { inTime } from './series.ts';

interface ReplayDependencies {
  readonly store: Pick<Store, 'frames'>;
  readonly frameVault: FrameVault;
  readonly frameIndex: Pick<FrameIndex, 'findUsed'>;
}

/** Larger than every id. */
const all = Number.MAX_SAFE_INTEGER;

/**
 * Reports frames that were used in a session before, of any client: the reasons name neither client nor session nor time.
 * Frames are remembered only of sessions that pass, because an honest person repeats a failed one.
 * @param judged indices of the frames that the steps are judged by; of the others, which can pass no step, only equal
 *   bytes are found
 * @param passing whether the session passes if no frame was used before: its frames are then recorded first, so that of
 *   concurrent sessions with one frame the second finds it; they are forgotten again if the session does not pass
 * @throws Refusal `busy` when the remembered frames could not be loaded in time
 */
export async function checkReplays(
  { store, frameVault, frameIndex }: ReplayDependencies,
  session: LivenessSessionRecord,
  frames: readonly AnalyzedFrame[],
  judged: readonly number[],
  passing: boolean,
): Promise<Reason[]> {
  const records = passing ? await frameRecords(frameVault, session, frames) : [];
  const before = records.length > 0 ? await store.frames.record(session, records, new Date()) : all;
  const decoded = frames.flatMap((frame, index) => (isDecoded(frame) ? { ...frame, index } : []));
  const searched = decoded.map((frame) => {
    const image = judged.includes(frame.index) ? perceptualHashOf(frame)?.image : undefined;
    return { digest: frameVault.digest(frame.digest), image };
  });
  const used = await inTime(frameIndex.findUsed(searched, before));
  const found = decoded.filter((_, i) => used[i]);
  if (found.length > 0) await store.frames.forget(session.clientId, session.id);
  return found.map(({ name }) => createReason('replay', `${name} was used before`));
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

function perceptualHashOf({ result }: AnalyzedFrame): PerceptualHash | undefined {
  return 'face' in result ? result.face.perceptualHash : undefined;
}
