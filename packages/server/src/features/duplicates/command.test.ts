import { expect, it } from 'vitest';
import { runOnOperations } from '../../../test/support/command-line.ts';
import type { DuplicatePage } from './command.ts';

const user = (user_id: string) => ({
  user_id,
  user_name: 'Ani',
  created_at: '2026-01-31T12:00:00.000Z',
  suspended_at: null,
});
const pair = (similarity: number, a: string, b: string) => ({
  users: [user(a), user(b)],
  similarity,
  false_match_rate: 0.00012,
  score: similarity,
});
const page: DuplicatePage = {
  status: '200',
  status_message: 'Success',
  cursor: 'c2',
  complete: true,
  people: 4,
  people_compared: 4,
  progress: 1,
  threshold: 0.7,
  pairs: [],
  false_match_rate: 0.00025,
  expected_false_pairs: 0.1,
  cohort_version: 0,
  cohort_people: 0,
};

/** Runs the command on operations that answer with these pages. */
async function run(line: string, pages: (DuplicatePage | Error)[]) {
  const findDuplicates = async () => {
    const answer = pages.shift() ?? page;
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const { calls, ...rest } = await runOnOperations(`gallery ${line}`, { findDuplicates });
  return { inputs: calls.map(([, input]) => input), ...rest };
}

const half = { ...page, cursor: 'c1', complete: false, progress: 0.5, pairs: [pair(0.75, 'u1', 'u2')] };

it('follows the cursor to the end, and prints the best pairs first', async () => {
  const pages = [half, { ...page, pairs: [pair(0.9, 'u3', 'u1')] }];
  const { inputs, out, notes } = await run('duplicates acme main --cursor c0', pages);
  expect(inputs).toEqual(['c0', 'c1'].map((cursor) => ({ client: 'acme', facegallery_id: 'main', cursor })));
  expect(out.split('\n').map((line) => line.split(/ {2,}/).slice(0, 3))).toEqual([
    ['similarity', 'false match rate', 'user_id'],
    ['0.9000', '0.00012', 'u3'],
    ['0.7500', '0.00012', 'u1'],
  ]);
  expect(out).not.toContain('suspended');
  expect(notes).toContain('2 pairs of 4 people at 0.7000 or more, not normalised by the gallery');
  expect(notes).toContain('--cursor c2');
});

it('says who is suspended', async () => {
  const held = { ...user('u4'), suspended_at: '2026-02-01T12:00:00.000Z' };
  const { out } = await run('duplicates acme main', [
    { ...page, pairs: [{ ...pair(0.9, 'u3', 'u4'), users: [user('u3'), held] }] },
  ]);
  expect(out).toMatch(/u3 +Ani +\S+ +u4 +Ani \(suspended\)/);
});

it('prints JSON, and passes the expected false pairs on', async () => {
  const { inputs, out } = await run('duplicates acme main --json --expected-false-pairs 5', [half]);
  expect(inputs[0]).toEqual({ client: 'acme', facegallery_id: 'main', expected_false_pairs: 5 });
  const printed = JSON.parse(out);
  expect(printed).toMatchObject({ people: 4, people_compared: 4, complete: true, cursor: 'c2' });
  expect(printed.pairs[0].users[0]).toMatchObject({ user_id: 'u1', user_name: 'Ani' });
  const wrong = await run('duplicates acme main --expected-false-pairs none', []);
  expect(wrong.error?.message).toMatch(/Allowed: a number/);
});

it('prints what was found and where to resume when it fails', async () => {
  const { out, error, notes } = await run('duplicates acme main', [half, new Error('the server is gone')]);
  expect(out).toContain('0.7500');
  expect(notes).toContain('Stopped at 50 %. Resume with --cursor c1');
  expect(error?.message).toBe('the server is gone');
});
