import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { DamagedRow } from '../errors.ts';

/** Costs of OWASP's password storage cheat sheet; 32 MiB and about 80 ms each. */
const cost = { N: 2 ** 15, r: 8, p: 1 };
const saltBytes = 16;
const hashBytes = 32;
const format = /^\$scrypt\$N=(\d+),r=(\d+),p=(\d+)\$([\w-]+)\$([\w-]+)$/;

/** @returns `$scrypt$N=…,r=…,p=…$salt$hash`, base64url; a hash with other costs than today's still verifies */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes);
  const hash = await derive(password, salt, cost);
  return `$scrypt$N=${cost.N},r=${cost.r},p=${cost.p}$${salt.toString('base64url')}$${hash.toString('base64url')}`;
}

/**
 * Takes the same time without a hash, so that the duration does not reveal which clients exist.
 * @param encoded null for a client that does not exist or has no password
 */
export async function verifyPassword(password: string, encoded: string | null): Promise<boolean> {
  const parts = format.exec(encoded ?? decoyHash);
  if (!parts) throw new DamagedRow('clients.password_hash');
  const [, N, r, p, salt, hash] = parts;
  const expected = Buffer.from(hash ?? '', 'base64url');
  const options = { N: Number(N), r: Number(r), p: Number(p) };
  const given = await derive(password, Buffer.from(salt ?? '', 'base64url'), options);
  return timingSafeEqual(given, expected) && encoded !== null;
}

/** 192 random bits as base64url, which a shell or URL does not need to escape. */
export function randomPassword(): string {
  return randomBytes(24).toString('base64url');
}

/** A random hash that is verified where there is none. */
const decoyHash = `$scrypt$N=${cost.N},r=${cost.r},p=${cost.p}$${randomBytes(saltBytes).toString('base64url')}$${randomBytes(hashBytes).toString('base64url')}`;

/** Runs on libuv's thread pool. Composed and decomposed letters are the same password (RFC 8265, section 4.2.2). */
function derive(password: string, salt: Buffer, options: ScryptOptions): Promise<Buffer> {
  const limited = { ...options, maxmem: 256 * 1024 * 1024 };
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFC'), salt, hashBytes, limited, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}
