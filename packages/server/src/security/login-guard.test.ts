import { describe, expect, it } from 'vitest';
import { Refusal } from '../errors.ts';
import { memoryLimits } from '../store/memory-limits.ts';
import { createLoginGuard } from './login-guard.ts';

const quarter = 15 * 60 * 1000;

function stand(failures = 3) {
  let now = 1_000_000;
  const guard = createLoginGuard(
    memoryLimits(() => now),
    failures,
  );
  const attempt = async (clientId: string, address: string, right = false) => {
    const admitted = await guard.admit(clientId, address);
    if (right) await admitted.succeeded();
    admitted.release();
  };
  return {
    guard,
    attempt,
    wait: (ms: number) => {
      now += ms;
    },
  };
}

async function refusalOf(act: () => Promise<unknown>): Promise<Refusal> {
  try {
    await act();
  } catch (error) {
    if (error instanceof Refusal) return error;
  }
  throw new Error('nothing was refused');
}

describe('the login guard', () => {
  it('refuses after too many failures, with the time to wait, and admits again after it', async () => {
    const { attempt, wait } = stand();
    for (let i = 0; i < 3; i++) await attempt('a', '1');
    const refusal = await refusalOf(() => attempt('a', '1'));
    expect(refusal.status).toBe('tooManyRequests');
    expect(refusal.fields).toEqual({ retry_after: 900 });
    wait(quarter - 1500);
    expect((await refusalOf(() => attempt('a', '1'))).fields).toEqual({ retry_after: 2 });
    wait(1500);
    await attempt('a', '1');
  });

  it('counts by client and address', async () => {
    const { attempt } = stand();
    for (let i = 0; i < 3; i++) await attempt('a', '1');
    await attempt('b', '1');
    await attempt('a', '2');
  });

  it('limits the failures of an address over all clients', async () => {
    const { attempt } = stand();
    for (let i = 0; i < 30; i++) await attempt(`client${i}`, '1');
    expect((await refusalOf(() => attempt('fresh', '1'))).status).toBe('tooManyRequests');
    await attempt('fresh', '2');
  });

  it('resets the failures of a client on success, and does not limit successful logins', async () => {
    const { attempt } = stand();
    for (let round = 0; round < 100; round++) await attempt('a', '1', true);
    await attempt('a', '1');
    await attempt('a', '1');
    await attempt('a', '1', true);
    for (let i = 0; i < 3; i++) await attempt('a', '1');
    await refusalOf(() => attempt('a', '1'));
  });

  it('counts an attempt when it begins', async () => {
    const { guard } = stand(2);
    const running = await Promise.all([guard.admit('a', '1'), guard.admit('a', '1')]);
    await refusalOf(() => guard.admit('a', '1'));
    for (const attempt of running) await attempt.succeeded();
    for (const attempt of running) attempt.release();
    (await guard.admit('a', '1')).release();
  });

  it('limits the checks of an address that run or wait', async () => {
    const { guard } = stand(1000);
    const running = await Promise.all([guard.admit('a', '1'), guard.admit('a', '1')]);
    const waiting = [guard.admit('a', '1'), guard.admit('a', '1')];
    expect((await refusalOf(() => guard.admit('a', '1'))).fields).toEqual({ retry_after: 1 });
    for (const attempt of running) attempt.release();
    for (const attempt of await Promise.all(waiting)) attempt.release();
    (await guard.admit('a', '1')).release();
  });

  it('lets addresses take turns: who logs in once waits for one check of many guesses', async () => {
    const { guard } = stand(1000);
    const order: string[] = [];
    const check = async (address: string) => {
      const attempt = await guard.admit('a', address);
      order.push(address);
      await new Promise((resolve) => setImmediate(resolve));
      attempt.release();
    };
    const guesses = ['1', '2', '3', '4', '5'].flatMap((address) =>
      Array.from({ length: 4 }, () => check(address)),
    );
    while (order.length < 4) await new Promise((resolve) => setImmediate(resolve));
    const before = order.length;
    await check('6');
    expect(order.indexOf('6') - before).toBeLessThanOrEqual(2);
    await Promise.all(guesses);
    expect(new Set(order.slice(0, 6))).toEqual(new Set(['1', '2', '3', '4', '5']));
  });
});
