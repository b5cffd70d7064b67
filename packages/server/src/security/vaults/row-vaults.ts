import { createHmac } from 'node:crypto';
import type { DerivedColumn } from '../../store/database/types.ts';
import { derivedColumns } from '../../store/sealed-store.ts';
import { deriveKey, deriveKeys, type Keys, reseal, SealError, seal, unsealWithAny } from './sealing.ts';

/**
 * Seals values under a key that is derived from the master key for one purpose.
 * @param masterKeys 32 bytes each; the first one seals, the others also open
 */
export function openVault(masterKeys: Keys, purpose: string) {
  const keys = deriveKeys(masterKeys, purpose);
  const bytesOf = (context: readonly unknown[]) => Buffer.from(JSON.stringify(context), 'utf8');
  return {
    /** @param context what the value is bound to @returns 29 bytes more than `plain` */
    seal: (context: readonly unknown[], plain: Uint8Array) => seal(keys[0], plain, bytesOf(context)),
    /** @throws SealError when the bytes are damaged or have another context */
    open: (context: readonly unknown[], sealed: Uint8Array) => unsealWithAny(keys, sealed, bytesOf(context)),
    /** @returns null when it is sealed under the present key @throws SealError as `open` */
    reseal: (context: readonly unknown[], sealed: Uint8Array) => reseal(keys, sealed, bytesOf(context)),
  };
}

/** Seals JSON values of a column, each bound to the client and the id of its row. @param Value what it seals */
export function openJsonVault<Value>(
  masterKeys: Keys,
  { purpose, context }: Pick<DerivedColumn, 'purpose' | 'context'>,
) {
  const vault = openVault(masterKeys, purpose);
  const of = ({ clientId, id }: { readonly clientId: string; readonly id: string }) =>
    context({ clientId, name: id });
  return {
    seal: (row: Parameters<typeof of>[0], value: Value) =>
      vault.seal(of(row), Buffer.from(JSON.stringify(value))),
    /** @throws SealError when the bytes are damaged or of another row */
    open: (row: Parameters<typeof of>[0], sealed: Uint8Array) =>
      JSON.parse(Buffer.from(vault.open(of(row), sealed)).toString()) as Value,
  };
}

export type FrameVault = ReturnType<typeof createFrameVault>;

/**
 * Seals what is remembered of the frames of liveness sessions, each session by itself, so that rows cannot be compared with
 * each other or with a picture without the key.
 */
export function createFrameVault(...masterKeys: Keys) {
  const { purpose, context } = derivedColumns.frameShapes;
  const vault = openVault(masterKeys, purpose);
  const of = (sessionId: string) => context({ name: sessionId, clientId: '' });
  return {
    seal: (sessionId: string, plain: Uint8Array) => vault.seal(of(sessionId), plain),
    /** @throws SealError when the bytes are damaged or of another session */
    open: (sessionId: string, sealed: Uint8Array) => vault.open(of(sessionId), sealed),
  };
}

/** Context that a session's template is bound to. */
type SessionContext = Readonly<{
  clientId: string;
  sessionId: string;
  /** Embedding spec (JSON) of the template. */
  embeddingSpec: string;
}>;

export type SessionVault = ReturnType<typeof createSessionVault>;

/** Encrypts the templates of liveness sessions, and the frames that are kept with them. */
export function createSessionVault(...masterKeys: Keys) {
  const vault = openVault(masterKeys, 'wajah session templates');
  const subjectKey = deriveKey(masterKeys[0], 'wajah session subjects');
  const of = (context: SessionContext) => {
    const { clientId, sessionId, embeddingSpec } = context;
    return ['session', clientId, sessionId, embeddingSpec];
  };
  return {
    /**
     * HMAC-SHA-256 (RFC 2104) of a subject's name under a key of this purpose, 32 bytes: the same for the same name of a
     * client. Names of two clients cannot be compared, and none can be guessed without the key.
     */
    digestSubject: (clientId: string, name: readonly string[]): Uint8Array =>
      createHmac('sha256', subjectKey)
        .update(JSON.stringify([clientId, ...name]))
        .digest(),
    /** Seals a frame of a session, as large as it is and 29 bytes more. */
    sealFrame: (clientId: string, sessionId: string, jpeg: Uint8Array) =>
      vault.seal(['session frame', clientId, sessionId], jpeg),
    /** @throws SealError when the bytes are damaged or have another context */
    openFrame: (clientId: string, sessionId: string, sealed: Uint8Array) =>
      vault.open(['session frame', clientId, sessionId], sealed),
    /** @returns float32 little-endian, sealed: 4 bytes a dimension and 29 more */
    seal: (context: SessionContext, { buffer, byteOffset, byteLength }: Float32Array) =>
      vault.seal(of(context), new Uint8Array(buffer, byteOffset, byteLength)),
    /** @throws SealError when the bytes are damaged or have another context */
    open(context: SessionContext, sealed: Uint8Array): Float32Array {
      const bytes = vault.open(of(context), sealed);
      if (bytes.length % 4 !== 0) throw new SealError(`a template of ${bytes.length} bytes is not float32`);
      // A copy, since the unsealed bytes need not be aligned to four.
      return new Float32Array(new Uint8Array(bytes).buffer);
    },
  };
}
