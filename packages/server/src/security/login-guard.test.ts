import { describe, expect, it } from 'vitest';
import { Refusal } from '../errors.ts';
import { createLoginGuard } from './login-guard.ts';

const quarter = 15 * 60 * 1000;

function stand(failures = 3) {
  let now = 1_000_000;
  const guard = createLoginGuard(failures, () => now);
  const attempt = (clientId: string, address: string, right = false) => {
    const admitted = guard.admit(clientId, address);
    if (right) admitted.succeeded();
    admitted.done();
  };
  return {
    guard,
    attempt,
    wait: (ms: number) => {
      now += ms;
    },
  };
}

function refusalOf(act: () => void): Refusal {
  try {
    act();
  } catch (error) {
    if (error instanceof Refusal) return error;
  }
  throw new Error('nothing was refused');
}

describe('the login guard', () => {
  it('refuses after so many failures, says for how long, and forgives after that', () => {
    const { attempt, wait } = stand();
    for (let i = 0; i < 3; i++) attempt('a', '1');
    const refusal = refusalOf(() => attempt('a', '1'));
    expect(refusal.status).toBe('tooManyRequests');
    expect(refusal.fields).toEqual({ retry_after: 900 });
    wait(quarter - 1500);
    expect(refusalOf(() => attempt('a', '1')).fields).toEqual({ retry_after: 2 });
    wait(1500);
    attempt('a', '1');
  });

  it('counts clients and addresses apart', () => {
    const { attempt } = stand();
    for (let i = 0; i < 3; i++) attempt('a', '1');
    attempt('b', '1');
    attempt('a', '2');
  });

  it('bounds an address over all clients', () => {
    const { attempt } = stand();
    for (let i = 0; i < 30; i++) attempt(`client${i}`, '1');
    expect(refusalOf(() => attempt('fresh', '1')).status).toBe('tooManyRequests');
    attempt('fresh', '2');
  });

  it('forgets the failures of who gets in, and lets logins without failure pass for ever', () => {
    const { attempt } = stand();
    for (let round = 0; round < 100; round++) attempt('a', '1', true);
    attempt('a', '1');
    attempt('a', '1');
    attempt('a', '1', true);
    for (let i = 0; i < 3; i++) attempt('a', '1');
    refusalOf(() => attempt('a', '1'));
  });

  it('counts an attempt before its end is known', () => {
    const { guard } = stand(2);
    const running = [guard.admit('a', '1'), guard.admit('a', '1')];
    refusalOf(() => guard.admit('a', '1'));
    for (const attempt of running) attempt.succeeded();
    for (const attempt of running) attempt.done();
    guard.admit('a', '1').done();
  });

  it('lets few checks run at once, by address and in all', () => {
    const { guard } = stand(1000);
    const running = Array.from({ length: 4 }, () => guard.admit('a', '1'));
    expect(refusalOf(() => guard.admit('a', '1')).fields).toEqual({ retry_after: 1 });
    for (const address of ['2', '3', '4']) for (let i = 0; i < 4; i++) guard.admit('a', address);
    refusalOf(() => guard.admit('a', '5'));
    for (const attempt of running) attempt.done();
    guard.admit('a', '5');
  });
});
