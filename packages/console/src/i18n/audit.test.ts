import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { type Language, language } from '../state/preferences.ts';
import { auditEvents } from './audit.ts';
import { messageFor, system } from './messages.ts';

const source = readFileSync(new URL('../../../server/src/events.ts', import.meta.url), 'utf8');

it('every event of the server has a sentence in both languages', () => {
  const events = [...source.matchAll(/(?:emit|done|decided|erased)(?:<[^(]*?>)?\(\s*'(\w+)'/g)].map(
    ([, name]) => name,
  );
  expect(new Set([...events, 'refused', 'refusals', 'records_lost'])).toEqual(
    new Set(Object.keys(auditEvents)),
  );
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
