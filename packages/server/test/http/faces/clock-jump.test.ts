import { setTimeout as delay } from 'node:timers/promises';
import { endpoints } from '@wajah/contract';
import { describe, expect, it } from 'vitest';
import { runDoctor } from '../../../src/features/doctor/doctor.ts';
import { createClockJump, heldHours, sweptAtName } from '../../../src/lib/clock-jump.ts';
import { dayMs, hourMs } from '../../../src/lib/time.ts';
import { startOnStore } from '../../support/on-store.ts';
import { storeKinds } from '../../support/postgres.ts';
import { openStore } from '../../support/store.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { drawPictures, startTestApp, type TestApp } from '../../support/test-app.ts';

const pictures = await drawPictures();

describe.each(storeKinds)('people whose time has ended, with %s', (kind) => {
  /** A server that starts where a person's time has ended, so many days after the last sweep. */
  async function afterDays(days: number) {
    const { server, env } = await startOnStore(kind);
    const client = await server.client();
    await client.enrol('ani', pictures.ani);
    const { store } = server.context;
    const { id } = (await store.galleries.get(client.id, client.gallery))!;
    await store.people.update(id, 'ani', { expiresAt: new Date(Date.now() - 1) });
    // As if the clock were so far ahead.
    await store.meta.set(sweptAtName, String(Date.now() - days * dayMs));
    await server.close();
    const found = (await runDoctor(env, ['store'])).filter(({ id }) => id === 'clock');
    const next = await startTestApp(env, { directory: server.directory });
    return { next, clientId: client.id, found };
  }

  const isThere = async ({ context }: TestApp, clientId: string) =>
    (await context.store.galleries.list(clientId)).some(({ faces }) => faces > 0);
  const clockNotices = async ({ app }: TestApp) => {
    const { notices = [] } = (await app.inject(endpoints.ready.path)).json() as { notices?: string[] };
    return notices.filter((notice) => notice.startsWith('The clock is '));
  };

  it('are erased by a start, but not where the clock has jumped', async () => {
    const usual = await afterDays(2);
    while (await isThere(usual.next, usual.clientId)) await delay(50);
    expect([usual.found, await clockNotices(usual.next)]).toEqual([[], []]);
    await usual.next.close();

    const { next, clientId, found } = await afterDays(70);
    while (!next.log().includes('erasures_held')) await delay(50);
    expect(await isThere(next, clientId)).toBe(true);
    expect(found).toMatchObject([
      { severity: 'doubtful', sentence: expect.stringMatching(/70 days ahead of/) },
    ]);
    expect(await clockNotices(next)).toEqual([
      expect.stringMatching(/set it, unless no server ran since: 4 hours after/),
    ]);
  });
});

it('a jump holds erasures for hours of this process, and a sweep ends it', async () => {
  const { meta } = openStore(temporaryDirectory());
  let elapsed = 0;
  const clock = createClockJump(meta, () => elapsed);
  for (const changed of ['x', '-1e20']) {
    await meta.set(sweptAtName, changed);
    expect(await clock.heldSince()).toBeNull();
  }
  const last = Date.now() - 4 * dayMs;
  await meta.set(sweptAtName, String(last));
  expect(await clock.heldSince()).toEqual(new Date(last));
  elapsed = heldHours * hourMs - 1;
  expect(await clock.heldSince()).toEqual(new Date(last));
  elapsed += 1;
  expect(await clock.heldSince()).toBeNull();
  await clock.swept();
  elapsed += 1;
  expect(await createClockJump(meta, () => elapsed).heldSince()).toBeNull();
});
