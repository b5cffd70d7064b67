import { expect, it } from 'vitest';
import { StoreUnavailable } from '../../errors.ts';
import type { EnabledEndpoint, OutboxEvent } from '../../store/webhook-store.ts';
import { createOutbox } from './outbox.ts';

const subject = { clientId: 'acme', trxId: 't' };
const log = { warn: () => {} };

/** An outbox on a store in memory; `failure` is thrown once for each entry. */
function open(...failures: (Error | null)[]) {
  const batches: (readonly OutboxEvent[])[] = [];
  const append = async (events: readonly OutboxEvent[]) => {
    const failure = failures.shift();
    if (failure) throw failure;
    batches.push(events);
  };
  return { batches, outbox: createOutbox({ store: { append }, limit: 10, log }) };
}

const endpoint = (types: EnabledEndpoint['types']) => ({ clientId: 'acme', types }) as EnabledEndpoint;

it('an event that no endpoint wants is not made; every event is wanted until endpoints are known', () => {
  const { outbox } = open();
  const { wanted } = outbox;
  const has = () => ['face.verified', 'face.erased'].map((type) => wanted.has('acme', type as never));
  expect(has()).toEqual([true, true]);
  wanted.look()([]);
  expect(has()).toEqual([false, false]);
  expect(outbox.create('face.verified', subject, {})).toBeUndefined();
  wanted.look()([endpoint(['face.erased']), endpoint(['call.refused'])]);
  expect(has()).toEqual([false, true]);
  wanted.look()([endpoint(['face.erased']), endpoint(null)]);
  expect(has()).toEqual([true, true]);
  expect(wanted.has('other', 'face.erased')).toBe(false);
  const late = wanted.look();
  wanted.changed();
  late([]);
  expect(has()).toEqual([true, true]);
});

it('events of concurrent calls are written together, and each call waits for its own', async () => {
  const { batches, outbox } = open();
  const event = () => outbox.create('face.verified', subject, {});
  await outbox.write(undefined);
  await Promise.all([outbox.write(event()), outbox.write(event())]);
  expect(batches.map((one) => one.length)).toEqual([2]);
});

it('an event that the store does not take waits for it, and its call does not', async () => {
  const { batches, outbox } = open(new StoreUnavailable('gone'));
  await outbox.write(outbox.create('face.verified', subject, {}));
  expect(batches).toEqual([]);
  await outbox.write(outbox.create('face.erased', subject, {}));
  expect(batches.flat().map(({ type }) => type)).toEqual(['face.verified', 'face.erased']);
});

it('an event that cannot be written takes no other with it', async () => {
  const broken = new Error('broken');
  const { batches, outbox } = open(broken, broken, null);
  const event = () => outbox.create('face.verified', subject, {});
  await Promise.all([outbox.write(event()), outbox.write(event())]);
  expect(batches.flat()).toHaveLength(1);
});
