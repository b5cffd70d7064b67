import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { SealError } from '../../errors.ts';

export { SealError };

/** Of every key, bytes. */
export const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;
/** Version of the layout: version byte · nonce · ciphertext · tag. */
const aes256gcm = 1;

/** @returns null when the bytes do not open @param onDamage is told */
export function openedOrNull<T>(open: () => T, onDamage: () => void = () => {}): T | null {
  try {
    return open();
  } catch (error) {
    if (!(error instanceof SealError)) throw error;
    onDamage();
    return null;
  }
}

/**
 * AES-256-GCM with a random 96-bit nonce (NIST SP 800-38D allows 2^32 messages under one key).
 * @param key 32 bytes
 * @param context associated data; unsealing with another context fails
 * @returns 29 bytes more than `plain`
 */
export function seal(key: Uint8Array, plain: Uint8Array, context: Uint8Array): Uint8Array {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes });
  cipher.setAAD(context);
  return Buffer.concat([
    Uint8Array.of(aes256gcm),
    nonce,
    cipher.update(plain),
    cipher.final(),
    cipher.getAuthTag(),
  ]);
}

/**
 * The key that seals, and others that also open: the former one while a master key is replaced.
 * @example const keys = deriveKeys(masterKeys, 'wajah gallery keys');
 */
export type Keys = readonly [Uint8Array, ...Uint8Array[]];

/** `deriveKey` of each master key. */
export function deriveKeys([first, ...others]: Keys, purpose: string): Keys {
  return [deriveKey(first, purpose), ...others.map((key) => deriveKey(key, purpose))];
}

/** Derives a key for one purpose (HKDF-SHA256, RFC 5869). @returns 32 bytes */
export function deriveKey(masterKey: Uint8Array, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', masterKey, new Uint8Array(), purpose, keyBytes));
}

/**
 * Seals what was sealed with one of the keys under the first one.
 * @returns null when it is already, else as many bytes as `sealed`
 * @throws SealError as `unseal`
 */
export function reseal(keys: Keys, sealed: Uint8Array, context: Uint8Array): Uint8Array | null {
  try {
    unseal(keys[0], sealed, context).fill(0);
    return null;
  } catch {
    const plain = unsealWithAny(keys, sealed, context);
    const result = seal(keys[0], plain, context);
    plain.fill(0);
    return result;
  }
}

/** Opens what was sealed with one of the keys. @throws SealError as `unseal` */
export function unsealWithAny([key, ...others]: Keys, sealed: Uint8Array, context: Uint8Array): Uint8Array {
  try {
    return unseal(key, sealed, context);
  } catch (error) {
    const [next, ...rest] = others;
    if (!next || !(error instanceof SealError)) throw error;
    return unsealWithAny([next, ...rest], sealed, context);
  }
}

/** @throws SealError when `sealed` is damaged or was sealed with another key or context */
function unseal(key: Uint8Array, sealed: Uint8Array, context: Uint8Array): Uint8Array {
  if (sealed.length < 1 + nonceBytes + tagBytes) throw new SealError('sealed bytes are truncated');
  if (sealed[0] !== aes256gcm) throw new SealError(`sealed bytes have the unknown version ${sealed[0]}`);
  const nonce = sealed.subarray(1, 1 + nonceBytes);
  const body = sealed.subarray(1 + nonceBytes, sealed.length - tagBytes);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes });
  decipher.setAAD(context);
  decipher.setAuthTag(sealed.subarray(sealed.length - tagBytes));
  // All of them: GCM has no blocks to fill. `final` only compares the tag.
  const plain = decipher.update(body);
  try {
    decipher.final();
  } catch {
    throw new SealError('sealed bytes do not open: they are damaged, or sealed with another key or context');
  }
  return plain;
}
