import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openAccounts } from '../../../test/support/accounts.ts';
import { rounds } from '../../../test/support/rounds.ts';
import { OperatorError, Refusal } from '../../errors.ts';
import { createAdminOperations } from '../../operations/table.ts';

const address = '192.0.2.1';
const unauthorized = { status: 'unauthorized' };

describe('an account', () => {
  it('is created registered, with its first gallery, a password and a valid token', async () => {
    const { accounts, store } = await openAccounts();
    const made = await accounts.create({ clientId: 'a@b.example', quota: { faces: 5 } });
    expect(made).toMatchObject({ clientId: 'a@b.example', expiresIn: 3600 });
    expect(await accounts.authenticate(made.accessToken)).toEqual({
      clientId: 'a@b.example',
      scopes: null,
      binding: null,
    });
    expect((await store.galleries.list('a@b.example')).map((g) => g.galleryId)).toEqual([
      'a@b.example@trial',
    ]);
    const record = await store.clients.get('a@b.example');
    expect(record?.registeredAt).not.toBeNull();
    expect(record?.quota).toEqual({ hits: -1, faces: 5, galleries: 100 });
    expect(record?.passwordHash).not.toContain(made.password);
    const login = await accounts.login({ clientId: made.clientId, password: made.password, address });
    expect(await accounts.authenticate(login.accessToken)).toEqual({
      clientId: 'a@b.example',
      scopes: null,
      binding: null,
    });
  });

  it.each([
    [{ clientId: '' }, /client_id: "" is not allowed; use 1 to 114/],
    [{ clientId: 'a b' }, /client_id/],
    [{ clientId: 'x'.repeat(115) }, /client_id/],
    [{ clientId: 'a\n' }, /client_id/],
    [{ clientId: 'a', password: 'short' }, /password: it has 5 characters; 8 to 1024/],
    [{ clientId: 'a', quota: { hits: 1.5 } }, /hits: 1.5 is not allowed/],
    [{ clientId: 'a', quota: { faces: -2 } }, /faces: -2/],
    [{ clientId: 'a', quota: { galleries: 0 } }, /first gallery/],
  ])('is not created from %j', async (input, message) => {
    const { accounts, store } = await openAccounts();
    await expect(accounts.create(input)).rejects.toThrow(message);
    expect(await store.clients.list()).toEqual([]);
  });

  it('is created once, also by concurrent calls', async () => {
    const { accounts } = await openAccounts();
    const both = await Promise.allSettled([
      accounts.create({ clientId: 'a', password: 'password one' }),
      accounts.create({ clientId: 'a', password: 'password two' }),
    ]);
    expect(both.map((one) => one.status).sort()).toEqual(['fulfilled', 'rejected']);
    await expect(accounts.create({ clientId: 'a' })).rejects.toThrow('client_id: a exists already');
  });

  it('is listed, given quotas and removed; an unknown client is refused', async () => {
    const { accounts, tokens, store } = await openAccounts();
    for (const clientId of ['b', 'a']) await accounts.create({ clientId });
    await accounts.setQuota('a', { hits: 5 });
    const listed = await store.clients.list();
    expect(listed.map((client) => [client.clientId, client.quota.hits])).toEqual([
      ['a', 5],
      ['b', -1],
    ]);
    expect(await accounts.remove('a')).toEqual({ galleries: 1, faces: 0 });
    expect((await store.clients.list()).map((client) => client.clientId)).toEqual(['b']);
    const none = /client_id: there is no client "a"/;
    await expect(accounts.remove('a')).rejects.toThrow(none);
    await expect(accounts.setQuota('a', {})).rejects.toThrow(none);
    await expect(tokens.createFor('a', 'n')).rejects.toThrow(none);
    await expect(createAdminOperations({ store } as never).listTokens({ clientId: 'a' })).rejects.toThrow(
      none,
    );
  });

  it('has no valid token after its removal, also when its name is used again', async () => {
    const { accounts, tokens } = await openAccounts();
    const old = await accounts.create({ clientId: 'a' });
    const api = await tokens.createFor('a', 'n');
    await accounts.remove('a');
    for (const token of [old.accessToken, api.token]) {
      await expect(accounts.authenticate(token)).rejects.toMatchObject(unauthorized);
    }
    await accounts.create({ clientId: 'a' });
    for (const token of [old.accessToken, api.token]) {
      await expect(accounts.authenticate(token)).rejects.toMatchObject(unauthorized);
    }
  });
});

