import { expect, it } from 'vitest';
import { StoreUnavailable } from '../../errors.ts';
import { createOutbox, createWanted } from './outbox.ts';
import type { EnabledEndpoint, OutboxEvent } from './ports.ts';

const about = { clientId: 'acme', trxId: 't', galleryId: 'office', userId: 'ani' };
const erased = { name: 'face_erased', about, facts: { reason: 'deleted' } };
const log = { warn: () => {} };

/** An outbox on a store in memory; `failure` is thrown once for each entry. */
function open(...failures: (Error | null)[]) {
  const batches: (readonly OutboxEvent[])[] = [];
  const append = async (events: readonly OutboxEvent[]) => {
    const failure = failures.shift();
    if (failure) throw failure;
    batches.push(events);
  };
  const alongside = () => async () => {};
  const wanted = createWanted();
  return { batches, wanted, outbox: createOutbox({ store: { append, alongside }, limit: 10, log, wanted }) };
}

const endpoint = (types: EnabledEndpoint['types']) => ({ clientId: 'acme', types }) as EnabledEndpoint;

it('an event that no endpoint wants is not made; every event is wanted until endpoints are known', () => {
  const { outbox, wanted } = open();
  const has = () => ['face.verified', 'face.erased'].map((type) => wanted.has('acme', type as never));
  expect(has()).toEqual([true, true]);
  wanted.look()([]);
  expect(has()).toEqual([false, false]);
  expect(outbox.keepingOf(erased)).toBeUndefined();
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

it('an event that the store does not take waits for it, and its call does not', async () => {
  const { batches, outbox } = open(new StoreUnavailable('gone'));
  await outbox.keepingOf({ name: 'face_written', about, facts: { mode: 'new' } })?.keep();
  expect(batches).toEqual([]);
  await outbox.keepingOf(erased)?.keep();
  expect(batches.flat().map(({ type }) => type)).toEqual(['face.enrolled', 'face.erased']);
});
