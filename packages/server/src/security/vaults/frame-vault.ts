import { createHmac } from 'node:crypto';
import { type Keys, reseal, seal, unsealWithAny } from './sealing.ts';
import { deriveKey, deriveKeys } from './template-vault.ts';

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
  /** As `seal`, of sealed bytes. @returns null when they are sealed under the present key @throws SealError */
  reseal(part: TracePart, sessionId: string, sealed: Uint8Array): Uint8Array | null;
  /** Keys of `openFramePart`, 32 bytes each. */
  readonly keys: Keys;
}

/** @param masterKeys 32 bytes each; the first one seals and digests, the others also open */
export function createFrameVault(...masterKeys: Keys): FrameVault {
  const digestKey = deriveKey(masterKeys[0], 'wajah frame digests');
  const keys = deriveKeys(masterKeys, 'wajah frame traces');
  return {
    digest: (sha256) => createHmac('sha256', digestKey).update(sha256).digest(),
    seal: (part, sessionId, plain) => seal(keys[0], plain, contextOf(part, sessionId)),
    reseal: (part, sessionId, sealed) => reseal(keys, sealed, contextOf(part, sessionId)),
    keys,
  };
}

/** @param keys of a `FrameVault` @throws SealError when the bytes are damaged or have another context */
export function openFramePart(
  keys: Keys,
  part: TracePart,
  sessionId: string,
  sealed: Uint8Array,
): Uint8Array {
  return unsealWithAny(keys, sealed, contextOf(part, sessionId));
}

function contextOf(part: TracePart, sessionId: string): Uint8Array {
  return Buffer.from(JSON.stringify(['frame', part, sessionId]), 'utf8');
}
