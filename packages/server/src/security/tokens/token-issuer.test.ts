import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { createLocalJWKSet, jwtVerify, SignJWT } from 'jose';
import { describe, expect, it, vi } from 'vitest';
import { temporaryDirectory } from '../../../test/support/temporary.ts';
import { Refusal, StoreUnavailable } from '../../errors.ts';
import { openSigningKeys } from '../keys/signing-keys.ts';
import { createLivenessTokens } from './liveness-tokens.ts';
import { createTokenIssuer } from './token-issuer.ts';

const account = { clientId: 'alice', tokensSince: new Date(1234) };

async function stand(lifetime = 3600) {
  const keys = await openSigningKeys(temporaryDirectory());
  const key = await keys.current();
  return { key, issuer: createTokenIssuer(keys, lifetime) };
}

describe('the signing key', () => {
  it('is generated once, readable by its owner only', async () => {
    const directory = temporaryDirectory();
    const keys = await openSigningKeys(directory);
    const file = join(directory, 'signing-key.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const { accessToken } = await createTokenIssuer(keys, 60).issue(account);
    const again = createTokenIssuer(await openSigningKeys(directory), 60);
    expect(await again.read(accessToken)).toMatchObject({ clientId: 'alice' });
  });

  it('is refused when it is malformed, without its content in the message', async () => {
    const directory = temporaryDirectory();
    const { publicJwk } = await (await openSigningKeys(directory)).current();
    const file = join(directory, 'signing-key.json');
    const { x } = publicJwk;
    for (const text of [
      '',
      '{}',
      'null',
      `{"keys":[{"kty":"OKP","crv":"Ed25519","x":"${x}","until":null}]}`,
      '{"keys":[{"kty":"oct","k":"AAAA","until":null}]}',
    ]) {
      writeFileSync(file, text);
      await expect(openSigningKeys(directory)).rejects.toThrow('does not hold a private Ed25519 key');
      await expect(openSigningKeys(directory)).rejects.not.toThrow(String(x));
    }
    chmodSync(file, 0o606);
    await expect(openSigningKeys(directory)).rejects.toThrow('chmod 600');
    expect(readFileSync(file, 'utf8')).toContain('oct');
  });
});

describe('access tokens', () => {
  it('have subject, issuer, audience, expiry and a distinct jti', async () => {
    const { issuer } = await stand(60);
    const { accessToken, expiresIn } = await issuer.issue(account);
    expect(expiresIn).toBe(60);
    const claims = await issuer.read(accessToken);
    expect(claims).toMatchObject({ clientId: 'alice', tokensSince: 1234 });
    expect(Math.abs(claims.expiresAt.getTime() - Date.now() - 60_000)).toBeLessThan(5000);
    expect((await issuer.issue(account)).accessToken).not.toBe(accessToken);
  });

  it('can be verified with the JWKS, which contains no private part', async () => {
    const { issuer } = await stand();
    const { accessToken } = await issuer.issue(account);
    const jwks = await issuer.jwks();
    const options = { issuer: 'wajah', audience: 'wajah' };
    const { payload } = await jwtVerify(accessToken, createLocalJWKSet(jwks), options);
    expect(payload).toMatchObject({ sub: 'alice', client_id: 'alice' });
    expect(payload.jti).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
    expect(Object.keys(jwks.keys[0]!).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x']);
  });

  it('expire, and can then be read for revocation only', async () => {
    const { issuer } = await stand(-10);
    const { accessToken } = await issuer.issue(account);
    await expect(issuer.read(accessToken)).rejects.toMatchObject({
      status: 'unauthorized',
      detail: expect.stringContaining('expired'),
    });
    expect(await issuer.read(accessToken, true)).toMatchObject({ clientId: 'alice' });
  });

  it('are refused with another key, issuer, audience, type or algorithm, or without a claim', async () => {
    const { key, issuer } = await stand();
    const signed = (change: (jwt: SignJWT) => SignJWT, header: object = {}) =>
      change(
        new SignJWT({ account: 1 })
          .setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt', kid: key.kid, ...header })
          .setIssuer('wajah')
          .setAudience('wajah')
          .setSubject('alice')
          .setJti('1')
          .setExpirationTime('1h'),
      );
    const fine = await signed((jwt) => jwt).sign(key.privateKey);
    expect(await issuer.read(fine)).toMatchObject({ clientId: 'alice' });
    const other = await stand();
    const [head, body] = fine.split('.');
    const none = Buffer.from(JSON.stringify({ alg: 'none', typ: 'at+jwt' })).toString('base64url');
    const bad = [
      await signed((jwt) => jwt).sign(other.key.privateKey),
      await signed((jwt) => jwt.setIssuer('other')).sign(key.privateKey),
      await signed((jwt) => jwt.setAudience('other')).sign(key.privateKey),
      await signed((jwt) => jwt.setNotBefore('1h')).sign(key.privateKey),
      await signed((jwt) => jwt, { kid: 'other' }).sign(key.privateKey),
      await signed((jwt) => jwt, { kid: undefined }).sign(key.privateKey),
      await signed((jwt) => jwt, { typ: 'JWT' }).sign(key.privateKey),
      await signed((jwt) => jwt, { alg: 'HS256' }).sign(Buffer.from(String(key.publicJwk.x).padEnd(32))),
      await new SignJWT({ account: 1 })
        .setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt', kid: key.kid })
        .setIssuer('wajah')
        .setAudience('wajah')
        .sign(key.privateKey),
      `${none}.${body}.`,
      `${head}.${body}.`,
    ];
    for (const token of bad) await expect(issuer.read(token)).rejects.toBeInstanceOf(Refusal);
  });

  it('are not called invalid while the keys cannot be read', async () => {
    const keys = await openSigningKeys(temporaryDirectory());
    const { accessToken } = await createTokenIssuer(keys, 60).issue(account);
    const livenessToken = await createLivenessTokens(keys).issue({
      clientId: 'alice',
      sessionId: 's',
      nonce: 'n',
      face: 'f',
    });
    const unreadable = {
      ...keys,
      find: async () => {
        throw new StoreUnavailable('the database cannot be reached');
      },
    };
    await expect(createTokenIssuer(unreadable, 60).read(accessToken)).rejects.toThrow(StoreUnavailable);
    await expect(createLivenessTokens(unreadable).read(livenessToken)).rejects.toThrow(StoreUnavailable);
  });

  it('are refused when any character was changed', async () => {
    const { issuer } = await stand();
    const { accessToken } = await issuer.issue(account);
    await fc.assert(
      fc.asyncProperty(
        fc.nat(accessToken.length - 2),
        fc.string({ minLength: 1, maxLength: 3 }),
        async (at, text) => {
          const changed = accessToken.slice(0, at) + text + accessToken.slice(at + text.length);
          // The last character of a signature of 64 bytes has four bits that decode to nothing.
          fc.pre(changed !== accessToken && changed.at(-1) === accessToken.at(-1));
          await expect(issuer.read(changed)).rejects.toMatchObject({ status: 'unauthorized' });
        },
      ),
    );
  });
});

describe('a token that was verified before', () => {
  it('is refused once its key is, and once it has expired', async () => {
    const { issuer } = await stand();
    const { accessToken } = await issuer.issue(account);
    const first = await issuer.read(accessToken);
    expect(await issuer.read(accessToken)).toBe(first);
    await issuer.rotateKey(true);
    await expect(issuer.read(accessToken)).rejects.toMatchObject({ status: 'unauthorized' });

    const { accessToken: short } = await issuer.issue(account);
    await issuer.read(short);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * 3600_000 });
    try {
      await expect(issuer.read(short)).rejects.toThrow('the token has expired');
      expect(await issuer.read(short, true)).toMatchObject({ clientId: 'alice' });
    } finally {
      vi.useRealTimers();
    }
  });
});
