import { normaliseName } from '@wajah/contract';
import { OperatorError } from '../errors.ts';
import type { SessionRecorder } from '../services/recordings/recorder.ts';
import type { RecordingRecord } from '../store/recording-store.ts';
import type { Store } from '../store/store.ts';
import { type AdminInput, toBase64 } from './inputs.ts';

/** A recorded session, sealed. */
export type SealedRecording = ReturnType<typeof sealedRecording>;

/** Operations on recorded sessions. */
export function recordingOperations(
  recorder: Pick<SessionRecorder, 'erase'>,
  { recordings, clients }: Pick<Store, 'recordings' | 'clients'>,
) {
  return {
    /** In order of time, without pictures. */
    listRecordings: async (page: AdminInput<'listRecordings'>) =>
      (await recordings.list(page)).map(sealedRecording),
    recordedParts: async ({ id, ...page }: AdminInput<'recordedParts'>) =>
      (await recordings.parts(id, page)).map(({ part, sealed }) => ({ part, sealed: toBase64(sealed) })),
    labelRecording: async ({ id, label, species }: AdminInput<'labelRecording'>): Promise<void> => {
      if (await recordings.label(id, label, species)) return;
      throw new OperatorError(`${id}: no session of this id is recorded`);
    },
    /** @returns how many */
    eraseRecordings: async ({ id, clientId, subject }: AdminInput<'eraseRecordings'>): Promise<number> => {
      const narrowed = { ...(id !== null && { id }), ...(clientId !== null && { clientId }) };
      if (subject === null) return recorder.erase(narrowed);
      // Names of people are those of a client.
      const owners = clientId === null ? (await clients.list()).map((one) => one.clientId) : [clientId];
      let erased = 0;
      for (const owner of owners) {
        const named = { clientId: owner, subject: normaliseName(subject) };
        erased += await recorder.erase({ ...narrowed, owner: named });
      }
      return erased;
    },
  };
}

function sealedRecording({ at, judgement, ...rest }: RecordingRecord) {
  return { ...rest, at: at.toISOString(), judgement: toBase64(judgement) };
}
