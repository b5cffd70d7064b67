import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';

/** Costs of OWASP's password storage cheat sheet; 32 MiB and about 80 ms each. */
const cost = { N: 2 ** 15, r: 8, p: 1 };
const saltBytes = 16;
const hashBytes = 32;
const format = /^\$scrypt\$N=(\d+),r=(\d+),p=(\d+)\$([\w-]+)\$([\w-]+)$/;

/** Bounds of a password, in code points. */
export const passwordLength = { min: 8, max: 1024 } as const;

/** @returns `$scrypt$N=…,r=…,p=…$salt$hash`, base64url: later costs can be higher and this one still verifies */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes);
  const hash = await derive(password, salt, cost);
  return `$scrypt$N=${cost.N},r=${cost.r},p=${cost.p}$${salt.toString('base64url')}$${hash.toString('base64url')}`;
}

/**
 * Takes the same time for a wrong password as for no hash at all, so that nobody learns which clients exist.
 * @param encoded null for a client that does not exist or has no password
 */
export async function verifyPassword(password: string, encoded: string | null): Promise<boolean> {
  const parts = format.exec(encoded ?? absent);
  if (!parts) throw new Error('a stored password hash is not in the format this program writes');
  const [, N, r, p, salt, hash] = parts;
  const expected = Buffer.from(hash ?? '', 'base64url');
  const options = { N: Number(N), r: Number(r), p: Number(p) };
  const given = await derive(password, Buffer.from(salt ?? '', 'base64url'), options);
  return timingSafeEqual(given, expected) && encoded !== null;
}

/** 192 bits, in characters that survive a shell and a URL. */
export function randomPassword(): string {
  return randomBytes(24).toString('base64url');
}

/** A hash of nothing known, to spend the same time on. */
const absent = `$scrypt$N=${cost.N},r=${cost.r},p=${cost.p}$${randomBytes(saltBytes).toString('base64url')}$${randomBytes(hashBytes).toString('base64url')}`;

/** On libuv's thread pool. Composed and decomposed letters are the same password (RFC 8265, section 4.2.2). */
function derive(password: string, salt: Buffer, options: ScryptOptions): Promise<Buffer> {
  const limited = { ...options, maxmem: 256 * 1024 * 1024 };
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFC'), salt, hashBytes, limited, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}
