import { expect, it } from 'vitest';
import { eventTable } from '../../../server/src/events/table.ts';
import { auditEvents } from './audit.ts';
import { system } from './system.ts';

it('every event of the server has a sentence in both languages', () => {
  const audited = Object.entries(eventTable).flatMap(([name, row]) =>
    'audit' in row && row.audit === 'none' ? [] : [name],
  );
  expect(Object.keys(auditEvents).sort()).toEqual([...audited, 'refusals', 'records_lost'].sort());
  for (const [english, indonesian] of Object.values(auditEvents)) {
    const facts = { facegallery_id: 'office', count: 3, refusal: 'busy', operation: 'backup' };
    expect(english(facts)).not.toBe(indonesian(facts));
    expect(english({})).not.toMatch(/null|\[object/);
  }
});

it('every event has a name in the filter, in both languages', () => {
  const named = Object.entries(system).flatMap(([name, [english, indonesian]]) =>
    name.startsWith('event_') && english !== indonesian ? [name.slice('event_'.length)] : [],
  );
  expect(named.sort()).toEqual(Object.keys(auditEvents).sort());
});
