import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Answered, makeCalls } from './calls.ts';
import { type Expected, rows } from './rows.ts';
import { type ComprefaceServer, startCompreface } from './server.ts';

let compreface: ComprefaceServer;
let answers: Readonly<Record<string, Answered>>;

beforeAll(async () => {
  compreface = await startCompreface();
  answers = await makeCalls(compreface);
});
afterAll(() => compreface.server.close());

function fieldOf(call: string, field: string): unknown {
  const { http, type, body } = answers[call] ?? { http: 'no such call', type: '', body: null };
  if (field === 'http') return http;
  if (field === 'type') return type;
  if (field === 'bytes') return body;
  return field
    .split('.')
    .reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], body);
}

function check(found: unknown, expected: Expected): void {
  if ('value' in expected) expect(found).toEqual(expected.value);
  else if ('contains' in expected) expect(found).toContain(expected.contains);
  else if ('between' in expected) {
    expect(found).toBeGreaterThanOrEqual(expected.between[0]);
    expect(found).toBeLessThanOrEqual(expected.between[1]);
  } else kinds[expected.kind](found);
}

const kinds: Readonly<Record<Extract<Expected, { kind: string }>['kind'], (found: unknown) => void>> = {
  absent: (found) => expect(found).toBeUndefined(),
  uuid: (found) => expect(found).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
  empty: (found) => expect(found).toHaveLength(0),
  picture: (found) => expect((found as Buffer).subarray(0, 2).toString('hex')).toBe('ffd8'),
  text: (found) => expect(found).toBeTypeOf('string'),
  number: (found) => expect(found).toBeTypeOf('number'),
  integer: (found) => expect(found).toSatisfy(Number.isInteger),
  probability: (found) => expect(found).toSatisfy((value: number) => value >= 0.5 && value <= 1),
};

it.each(rows)('%s: %s', (call, field, expected) => {
  check(fieldOf(call, field), expected);
});

it('has a row for every call, and 200 or more', () => {
  const named = new Set(rows.map(([call]) => call));
  const prepare = ['add one more', 'add another one', 'add a last subject'];
  expect(Object.keys(answers).filter((call) => !named.has(call))).toEqual(prepare);
  expect(rows.length).toBeGreaterThanOrEqual(200);
});

it('logs no key, picture or name of a subject', () => {
  const { server, keys } = compreface;
  const log = server.log();
  expect(log.match(/"msg":"request"/g)?.length).toBeGreaterThan(70);
  const texts = [...Object.values(keys).map((key) => key.slice(-20)), 'lestari', 'cici', 'budi'];
  expect(texts.filter((text) => log.toLowerCase().includes(text.toLowerCase()))).toEqual([]);
  expect(log).not.toMatch(/[A-Za-z\d+/]{80,}/);
});

it('answers nothing in the envelope, and counts every call', async () => {
  const json = Object.values(answers).filter(({ type }) => type.startsWith('application/json'));
  for (const { body } of json) expect(body).not.toHaveProperty('status_message');
  const { used } = (await compreface.server.context.store.clients.get(compreface.client.id))!;
  expect(used.hits).toBeGreaterThan(70);
  expect(used.faces).toBe(0);
});
