import { scryptSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { hashPassword, randomPassword, verifyPassword } from './passwords.ts';

describe('passwords', () => {
  it('are verified against their own hash only', async () => {
    const hash = await hashPassword('correct horse');
    expect(await verifyPassword('correct horse', hash)).toBe(true);
    for (const wrong of ['', 'correct hors', 'Correct horse', 'correct horse ']) {
      expect(await verifyPassword(wrong, hash)).toBe(false);
    }
  });

  it('have hashes that contain their costs and differ each time', async () => {
    const [a, b] = await Promise.all([hashPassword('x'), hashPassword('x')]);
    expect(a).toMatch(/^\$scrypt\$N=32768,r=8,p=1\$[\w-]{22}\$[\w-]{43}$/);
    expect(a).not.toBe(b);
    expect(a).not.toContain('$x$');
  });

  it('are verified against hashes of other costs', async () => {
    const [salt, options] = [Buffer.from('salt'), { N: 16, r: 1, p: 2 }];
    const hash = scryptSync('old password', salt, 32, options).toString('base64url');
    const cheap = `$scrypt$N=16,r=1,p=2$${salt.toString('base64url')}$${hash}`;
    expect(await verifyPassword('old password', cheap)).toBe(true);
    expect(await verifyPassword('new password', cheap)).toBe(false);
    await expect(verifyPassword('x', 'plain text')).rejects.toThrow('clients.password_hash');
  });

  it('are equal in composed and decomposed form', async () => {
    const hash = await hashPassword('café');
    expect(await verifyPassword('cafe\u0301', hash)).toBe(true);
  });

  it('are wrong without a hash', async () => {
    expect(await verifyPassword('', null)).toBe(false);
  });

  it('are long and distinct when they are generated', () => {
    const made = Array.from({ length: 50 }, randomPassword);
    expect(new Set(made).size).toBe(50);
    for (const password of made) expect(password).toMatch(/^[\w-]{32}$/);
  });
});
