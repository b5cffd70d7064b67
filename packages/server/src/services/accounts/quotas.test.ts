import { describe, expect, it } from 'vitest';
import { openStand } from '../../../test/support/stand.ts';
import { StoreUnavailable } from '../../errors.ts';
import { createQuotaService } from './quotas.ts';

/** A registered client with a quota; `statements` counts what reaches the store, `meanwhile` comes before the next one. */
async function openQuota(hits: number) {
  const { deps, services, registered } = await openStand();
  await registered('acme');
  const { clients } = deps.store;
  await clients.setQuota('acme', { hits });
  const statements = { taken: 0, returned: 0 };
  let next: () => Promise<unknown> = async () => {};
  const meanwhile = (work: typeof next) => {
    next = work;
  };
  const counting = {
    ...clients,
    async takeHits(...given: Parameters<typeof clients.takeHits>) {
      statements.taken += 1;
      const before = next;
      next = async () => {};
      await before();
      return clients.takeHits(...given);
    },
    returnHit(...given: Parameters<typeof clients.returnHit>) {
      statements.returned += 1;
      return clients.returnHit(...given);
    },
  };
  const quotas = createQuotaService({ ...deps, store: { ...deps.store, clients: counting } });
  const used = async () => (await clients.get('acme'))?.used.hits;
  return { quotas, another: services.quotas, clients, statements, meanwhile, used };
}

const times = <T>(count: number, work: () => Promise<T>) => Promise.all(Array.from({ length: count }, work));

describe('hits of calls that change nothing', () => {
  it('are counted together, each before its answer', async () => {
    const { quotas, statements, used } = await openQuota(1000);
    // The store is asked once: nothing is known of the client.
    await quotas.take('acme', true);
    const hits = await times(50, () => quotas.take('acme', true));
    expect(await Promise.all(hits.map((hit) => hit!.counted()))).toEqual(hits.map(() => true));
    expect([statements.taken, await used()]).toEqual([2, 51]);
  });

  it('are counted soon when no answer waits for them, and when the server stops', async () => {
    const { quotas, used } = await openQuota(-1);
    await quotas.take('acme', true);
    await quotas.take('acme', true);
    await expect.poll(used).toBe(2);
    await quotas.take('acme', true);
    await quotas.settled();
    expect(await used()).toBe(3);
  });

  it('cost the store nothing when they are returned before they are counted', async () => {
    const { quotas, statements, used } = await openQuota(1000);
    await quotas.take('acme', true);
    const [kept, busy] = await times(2, () => quotas.take('acme', true));
    await busy!.giveBack();
    await kept!.counted();
    expect([statements, await used()]).toMatchObject([{ taken: 2, returned: 0 }, 2]);
    await kept!.giveBack();
    expect([statements, await used()]).toMatchObject([{ taken: 2, returned: 1 }, 1]);
  });

  it('are counted first with few calls left, and never exceed the quota', async () => {
    const { quotas, used } = await openQuota(130);
    const served = async () => (await (await quotas.take('acme', true))?.counted()) === true;
    const answers = [
      ...(await times(60, served)),
      ...(await times(60, served)),
      ...(await times(60, served)),
    ];
    expect([answers.filter(Boolean).length, await used()]).toEqual([130, 130]);
  });

  it('are exact when another server uses up the quota meanwhile', async () => {
    const { quotas, another, clients, meanwhile, used } = await openQuota(1000);
    await quotas.take('acme', true);
    meanwhile(async () => {
      await clients.setQuota('acme', { hits: 31 });
      await times(10, () => another.take('acme', false));
    });
    const hits = await times(50, () => quotas.take('acme', true));
    const counted = await Promise.all(hits.map((hit) => hit!.counted()));
    expect([counted.filter(Boolean).length, await used()]).toEqual([20, 31]);
    expect(await quotas.take('acme', true)).toBeNull();
  });

  it('are refused by their answer when the store is away, and when the client is erased meanwhile', async () => {
    const { quotas, clients, meanwhile, used } = await openQuota(1000);
    await quotas.take('acme', true);
    meanwhile(() => Promise.reject(new StoreUnavailable('away')));
    await expect((await quotas.take('acme', true))!.counted()).rejects.toThrow(StoreUnavailable);
    expect(await used()).toBe(1);
    meanwhile(() => clients.unregister('acme'));
    expect(await (await quotas.take('acme', true))!.counted()).toBe(false);
    await expect(quotas.take('acme', true)).rejects.toMatchObject({ code: 'clientNotRegistered' });
  });
});
