import { afterEach, describe, expect, it, vi } from 'vitest';
import { temporaryDirectory } from '../../../test/support/temporary.ts';
import { openSigningKeys } from '../keys/signing-keys.ts';
import { createLivenessTokens, faceDigest } from './liveness-tokens.ts';
import { createTokenIssuer } from './token-issuer.ts';

const folder = () => temporaryDirectory();
const claims = { clientId: 'a', sessionId: 's', nonce: 'n', face: faceDigest(Buffer.from('sealed')) };

const keys = await openSigningKeys(folder());
const tokens = createLivenessTokens(keys);
afterEach(() => {
  vi.useRealTimers();
});

describe('a liveness token', () => {
  it('contains its claims, and expires after five minutes', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const token = await tokens.issue(claims);
    expect(await tokens.read(token)).toEqual(claims);
    vi.setSystemTime(Date.now() + 299_000);
    expect(await tokens.read(token)).toEqual(claims);
    vi.setSystemTime(Date.now() + 10_000);
    expect(await tokens.read(token)).toBeNull();
  });

  it('is invalid with another key, when it was changed, and as an access token', async () => {
    const token = await tokens.issue(claims);
    const [head, body, signature] = token.split('.') as [string, string, string];
    const forged = Buffer.from(body, 'base64url').toString().replace('"a"', '"b"');
    const foreign = createLivenessTokens(await openSigningKeys(folder()));
    const { accessToken } = await createTokenIssuer(keys, 300).issue({
      clientId: 'a',
      tokensSince: new Date(0),
    });
    const bad = [
      await foreign.issue(claims),
      `${head}.${Buffer.from(forged).toString('base64url')}.${signature}`,
      accessToken,
      '',
      'x.y.z',
    ];
    for (const one of bad) expect(await tokens.read(one)).toBeNull();
    await expect(createTokenIssuer(keys, 300).read(token)).rejects.toMatchObject({ status: 'unauthorized' });
  });
});
