import { expect, it } from 'vitest';
import { runOnOperations } from '../../test/support/command-line.ts';
import type { PackSummary } from './models.ts';

const pack: PackSummary = {
  id: 'p',
  version: '1',
  state: 'available',
  in_use: false,
  bytes: 2_500_000,
  licences: ['MIT'],
  commercial: false,
  about: 'Compares faces.',
  purpose: 'recognition',
  training_data: 'Web photos.',
  cost: { relative: 3, basis: 'on one core' },
};

/** Runs the command on operations that record their names. */
async function run(line: string, agrees = false) {
  const answers = { describe: pack, pull: { ...pack, note: null } };
  const { calls, ...rest } = await runOnOperations(line, answers, { confirm: async () => agrees });
  return { calls: calls.map(([name]) => name), ...rest };
}

it('a download begins after licence, training data and cost are shown and confirmed', async () => {
  const asked = await run('models pull p');
  expect(asked.notes).toBe(
    [
      'p 1: Compares faces.',
      '  licence: MIT (not for commercial use)',
      '  training data: Web photos.',
      '  download: 2.5 MB',
      '  template: 3 × the time of the built-in pack (on one core)',
    ].join('\n'),
  );
  expect(asked.error?.message).toMatch(/^Nothing was downloaded: .* wajah models pull p --yes/);
  expect(asked.calls).toEqual(['describe']);
  expect((await run('models pull p', true)).calls).toEqual(['describe', 'pull']);
  expect((await run('models pull p --yes')).calls).toEqual(['describe', 'pull']);
});

it('files of a folder are installed without a question', async () => {
  expect((await run('models pull p --from .')).calls).toEqual(['describe', 'pull']);
});
