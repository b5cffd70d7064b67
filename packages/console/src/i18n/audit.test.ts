import { expect, it } from 'vitest';
import { eventTable } from '../../../server/src/events/table.ts';
import { type Language, language } from '../state/preferences.ts';
import { auditEvents } from './audit.ts';
import { messageFor, system } from './messages.ts';

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
  const namesIn = (chosen: Language) => {
    language.value = chosen;
    return Object.keys(auditEvents).map((event) => messageFor(system, `event_${event}`));
  };
  const [english, indonesian] = [namesIn('en'), namesIn('id')];
  language.value = 'en';
  for (const [at, name] of english.entries()) expect([name, indonesian[at]]).not.toContain(undefined);
  expect(english.filter((name, at) => name === indonesian[at])).toEqual([]);
  const listed = Object.keys(system).filter((name) => name.startsWith('event_'));
  expect(listed).toHaveLength(english.length);
});
