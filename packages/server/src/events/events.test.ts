import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { chain } from '../../test/support/audit.ts';
import type { AuditEntry, AuditStore } from '../store/ports/audit.ts';
import { createEvents } from './events.ts';

const actor = { clientId: 'acme', trxId: 't-1' };

/** A log and an audit trail in memory; `audit` may be replaced to fail. */
function listen(append?: AuditStore['append']) {
  const lines: { fields: object; message: string }[] = [];
  const entries: AuditEntry[] = [];
  const write = (fields: object, message: string) => void lines.push({ fields, message });
  const links = (given: readonly AuditEntry[]) => {
    entries.push(...given);
    return given.map((_, i) => ({ number: entries.length - given.length + i + 1, hash: Buffer.alloc(32) }));
  };
  const store = trail(append ?? (async (given) => links(given)));
  return {
    lines,
    entries,
    events: createEvents({ log: { info: write, error: write }, store, chain }),
  };
}

function trail(append: AuditStore['append']) {
  const unused = () => Promise.reject(new Error('unused'));
  return { audit: { append, list: unused, read: unused, ends: unused, counts: unused, prune: unused } };
}

it('one event is one log line, one count and one audit record', async () => {
  const { lines, entries, events } = listen();
  const cohort = { cohort_version: 12, cohort_people: 11 };
  const facts = { facegallery_id: 'office', verified: true, found: 2, ...cohort } as const;
  void events.observe('face_verified', actor, facts, { similarity: 0.9, threshold: 0.7, gallery: 1 });
  await events.settled();
  expect(lines).toEqual([
    {
      fields: { event: 'face_verified', client_id: 'acme', trx_id: 't-1', ...facts },
      message: 'face_verified',
    },
  ]);
  expect(entries).toMatchObject([{ event: 'face_verified', clientId: 'acme', trxId: 't-1', facts }]);
  expect(await events.registry.metrics()).toContain(
    'wajah_events_total{event="face_verified",outcome="yes"} 1',
  );
});

it('each server has its own counters', async () => {
  const [one, two] = [listen(), listen()];
  one.events.observe('gallery_created', actor, { facegallery_id: 'office' });
  expect(await one.events.registry.metrics()).toContain('event="gallery_created"');
  expect(await two.events.registry.metrics()).not.toContain('event="gallery_created"');
});

describe('a refusal', () => {
  it('is audited for a known client', async () => {
    const { entries, events } = listen();
    void events.observe('refused', actor, { refusal: 'faceTooSmall', route: 'enrolFace' }, {});
    await events.settled();
    expect(entries).toMatchObject([{ event: 'refused', facts: { refusal: 'faceTooSmall' } }]);
  });

  it('that unauthenticated callers can cause is logged and counted, and audited as counts', async () => {
    const { lines, entries, events } = listen();
    void events.observe(
      'refused',
      { clientId: null, trxId: 't' },
      { refusal: 'unauthorized', route: 'enrolFace' },
      {},
    );
    void events.observe('refused', actor, { refusal: 'tooManyRequests', route: 'enrolFace' }, {});
    void events.observe('refused', actor, { refusal: 'busy', route: 'enrolFace' }, {});
    await events.settled();
    expect(lines).toHaveLength(3);
    const facts = entries.map((entry) => [entry.event, entry.clientId, entry.facts['refusal']]);
    expect(facts).toEqual([
      ['refusals', null, 'unauthorized'],
      ['refusals', 'acme', 'tooManyRequests'],
      ['refusals', 'acme', 'busy'],
    ]);
  });

  it('has a record of its own up to 60 times a minute for a client, then all are counted', async () => {
    const { entries, events } = listen();
    for (let i = 0; i < 500; i++)
      void events.observe('refused', actor, { refusal: 'faceNotDetected', route: 'enrolFace' }, {});
    await events.settled();
    expect(entries).toHaveLength(61);
    expect(entries.at(-1)).toMatchObject({
      event: 'refusals',
      facts: { refusal: 'faceNotDetected', count: 440 },
    });
  });
});

describe('an event does not fail the call that causes it', () => {
  it('when the audit record cannot be written, which is logged', async () => {
    const { lines, events } = listen(() => Promise.reject(new Error('disk full')));
    events.observe('images_compared', actor, { verified: false, found: 1 });
    await events.settled();
    expect(lines.at(-1)).toMatchObject({ fields: { event: 'images_compared', reason: 'disk full' } });
  });

  it('and the trail says how many records are lost as soon as it can be written', async () => {
    let fails = true;
    const written: AuditEntry[] = [];
    const { events } = listen(async (given) => {
      if (fails) throw new Error('disk full');
      written.push(...given);
      return given.map(() => ({ number: 1, hash: Buffer.alloc(32) }));
    });
    expect(await events.observe('face_removed', actor, { facegallery_id: 'office' })).toBeNull();
    fails = false;
    expect(await events.observe('face_removed', actor, { facegallery_id: 'office' })).toMatchObject({
      number: 1,
    });
    expect(written).toMatchObject([
      { event: 'records_lost', facts: { count: 1 } },
      { event: 'face_removed' },
    ]);
  });

  it('when the store or the log throws synchronously', async () => {
    const throwing = () => {
      throw new Error('broken pipe');
    };
    const log = { info: throwing, error: throwing };
    const events = createEvents({ log, store: trail(throwing), chain });
    expect(() => events.observe('client_registered', actor, {})).not.toThrow();
    await turn();
    await expect(events.settled()).resolves.toBeUndefined();
  });
});
