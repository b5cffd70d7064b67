import { type Keys, reseal, seal, unsealWithAny } from './sealing.ts';
import { deriveKeys } from './template-vault.ts';

/** What the sealed bytes of a recorded session are bound to. */
interface RecordingContext {
  readonly clientId: string;
  /** Of the liveness session. */
  readonly id: string;
}

/** Bytes that sealing adds. */
export const recordingOverhead = 29;

/** Encrypts recorded sessions under a key derived from the master key. */
export interface RecordingVault {
  /** @param part of the pictures; null: the judgement */
  seal(context: RecordingContext, part: number | null, bytes: Uint8Array): Uint8Array;
  /** @throws SealError when the bytes are damaged or have another context */
  open(context: RecordingContext, part: number | null, sealed: Uint8Array): Uint8Array;
  /** @returns null when it is sealed under the present key @throws SealError as `open` */
  reseal(context: RecordingContext, part: number | null, sealed: Uint8Array): Uint8Array | null;
}

/** @param masterKeys 32 bytes each; the first one seals, the others also open */
export function createRecordingVault(...masterKeys: Keys): RecordingVault {
  const sealingKeys = deriveKeys(masterKeys, 'wajah recorded sessions');
  return {
    seal: (context, part, bytes) => seal(sealingKeys[0], bytes, contextBytes(context, part)),
    open: (context, part, sealed) => unsealWithAny(sealingKeys, sealed, contextBytes(context, part)),
    reseal: (context, part, sealed) => reseal(sealingKeys, sealed, contextBytes(context, part)),
  };
}

function contextBytes({ clientId, id }: RecordingContext, part: number | null): Uint8Array {
  return Buffer.from(JSON.stringify(['recording', clientId, id, part]), 'utf8');
}
