import { randomBytes } from 'node:crypto';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openStore } from '../../../test/support/store.ts';
import { temporaryDirectory } from '../../../test/support/temporary.ts';
import { createLivenessTokens } from '../tokens/liveness-tokens.ts';
import { createTokenIssuer } from '../tokens/token-issuer.ts';
import { openSharedSigningKeys, openSigningKeys, type SigningKeys } from './signing-keys.ts';

const hour = 3600;
const account = { clientId: 'alice', tokensSince: new Date(1234) };
const liveness = { clientId: 'alice', sessionId: 's', nonce: 'n', face: 'f' };

const tokenOf = async (keys: SigningKeys) => (await createTokenIssuer(keys, hour).issue(account)).accessToken;
const read = (keys: SigningKeys, token: string) => createTokenIssuer(keys, hour).read(token);
const kidsOf = async (keys: SigningKeys) => (await keys.jwks()).keys.map(({ kid }) => kid);

afterEach(() => {
  vi.useRealTimers();
});

describe.each([
  ['a data directory', () => openSigningKeys(temporaryDirectory())],
  ['a database', () => openSharedSigningKeys([randomBytes(32)], openStore().meta)],
])('a key of %s that is replaced', (_, open) => {
  it('verifies its tokens until they have expired', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const keys = await open();
    const former = (await keys.current()).kid;
    const token = await tokenOf(keys);
    const proof = await createLivenessTokens(keys).issue(liveness);
    const { kid } = await createTokenIssuer(keys, hour).rotateKey(false);
    expect(kid).not.toBe(former);
    expect((await keys.current()).kid).toBe(kid);
    expect(await kidsOf(keys)).toEqual([kid, former]);
    for (const each of [token, await tokenOf(keys)]) {
      expect(await read(keys, each)).toMatchObject({ clientId: 'alice' });
    }
    expect(await createLivenessTokens(keys).read(proof)).toEqual(liveness);
    vi.setSystemTime(Date.now() + 1000 * (hour + 5 * 60));
    expect(await kidsOf(keys)).toEqual([kid]);
    await expect(read(keys, token)).rejects.toMatchObject({ status: 'unauthorized' });
  });

  it('at once verifies no token any more', async () => {
    const keys = await open();
    const token = await tokenOf(keys);
    const { kid } = await createTokenIssuer(keys, hour).rotateKey(true);
    expect(await kidsOf(keys)).toEqual([kid]);
    await expect(read(keys, token)).rejects.toMatchObject({ status: 'unauthorized' });
    expect(await read(keys, await tokenOf(keys))).toMatchObject({ clientId: 'alice' });
  });
});

it('all keys survive a restart', async () => {
  const directory = temporaryDirectory();
  const keys = await openSigningKeys(directory);
  const tokens = [await tokenOf(keys)];
  for (let i = 0; i < 2; i++) {
    await keys.rotate(hour);
    tokens.push(await tokenOf(keys));
  }
  const again = await openSigningKeys(directory);
  expect(await kidsOf(again)).toEqual(await kidsOf(keys));
  for (const token of tokens) expect(await read(again, token)).toMatchObject({ clientId: 'alice' });
});

it('another server verifies tokens of a new key, and signs with it when it has read the keys again', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] });
  const [master, { meta }] = [randomBytes(32), openStore()];
  const [one, two] = [
    await openSharedSigningKeys([master], meta),
    await openSharedSigningKeys([master], meta),
  ];
  const { kid } = await one.rotate(hour);
  vi.advanceTimersByTime(1000);
  expect((await two.current()).kid).not.toBe(kid);
  expect(await read(one, await tokenOf(two))).toMatchObject({ clientId: 'alice' });
  expect(await read(two, await tokenOf(one))).toMatchObject({ clientId: 'alice' });
  expect((await two.current()).kid).toBe(kid);
});
