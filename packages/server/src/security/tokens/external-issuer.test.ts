import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import type { Logger } from 'pino';
import { expect, it } from 'vitest';
import { openAccounts } from '../../../test/support/accounts.ts';
import { serveHttp } from '../../../test/support/http-server.ts';
import { createExternalIssuer } from './external-issuer.ts';

const issuer = 'https://login.example';
const audience = 'wajah.example';

/** An issuer that shows its key over HTTP. */
async function openIssuer() {
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid: 'k1', alg: 'ES256' }] };
  let works = true;
  const { url } = await serveHttp((_, response) => {
    response.statusCode = works ? 200 : 500;
    response.end(JSON.stringify(jwks));
  });
  const jwksUrl = `${url}/jwks`;
  const reasons: string[] = [];
  const log = { warn: ({ reason }: { reason: string }) => reasons.push(reason) } as unknown as Logger;
  const external = createExternalIssuer({ issuer, audience, jwksUrl, clientClaim: 'azp' }, log);
  const sign = (claims: object, kid = 'k1', lifetime = '1h') =>
    new SignJWT({ iss: issuer, aud: audience, ...claims })
      .setProtectedHeader({ alg: 'ES256', kid })
      .setExpirationTime(lifetime)
      .sign(privateKey);
  /** The issuer shows its key under another name. */
  const rotate = (kid: string) => {
    jwks.keys = jwks.keys.map((key) => ({ ...key, kid }));
  };
  const fail = () => {
    works = false;
  };
  return { external, sign, fail, rotate, reasons };
}

it('accepts a valid external token beside own tokens, with the client of the configured claim', async () => {
  const { external, sign } = await openIssuer();
  const { accounts } = await openAccounts({ external });
  expect(await accounts.authenticate(await sign({ azp: 'mobile-app' }))).toEqual({
    clientId: 'mobile-app',
    scopes: null,
    binding: null,
  });
  const own = await accounts.create({ clientId: 'a' });
  expect(await accounts.authenticate(own.accessToken)).toEqual({
    clientId: 'a',
    scopes: null,
    binding: null,
  });
});

it('refuses another audience, issuer or key, expired tokens, and claims that name no client', async () => {
  const { external, sign } = await openIssuer();
  const { accounts } = await openAccounts({ external });
  const otherIssuer = await openIssuer();
  const bad = [
    await sign({ azp: 'a' }, 'k2'),
    await sign({ azp: 'a', aud: 'other' }),
    await sign({ azp: 'a', iss: 'https://other.example' }),
    await sign({ azp: 'a' }, 'k1', '-1h'),
    await otherIssuer.sign({ azp: 'a' }),
    await sign({}),
    await sign({ azp: 7 }),
    await sign({ azp: 'no client id' }),
    `${await sign({ azp: 'a' })}x`,
  ];
  for (const token of bad) {
    await expect(accounts.authenticate(token)).rejects.toMatchObject({ status: 'unauthorized' });
  }
});

it('logs why a token is refused, and none of it', async () => {
  const { external, sign, fail, reasons } = await openIssuer();
  const { accounts } = await openAccounts({ external });
  const refused = async (token: string) => {
    await expect(accounts.authenticate(token)).rejects.toThrow();
    expect(reasons.join()).not.toContain(token);
    return reasons.splice(0);
  };
  expect(await refused(await sign({ azp: 'a', aud: 'other' }))).toEqual([
    'unexpected "aud" claim value: it is "other"',
  ]);
  expect(await refused(await sign({ azp: 'a', iss: `${issuer}/` }))).toEqual([
    `iss is "${issuer}/", WAJAH_ISSUER is "${issuer}"`,
  ]);
  expect(await refused(await sign({ azp: 'a' }, 'k1', '-1h'))).toEqual([
    expect.stringMatching(/"exp" claim timestamp check failed: it is \d+/),
  ]);
  expect(await refused(await sign({ azp: 'a' }, 'k2'))).toEqual([expect.stringMatching(/no applicable key/)]);
  expect(await refused(await sign({}))).toEqual(['azp is absent, which is no client ID']);
  expect(await refused(await sign({ azp: 'no client id' }))).toEqual([
    'azp is "no client id", which is no client ID',
  ]);
  expect(await refused(`${await sign({ azp: 'a' })}x`)).toEqual([expect.stringMatching(/signature/)]);
  fail();
  const { external: other, sign: signOther, reasons: ofOther, fail: failOther } = await openIssuer();
  failOther();
  await expect(other.read(await signOther({ azp: 'a' }))).rejects.toMatchObject({ status: 'busy' });
  expect(ofOther).toEqual([expect.stringMatching(/200/)]);
});

