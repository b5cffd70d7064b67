import { afterEach, beforeEach, expect, it } from 'vitest';
import { openStand, type Stand } from '../../../test/support/stand.ts';

let stand: Stand;
beforeEach(async () => {
  stand = await openStand();
  await stand.services.clients.register(stand.caller('acme'));
});
afterEach(() => stand.close());

it('a gallery is created once, listed, and removed once', async () => {
  const { services, caller, eventNames } = stand;
  const acme = caller('acme');
  await services.galleries.create(acme, { facegalleryId: 'office', requireLiveness: false });
  await expect(
    services.galleries.create(acme, { facegalleryId: 'office', requireLiveness: false }),
  ).rejects.toMatchObject({ status: 'galleryExists' });
  expect(await services.galleries.list(acme)).toEqual(['acme@trial', 'office']);
  await services.galleries.remove(acme, { facegalleryId: 'office' });
  await expect(services.galleries.remove(acme, { facegalleryId: 'office' })).rejects.toMatchObject({
    status: 'galleryNotFound',
  });
  expect(eventNames()).toEqual(['client_registered', 'gallery_created', 'gallery_removed']);
});

it('two clients can use the same name independently', async () => {
  const { services, caller } = stand;
  await services.clients.register(caller('other'));
  await services.galleries.create(caller('acme'), { facegalleryId: 'office', requireLiveness: false });
  await expect(services.galleries.remove(caller('other'), { facegalleryId: 'office' })).rejects.toMatchObject(
    {
      status: 'galleryNotFound',
    },
  );
  await services.galleries.create(caller('other'), { facegalleryId: 'office', requireLiveness: false });
  await services.galleries.remove(caller('acme'), { facegalleryId: 'office' });
  expect(await services.galleries.list(caller('other'))).toEqual(['office', 'other@trial']);
});

it('of concurrent calls with one name exactly one succeeds', async () => {
  const { services, caller } = stand;
  const calls = Array.from({ length: 10 }, () =>
    services.galleries.create(caller('acme'), { facegalleryId: 'office', requireLiveness: false }),
  );
  const won = (await Promise.allSettled(calls)).filter(({ status }) => status === 'fulfilled');
  expect(won).toHaveLength(1);
});

it('concurrent calls never exceed the quota', async () => {
  const { services, caller, deps } = stand;
  await deps.store.clients.setQuota('acme', { galleries: 4 });
  const calls = Array.from({ length: 10 }, (_, i) =>
    services.galleries.create(caller('acme'), { facegalleryId: `g${i}`, requireLiveness: false }),
  );
  const results = await Promise.allSettled(calls);
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
  expect(results.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { status: 'denied', detail: expect.stringContaining('n_facegallery') },
  });
});

it('a client that is not registered is refused', async () => {
  const { services, caller } = stand;
  for (const call of [
    services.galleries.create(caller('nobody'), { facegalleryId: 'x', requireLiveness: false }),
    services.galleries.list(caller('nobody')),
  ]) {
    await expect(call).rejects.toMatchObject({ status: 'denied' });
  }
});
