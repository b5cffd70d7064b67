import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStand, type Stand } from '../../../test/support/stand.ts';
import { remaining, unlimited } from './clients.ts';

let stand: Stand;
beforeEach(async () => {
  stand = await openStand();
});
afterEach(() => stand.close());

describe('registering', () => {
  it('creates the record and the first gallery, once', async () => {
    const { services, caller, eventNames } = stand;
    const answers = [
      await services.clients.register(caller('acme')),
      await services.clients.register(caller('acme')),
    ];
    expect(answers).toEqual([{ galleryId: 'acme@trial' }, { galleryId: 'acme@trial' }]);
    expect(await services.galleries.list(caller('acme'))).toEqual(['acme@trial']);
    expect(eventNames()).toEqual(['client_registered']);
  });

  it('is done once by concurrent calls', async () => {
    const { services, caller, eventNames } = stand;
    await Promise.all(Array.from({ length: 10 }, () => services.clients.register(caller('acme'))));
    expect(await services.galleries.list(caller('acme'))).toEqual(['acme@trial']);
    expect(eventNames()).toEqual(['client_registered']);
  });

  it('does not create a deleted first gallery again', async () => {
    const { services, caller } = stand;
    await services.clients.register(caller('acme'));
    await services.galleries.remove(caller('acme'), { facegalleryId: 'acme@trial' });
    expect(await services.clients.register(caller('acme'))).toEqual({ galleryId: 'acme@trial' });
    expect(await services.galleries.list(caller('acme'))).toEqual([]);
  });

  it('is completed by the next call when it failed after creating the gallery', async () => {
    const { services, caller, deps } = stand;
    const quota = deps.config.quota;
    await deps.store.clients.create({ clientId: 'acme', passwordHash: null, quota });
    await deps.store.galleries.create('acme', 'acme@trial', (id) => deps.vault.wrapNewKey('acme', id));
    await services.clients.register(caller('acme'));
    expect(await services.galleries.list(caller('acme'))).toEqual(['acme@trial']);
  });
});

describe('erasing', () => {
  it('erases everything, and the client can register again', async () => {
    const { services, caller } = stand;
    await services.clients.register(caller('acme'));
    await services.galleries.create(caller('acme'), { facegalleryId: 'office', requireLiveness: false });
    expect(await services.clients.erase(caller('acme'))).toMatchObject({ galleryIds: [] });
    await expect(services.galleries.list(caller('acme'))).rejects.toMatchObject({ status: 'denied' });
    await services.clients.register(caller('acme'));
    expect(await services.galleries.list(caller('acme'))).toEqual(['acme@trial']);
  });

  it('does not touch another client', async () => {
    const { services, caller } = stand;
    await services.clients.register(caller('acme'));
    await services.clients.register(caller('other'));
    await services.clients.erase(caller('acme'));
    expect(await services.galleries.list(caller('other'))).toEqual(['other@trial']);
  });

  it('is refused to a client that is not registered', async () => {
    await expect(stand.services.clients.erase(stand.caller('nobody'))).rejects.toMatchObject({
      status: 'denied',
      detail: expect.stringContaining('client not registered'),
    });
  });
});

describe('counters', () => {
  it('count calls and galleries; deleting a gallery returns its quota', async () => {
    const { services, caller } = stand;
    await services.clients.register(caller('acme'));
    await services.quotas.take('acme');
    await services.galleries.create(caller('acme'), { facegalleryId: 'office', requireLiveness: false });
    expect(await services.clients.counters(caller('acme'))).toEqual({
      hits: 999_999,
      faces: 100_000,
      galleries: 98,
    });
    await services.galleries.remove(caller('acme'), { facegalleryId: 'office' });
    await services.quotas.giveBack('acme');
    expect(await services.clients.counters(caller('acme'))).toEqual({
      hits: 1_000_000,
      faces: 100_000,
      galleries: 99,
    });
  });

  it('are never negative after the operator has lowered a quota, and unlimited is the largest int', async () => {
    const { services, caller, deps } = stand;
    await services.clients.register(caller('acme'));
    await services.galleries.create(caller('acme'), { facegalleryId: 'office', requireLiveness: false });
    await deps.store.clients.setQuota('acme', { galleries: 1, hits: -1 });
    expect(await services.clients.counters(caller('acme'))).toMatchObject({
      galleries: 0,
      hits: 2_147_483_647,
    });
    expect([remaining(3, 5), remaining(-1, 5), remaining(3_000_000_000, 0)]).toEqual([
      0,
      unlimited,
      unlimited,
    ]);
  });

  it('are refused to a client that is not registered', async () => {
    await expect(stand.services.clients.counters(stand.caller('nobody'))).rejects.toMatchObject({
      status: 'denied',
    });
  });
});

describe('hits', () => {
  it('are refused when the quota is used up, and to a client that is not registered', async () => {
    const { services, caller, deps } = stand;
    await services.clients.register(caller('acme'));
    await deps.store.clients.setQuota('acme', { hits: 5 });
    const calls = await Promise.allSettled(Array.from({ length: 12 }, () => services.quotas.take('acme')));
    expect(calls.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
    await expect(services.quotas.take('acme')).rejects.toMatchObject({
      status: 'denied',
      detail: expect.stringContaining('n_api_hits'),
    });
    await expect(services.quotas.take('nobody')).rejects.toMatchObject({
      detail: expect.stringContaining('client not registered'),
    });
  });
});
