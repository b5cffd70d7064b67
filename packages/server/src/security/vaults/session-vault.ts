import { hkdfSync } from 'node:crypto';
import { SealError, seal, unseal } from './sealing.ts';
import { deriveKey } from './template-vault.ts';

/** Context that a session's template is bound to. */
interface SessionContext {
  readonly clientId: string;
  readonly sessionId: string;
  /** Embedding spec (JSON) of the template. */
  readonly embeddingSpec: string;
}

const fingerprintBytes = 128;

/** Encrypts the templates and masks the perceptual hashes of liveness sessions. */
export interface SessionVault {
  /** @returns float32 little-endian, sealed: 4 bytes a dimension and 29 more */
  seal(place: SessionContext, template: Float32Array): Uint8Array;
  /** @throws SealError when the bytes are damaged or have another context */
  open(place: SessionContext, sealed: Uint8Array): Float32Array;
  /**
   * Masks fingerprints of frames (128 bytes each) with bits that only this client's key gives, so that what is stored
   * shows no face. Masked once more they are as they were.
   */
  hashMask(clientId: string): (fingerprint: Uint8Array) => Uint8Array;
}

/** @param masterKey 32 bytes */
export function createSessionVault(masterKey: Uint8Array): SessionVault {
  const sealingKey = deriveKey(masterKey, 'wajah session templates');
  const maskingKey = deriveKey(masterKey, 'wajah frame fingerprints');
  return {
    seal(place, template) {
      const bytes = new Uint8Array(template.buffer, template.byteOffset, template.byteLength);
      return seal(sealingKey, bytes, contextOf(place));
    },
    open(place, sealed) {
      const bytes = unseal(sealingKey, sealed, contextOf(place));
      if (bytes.length % 4 !== 0) throw new SealError(`a template of ${bytes.length} bytes is not float32`);
      // A copy: what unseal returns need not lie at a multiple of four.
      return new Float32Array(new Uint8Array(bytes).buffer);
    },
    hashMask(clientId) {
      const pad = new Uint8Array(hkdfSync('sha256', maskingKey, '', clientId, fingerprintBytes));
      return (fingerprint) => fingerprint.map((byte, i) => byte ^ pad[i]!);
    },
  };
}

function contextOf({ clientId, sessionId, embeddingSpec: contract }: SessionContext): Uint8Array {
  return Buffer.from(JSON.stringify(['session', clientId, sessionId, contract]), 'utf8');
}
