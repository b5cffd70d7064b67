import { createHmac } from 'node:crypto';
import { seal, unseal } from './sealing.ts';
import { deriveKey } from './template-vault.ts';

/** What is kept of a frame to recognise it. */
type TracePart = 'hash' | 'detail';

/**
 * Seals what is stored of the frames of liveness sessions, each row by itself, so that rows cannot be compared with each
 * other or with a picture without the key.
 */
export interface FrameVault {
  /** Keyed digest (HMAC-SHA-256, 32 bytes) of a picture's SHA-256: equal for equal pictures. */
  digest(sha256: Uint8Array): Uint8Array;
  /** @returns 29 bytes more than `plain` */
  seal(part: TracePart, sessionId: string, plain: Uint8Array): Uint8Array;
  /** Key of `openFramePart`, 32 bytes. */
  readonly key: Uint8Array;
}

/** @param masterKey 32 bytes */
export function createFrameVault(masterKey: Uint8Array): FrameVault {
  const digestKey = deriveKey(masterKey, 'wajah frame digests');
  const key = deriveKey(masterKey, 'wajah frame traces');
  return {
    digest: (sha256) => createHmac('sha256', digestKey).update(sha256).digest(),
    seal: (part, sessionId, plain) => seal(key, plain, contextOf(part, sessionId)),
    key,
  };
}

/** @param key of a `FrameVault` @throws SealError when the bytes are damaged or have another context */
export function openFramePart(
  key: Uint8Array,
  part: TracePart,
  sessionId: string,
  sealed: Uint8Array,
): Uint8Array {
  return unseal(key, sealed, contextOf(part, sessionId));
}

function contextOf(part: TracePart, sessionId: string): Uint8Array {
  return Buffer.from(JSON.stringify(['frame', part, sessionId]), 'utf8');
}
