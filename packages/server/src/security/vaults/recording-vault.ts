import { createHmac } from 'node:crypto';
import { seal, unseal } from './sealing.ts';
import { deriveKey } from './template-vault.ts';

/** What the sealed bytes of a recorded session are bound to. */
interface RecordingContext {
  readonly clientId: string;
  /** Of the liveness session. */
  readonly id: string;
}

/** Whom or what a recorded session belongs to: a person, a user of a gallery, or a gallery. */
export type RecordingOwner =
  | { readonly clientId: string; readonly subject: string }
  | { readonly clientId: string; readonly galleryId: string; readonly userId?: string };

/** Bytes that sealing adds. */
export const recordingOverhead = 29;

/** Encrypts recorded sessions under a key derived from the master key. */
export interface RecordingVault {
  /** @param part of the pictures; null: the judgement */
  seal(context: RecordingContext, part: number | null, bytes: Uint8Array): Uint8Array;
  /** @throws SealError when the bytes are damaged or have another context */
  open(context: RecordingContext, part: number | null, sealed: Uint8Array): Uint8Array;
  /** HMAC-SHA256: finds the recordings of an owner, and names nobody without the key. */
  digest(owner: RecordingOwner): Uint8Array;
}

/** @param masterKey 32 bytes */
export function createRecordingVault(masterKey: Uint8Array): RecordingVault {
  const sealingKey = deriveKey(masterKey, 'wajah recorded sessions');
  const digestKey = deriveKey(masterKey, 'wajah owners of recorded sessions');
  return {
    seal: (context, part, bytes) => seal(sealingKey, bytes, contextBytes(context, part)),
    open: (context, part, sealed) => unseal(sealingKey, sealed, contextBytes(context, part)),
    digest(owner) {
      const { clientId } = owner;
      const named =
        'subject' in owner
          ? ['subject', clientId, owner.subject]
          : ['gallery', clientId, owner.galleryId, owner.userId ?? null];
      return createHmac('sha256', digestKey).update(JSON.stringify(named)).digest();
    },
  };
}

function contextBytes({ clientId, id }: RecordingContext, part: number | null): Uint8Array {
  return Buffer.from(JSON.stringify(['recording', clientId, id, part]), 'utf8');
}
