import { describe, expect, it } from 'vitest';
import { newGallery, openStore } from '../../../test/support/store.ts';

describe('tokens', () => {
  it('are found by digest, revoked by id or digest, and go with their client', async () => {
    const store = openStore();
    await newGallery(store, 'a');
    const token = { clientId: 'a', name: 'n', createdAt: new Date(1000), expiresAt: null };
    await store.tokens.add({ ...token, id: '1', digest: 'd1' });
    await store.tokens.add({ ...token, id: '2', digest: 'd2', expiresAt: new Date(2000) });
    expect(await store.tokens.find('d2')).toEqual({
      ...token,
      id: '2',
      digest: 'd2',
      expiresAt: new Date(2000),
      revokedAt: null,
    });
    expect(await store.tokens.revoke('d1', new Date(3000))).toBe(true);
    expect(await store.tokens.revoke('1', new Date(4000))).toBe(true);
    expect(await store.tokens.revoke('none', new Date())).toBe(false);
    expect((await store.tokens.list('a')).map((t) => t.revokedAt)).toEqual([new Date(3000), null]);
    await store.clients.remove('a');
    expect(await store.tokens.find('d2')).toBeNull();
  });

  it('that are revoked JWTs are forgotten only after they have expired', async () => {
    const store = openStore();
    await store.tokens.revokeJwt('old', new Date(Date.now() - 3_600_000));
    await store.tokens.revokeJwt('new', new Date(Date.now() + 60_000));
    await store.tokens.revokeJwt('new', new Date(Date.now() + 60_000));
    expect(await store.tokens.isJwtRevoked('old')).toBe(false);
    expect(await store.tokens.isJwtRevoked('new')).toBe(true);
    expect(await store.tokens.isJwtRevoked('other')).toBe(false);
  });
});
