import { type Endpoint, endpoints } from '@wajah/contract';
import { createLocalJWKSet, jwtVerify } from 'jose';
import { describe, expect, it } from 'vitest';
import { startTestApp } from '../../support/test-app.ts';

const server = await startTestApp();
const client = await server.client();

const formType = { 'content-type': 'application/x-www-form-urlencoded' };

function post({ path }: Endpoint, payload: string | object, headers: Record<string, string> = {}) {
  return server.app.inject({ method: 'POST', url: path, payload, headers });
}

const form = (fields: Record<string, string>) => new URLSearchParams(fields).toString();
const basic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
});

async function works(token: string): Promise<boolean> {
  return (await server.call(token, endpoints.listGalleries)).http === 200;
}

describe('a token', () => {
  it.each(['form', 'json', 'basic'])('is issued for client_id and password, given as %s', async (way) => {
    const { id, password } = client;
    const fields = { client_id: id, password };
    const answer = await {
      form: () => post(endpoints.clientToken, form(fields), formType),
      json: () => post(endpoints.clientToken, fields),
      basic: () => post(endpoints.clientToken, '', basic(id, password)),
    }[way as 'form' | 'json' | 'basic']();
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.json()).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 86_400,
    });
    expect(await works(answer.json().access_token)).toBe(true);
  });

  it.each(['form', 'basic'])('is issued by the standard grant, credentials given as %s', async (way) => {
    const { id, password } = client;
    const grant_type = 'client_credentials';
    const answer = await {
      form: () =>
        post(endpoints.token, form({ grant_type, client_id: id, client_secret: password }), formType),
      basic: () => post(endpoints.token, form({ grant_type }), { ...formType, ...basic(id, password) }),
    }[way as 'form' | 'basic']();
    expect(await works(answer.json().access_token)).toBe(true);
  });

  it('is signed with a key of the JWKS', async () => {
    const { body } = await server.call(undefined, endpoints.jwks);
    const { protectedHeader } = await jwtVerify(client.token, createLocalJWKSet(body));
    expect(protectedHeader.alg).toMatch(/^Ed/);
    expect(JSON.stringify(body)).not.toContain('"d"');
  });
});

describe('a token is not issued', () => {
  it('for a wrong password or an unknown client, with the same answer', async () => {
    const wrong = await post(endpoints.token, {
      grant_type: 'client_credentials',
      client_id: client.id,
      password: 'x',
    });
    const unknown = await post(endpoints.token, {
      grant_type: 'client_credentials',
      client_id: 'who',
      password: 'x',
    });
    for (const answer of [wrong, unknown]) {
      expect(answer.statusCode).toBe(401);
      expect(answer.headers['www-authenticate']).toBe('Basic realm="wajah"');
      expect(answer.json()).toMatchObject({ status: '401', error: 'invalid_client' });
    }
    expect(wrong.json().detail).toBe(unknown.json().detail);
  });

  it.each([
    ['without client_id', { password: 'x' }, 'invalid_request', /^client_id: /],
    ['without password', { client_id: 'x' }, 'invalid_request', /^password: /],
    ['for a client_id that is no text', { client_id: 7, password: 'x' }, 'invalid_request', /^client_id: /],
  ])('%s', async (_, fields, error, detail) => {
    const answer = await post(endpoints.clientToken, fields);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ status: '400', error, detail: expect.stringMatching(detail) });
  });

  it('for another grant type, or none', async () => {
    const fields = { client_id: client.id, password: client.password };
    const other = await post(endpoints.token, { ...fields, grant_type: 'password' });
    expect([other.statusCode, other.json().error]).toEqual([400, 'unsupported_grant_type']);
    const none = await post(endpoints.token, fields);
    expect([none.statusCode, none.json().error]).toEqual([400, 'invalid_request']);
  });

  it('for a body with a field twice, or one that is too large', async () => {
    const twice = await post(endpoints.clientToken, 'client_id=a&client_id=b&password=x', formType);
    expect(twice.json()).toMatchObject({ status: '400', detail: expect.stringContaining('twice') });
    const large = await post(endpoints.clientToken, { client_id: 'a', password: 'x'.repeat(70_000) });
    expect(large.json()).toMatchObject({ status: '400', detail: expect.stringContaining('65536 bytes') });
  });

  it('after too many failures', async () => {
    const strict = await startTestApp({}, { limits: { failedLogins: 2 } });
    const { id } = await strict.client();
    const guess = () => strict.call(undefined, endpoints.clientToken, { client_id: id, password: 'guess' });
    expect([(await guess()).http, (await guess()).http]).toEqual([401, 401]);
    const { http, headers } = await guess();
    expect(http).toBe(429);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  });
});

describe('revoking', () => {
  const revoke = (token: string, fields: object) =>
    post(endpoints.revokeToken, fields, { accesstoken: token });

  it('stops a token at once, and only that one', async () => {
    const leaving = await server.client();
    const credentials = { client_id: leaving.id, password: leaving.password };
    const other = (await post(endpoints.clientToken, credentials)).json().access_token;
    const answer = await revoke(leaving.token, credentials);
    expect(answer.json()).toEqual({ status: '200', status_message: 'Success Revoke Token' });
    expect([await works(leaving.token), await works(other)]).toEqual([false, true]);
  });

  it('needs no credentials for the own token, while it is valid', async () => {
    const leaving = await server.client();
    const credentials = { client_id: leaving.id, password: leaving.password };
    const other = (await post(endpoints.clientToken, credentials)).json().access_token;
    expect((await revoke(leaving.token, { own: true })).statusCode).toBe(200);
    expect([await works(leaving.token), await works(other)]).toEqual([false, true]);
    for (const token of [leaving.token, 'waj_none', 'no.such.token'])
      expect((await revoke(token, { own: true })).statusCode).toBe(401);
    expect((await post(endpoints.revokeToken, { own: true })).statusCode).toBe(401);
  });

  it('needs the token and the credentials of its client', async () => {
    const other = await server.client();
    const credentials = { client_id: other.id, password: other.password };
    expect((await post(endpoints.revokeToken, credentials)).statusCode).toBe(401);
    expect((await revoke(client.token, {})).statusCode).toBe(400);
    expect((await revoke(client.token, { client_id: client.id, password: 'x' })).statusCode).toBe(401);
    expect((await revoke(client.token, credentials)).statusCode).not.toBe(200);
    expect(await works(client.token)).toBe(true);
  });
});
