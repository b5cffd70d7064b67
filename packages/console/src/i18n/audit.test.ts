import { expect, it } from 'vitest';
import { eventTable } from '../../../server/src/events/table.ts';
import { auditEvents } from './audit.ts';
import { messageFor, system } from './messages.ts';

it('every event of the server has a sentence, and a name in the filter', () => {
  const audited = Object.entries(eventTable).flatMap(([name, row]) =>
    'audit' in row && row.audit === 'none' ? [] : [name],
  );
  const events = Object.keys(auditEvents);
  expect(events.sort()).toEqual([...audited, 'refusals', 'records_lost'].sort());
  for (const event of events) expect(auditEvents[event]!({}, '')).not.toMatch(/null|\[object/);
  const named = Object.keys(system).filter((name) => name.startsWith('event_'));
  expect(named.sort()).toEqual(events.map((event) => `event_${event}`).sort());
  expect(events.map((event) => messageFor(system, `event_${event}`))).not.toContain(undefined);
});
