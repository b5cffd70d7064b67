import { createHmac } from 'node:crypto';
import { type Keys, SealError, seal, unsealWithAny } from './sealing.ts';
import { deriveKey, deriveKeys } from './template-vault.ts';

/** Context that a session's template is bound to. */
interface SessionContext {
  readonly clientId: string;
  readonly sessionId: string;
  /** Embedding spec (JSON) of the template. */
  readonly embeddingSpec: string;
}

/** Encrypts the templates of liveness sessions. */
export interface SessionVault extends SubjectDigests {
  /** @returns float32 little-endian, sealed: 4 bytes a dimension and 29 more */
  seal(context: SessionContext, template: Float32Array): Uint8Array;
  /** @throws SealError when the bytes are damaged or have another context */
  open(context: SessionContext, sealed: Uint8Array): Float32Array;
}

/** Names the subjects of liveness sessions without storing who they are. */
export interface SubjectDigests {
  /**
   * HMAC-SHA-256 (RFC 2104) of a subject's name under a key of this purpose, 32 bytes: the same for the same name of a
   * client. Names of two clients cannot be compared, and none can be guessed without the key.
   */
  digestSubject(clientId: string, name: readonly string[]): Uint8Array;
}

/** @param masterKeys 32 bytes each; the first one seals, the others also open */
export function createSessionVault(...masterKeys: Keys): SessionVault {
  const sealingKeys = deriveKeys(masterKeys, 'wajah session templates');
  const subjectKey = deriveKey(masterKeys[0], 'wajah session subjects');
  return {
    digestSubject: (clientId, name) =>
      createHmac('sha256', subjectKey)
        .update(JSON.stringify([clientId, ...name]))
        .digest(),
    seal(context, template) {
      const bytes = new Uint8Array(template.buffer, template.byteOffset, template.byteLength);
      return seal(sealingKeys[0], bytes, contextBytes(context));
    },
    open(context, sealed) {
      const bytes = unsealWithAny(sealingKeys, sealed, contextBytes(context));
      if (bytes.length % 4 !== 0) throw new SealError(`a template of ${bytes.length} bytes is not float32`);
      // A copy, since the unsealed bytes need not be aligned to four.
      return new Float32Array(new Uint8Array(bytes).buffer);
    },
  };
}

function contextBytes({ clientId, sessionId, embeddingSpec }: SessionContext): Uint8Array {
  return Buffer.from(JSON.stringify(['session', clientId, sessionId, embeddingSpec]), 'utf8');
}