describe('tokens', () => {
  it('are revoked at once, by their own client only, idempotently', async () => {
    const { accounts, tokens } = await openAccounts();
    const a = await accounts.create({ clientId: 'a', password: 'password of a' });
    await accounts.create({ clientId: 'b', password: 'password of b' });
    const api = await tokens.createFor('a', 'n');
    for (const { token, scopes } of [
      { token: a.accessToken, scopes: null },
      { token: api.token, scopes: ['recognise'] },
    ]) {
      const asB = { token, clientId: 'b', password: 'password of b', address };
      await expect(accounts.revoke(asB, null)).rejects.toMatchObject(unauthorized);
      const asA = { token, clientId: 'a', password: 'password of a', address };
      await expect(accounts.revoke({ ...asA, password: 'wrong' }, null)).rejects.toMatchObject(unauthorized);
      expect(await accounts.authenticate(token)).toEqual({ clientId: 'a', scopes, binding: null });
      await accounts.revoke(asA, null);
      await expect(accounts.authenticate(token)).rejects.toMatchObject({
        ...unauthorized,
        detail: expect.stringContaining('revoked'),
      });
      await accounts.revoke(asA, null);
    }
    const garbage = { token: 'garbage', clientId: 'a', password: 'password of a', address };
    await expect(accounts.revoke(garbage, null)).rejects.toMatchObject(unauthorized);
  });

  it('of the API are shown once, stored as a digest, and expire', async () => {
    const { accounts, store, tokens } = await openAccounts();
    await accounts.create({ clientId: 'a' });
    const forever = await tokens.createFor('a', 'forever');
    const over = await tokens.createFor('a', 'over', new Date(Date.now() - 1));
    expect(forever.token).toMatch(/^waj_[\w-]{43}$/);
    expect(await accounts.authenticate(forever.token)).toEqual({
      clientId: 'a',
      scopes: ['recognise'],
      binding: null,
    });
    await expect(accounts.authenticate(over.token)).rejects.toMatchObject({
      ...unauthorized,
      detail: expect.stringContaining('expired'),
    });
    expect(JSON.stringify(await store.tokens.list('a'))).not.toContain(forever.token.slice(4));
    await tokens.revokeAny(forever.id);
    await expect(accounts.authenticate(forever.token)).rejects.toMatchObject(unauthorized);
    await tokens.revokeAny(over.token);
    await expect(tokens.revokeAny('none')).rejects.toThrow(OperatorError);
    await expect(tokens.createFor('a', ' ')).rejects.toThrow('name');
  });

  it('of any other format are refused as unauthorized', async () => {
    const { accounts } = await openAccounts();
    const { accessToken } = await accounts.create({ clientId: 'a' });
    const part = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.base64String(),
      fc.constantFrom(...accessToken.split('.'), '', 'e30', 'bnVsbA'),
      fc.jsonValue().map((value) => Buffer.from(JSON.stringify(value)).toString('base64url')),
    );
    const token = fc.oneof(
      part,
      fc.array(part, { minLength: 2, maxLength: 6 }).map((parts) => parts.join('.')),
      part.map((text) => `waj_${text}`),
      fc.constantFrom('x'.repeat(100_000), `waj_${'A'.repeat(43)}`, `${accessToken} `, `${accessToken}.`),
    );
    await fc.assert(
      fc.asyncProperty(token, async (garbage) => {
        fc.pre(garbage !== accessToken);
        const error = await accounts.authenticate(garbage).catch((thrown: unknown) => thrown);
        expect(error).toBeInstanceOf(Refusal);
        expect(error).toMatchObject(unauthorized);
      }),
      { numRuns: rounds(20) },
    );
  });
});
