import { hkdfSync, randomBytes, scryptSync } from 'node:crypto';
import { z } from 'zod';
import { OperatorError } from '../../errors.ts';
import { keyDigest } from '../keys/master-key.ts';
import type { Keys } from '../vaults/sealing.ts';

/** What an archive is sealed with: the master key of the installation, a passphrase, or the bytes of a file. */
export type ArchiveSecret =
  | { readonly kind: 'master'; readonly keys: Keys }
  | { readonly kind: 'passphrase'; readonly passphrase: string }
  | { readonly kind: 'file'; readonly bytes: Uint8Array };

const hex = z.string().regex(/^[0-9a-f]{16,64}$/);
const cost = z.int().min(1);

/** How the key of an archive is derived, as its first line says. */
export const keyRecipe = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('master'), salt: hex, check: hex }),
  z.object({ kind: z.literal('file'), salt: hex }),
  z.object({ kind: z.literal('passphrase'), salt: hex, scrypt: z.object({ n: cost, r: cost, p: cost }) }),
]);

type KeyRecipe = Readonly<z.infer<typeof keyRecipe>>;

const keyBytes = 32;
const saltBytes = 32;
/** Digits of the digest by which an archive names its master key. */
const checkDigits = 16;
/** 128 MiB and about half a second for each guess (RFC 7914). */
const scryptCost = { n: 2 ** 17, r: 8, p: 1 } as const;
const minimumFileBytes = 32;

/** A new recipe, and the key. @throws OperatorError when the secret is too short */
export function newArchiveKey(secret: ArchiveSecret): { recipe: KeyRecipe; key: Uint8Array } {
  const salt = randomBytes(saltBytes).toString('hex');
  const recipe: KeyRecipe =
    secret.kind === 'master'
      ? { kind: 'master', salt, check: keyDigest(secret.keys[0]).slice(0, checkDigits) }
      : secret.kind === 'file'
        ? { kind: 'file', salt }
        : { kind: 'passphrase', salt, scrypt: scryptCost };
  return { recipe, key: archiveKey(recipe, secret) };
}

/** @throws OperatorError when the archive needs another kind of secret, or another master key */
export function archiveKey(recipe: KeyRecipe, secret: ArchiveSecret): Uint8Array {
  const salt = Buffer.from(recipe.salt, 'hex');
  if (recipe.kind === 'passphrase' && secret.kind === 'passphrase') {
    const { n: N, r, p } = recipe.scrypt;
    if (
      N > scryptCost.n ||
      r > scryptCost.r ||
      p > scryptCost.p ||
      !Number.isInteger(Math.log2(N)) ||
      N < 2
    ) {
      throw new OperatorError(
        `the archive asks for a cost of its passphrase (n ${N}, r ${r}, p ${p}) that this program does not allow`,
      );
    }
    return scryptSync(secret.passphrase.normalize('NFC'), salt, keyBytes, { N, r, p, maxmem: 256 * 2 ** 20 });
  }
  if (recipe.kind === 'file' && secret.kind === 'file') {
    if (secret.bytes.length < minimumFileBytes) {
      throw new OperatorError(
        `the key file has ${secret.bytes.length} bytes, at least ${minimumFileBytes} are needed (openssl rand 32)`,
      );
    }
    return derive(secret.bytes, salt, 'wajah archive of a key file');
  }
  if (recipe.kind === 'master' && secret.kind === 'master') {
    const key = secret.keys.find((one) => keyDigest(one).startsWith(recipe.check));
    if (key) return derive(key, salt, 'wajah archive');
    throw new OperatorError(
      'the archive is sealed under another master key; set WAJAH_SECRET_KEY (or secret.key of the data directory) to the one of its time',
    );
  }
  throw new OperatorError(`the archive is sealed with ${secretNames[recipe.kind]}`);
}

const secretNames = {
  master: 'the master key of its installation: leave --passphrase-file and --key-file out',
  passphrase: 'a passphrase: give --passphrase-file',
  file: 'a key file: give --key-file',
} as const;

function derive(secret: Uint8Array, salt: Uint8Array, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, salt, purpose, keyBytes));
}
