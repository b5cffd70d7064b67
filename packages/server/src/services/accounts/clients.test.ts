import { unlimited } from '@wajah/contract/values';
import { describe, expect, it } from 'vitest';
import { openStand } from '../../../test/support/stand.ts';
import { defaultQuota, remaining } from './clients.ts';

describe('registering', () => {
  it('is done once by concurrent calls', async () => {
    const { services, caller, eventNames } = await openStand();
    await Promise.all(Array.from({ length: 10 }, () => services.clients.register(caller('acme'))));
    expect(await services.galleries.list(caller('acme'))).toEqual(['acme@trial']);
    expect(eventNames()).toEqual(['client_registered']);
  });

  it('does not create a deleted first gallery again', async () => {
    const { services, caller } = await openStand();
    await services.clients.register(caller('acme'));
    await services.galleries.remove(caller('acme'), { facegalleryId: 'acme@trial' });
    expect(await services.clients.register(caller('acme'))).toEqual({ galleryId: 'acme@trial' });
    expect(await services.galleries.list(caller('acme'))).toEqual([]);
  });

  it('is completed by the next call when it failed after creating the gallery', async () => {
    const { services, caller, deps } = await openStand();
    const quota = defaultQuota;
    await deps.store.clients.create({ clientId: 'acme', passwordHash: null, quota });
    await deps.store.galleries.create('acme', 'acme@trial', (id) => deps.vault.wrapNewKey('acme', id));
    await services.clients.register(caller('acme'));
    expect(await services.galleries.list(caller('acme'))).toEqual(['acme@trial']);
  });
});

describe('counters', () => {
  it('are never negative after the operator has lowered a quota, and unlimited is the largest int', async () => {
    const { services, caller, deps } = await openStand();
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
});
