import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { auditEvents } from './audit.ts';
import { system } from './system.ts';

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
  const named = Object.entries(system).flatMap(([name, [english, indonesian]]) =>
    name.startsWith('event_') && english !== indonesian ? [name.slice('event_'.length)] : [],
  );
  expect(named.sort()).toEqual(Object.keys(auditEvents).sort());
});