it('refuses as busy a token of a key that was added since the keys were fetched', async () => {
  const { external, sign, rotate } = await openIssuer();
  const { accounts } = await openAccounts({ external });
  await expect(accounts.authenticate(await sign({ azp: 'a' }, 'k2'))).rejects.toMatchObject({
    status: 'unauthorized',
  });
  rotate('k2');
  await expect(accounts.authenticate(await sign({ azp: 'a' }, 'k2'))).rejects.toMatchObject({
    status: 'busy',
  });
});

it('refuses as busy, not as unauthorized, while the keys cannot be fetched', async () => {
  const { external, sign, fail } = await openIssuer();
  fail();
  const { accounts } = await openAccounts({ external });
  await expect(accounts.authenticate(await sign({ azp: 'a' }))).rejects.toMatchObject({ status: 'busy' });
  await expect(accounts.authenticate('garbage')).rejects.toMatchObject({ status: 'unauthorized' });
});

it('does not read a set of keys that is larger than any real one', async () => {
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const key = { ...(await exportJWK(publicKey)), kid: 'k1', alg: 'ES256' };
  let [count, sent] = [1, 0];
  const { url } = await serveHttp((_, response) => {
    // A key of 9 MB would hold up every call for seconds.
    const body = Buffer.from(JSON.stringify({ keys: Array.from({ length: count }, () => key) }));
    const write = (from: number) => {
      if (from >= body.length || response.destroyed) return response.end();
      sent += 65_536;
      return response.write(body.subarray(from, from + 65_536), () => write(from + 65_536));
    };
    write(0);
  });
  const token = await new SignJWT({ iss: issuer, aud: audience, azp: 'door-7' })
    .setProtectedHeader({ alg: 'ES256', kid: 'k1' })
    .setExpirationTime('1h')
    .sign(privateKey);
  const read = () => {
    const reasons: string[] = [];
    const log = { warn: ({ reason }: { reason: string }) => reasons.push(reason) } as unknown as Logger;
    const made = createExternalIssuer({ issuer, audience, jwksUrl: url, clientClaim: 'azp' }, log);
    return { reasons, result: made.read(token) };
  };
  expect((await read().result).clientId).toBe('door-7');
  count = 60_000;
  sent = 0;
  const { reasons, result } = read();
  await expect(result).rejects.toMatchObject({ status: 'busy' });
  expect(reasons.join()).toContain('the key set has more than 262144 bytes');
  expect(sent).toBeLessThan(60_000 * 150);
});

it('does not register a client again that the operator has deleted, until the operator creates it', async () => {
  const { external, sign } = await openIssuer();
  const { accounts, clients, store } = await openAccounts({ external });
  const register = async () => {
    const { clientId } = await accounts.authenticate(await sign({ azp: 'door-7' }));
    return clients.register({ clientId, trxId: 't', signal: new AbortController().signal });
  };
  await register();
  await accounts.remove('door-7');
  await expect(register()).rejects.toMatchObject({
    status: 'denied',
    detail: expect.stringContaining('wajah client create door-7'),
  });
  expect(await store.clients.list()).toEqual([]);
  await accounts.create({ clientId: 'door-7' });
  expect(await register()).toEqual({ galleryId: 'door-7@trial' });
  await expect(accounts.remove('nobody')).rejects.toMatchObject({ status: 'clientNotFound' });
});
