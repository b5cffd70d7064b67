import { expect, it } from 'vitest';
import type { SessionGroup } from './outcome.ts';
import { passingTable } from './summary.ts';

const group = (
  name: string,
  kind: SessionGroup['kind'],
  passed: readonly boolean[],
  animated = false,
): SessionGroup => ({
  name,
  kind,
  animated,
  outcomes: passed.map((one) => ({ person: 'ani', passed: one, failed: [] })),
});

it('leads with the attack that passes most, in whichever column', () => {
  const { rows } = passingTable([
    { title: 'with', groups: [group('photo', 'attack', [false]), group('honest', 'honest', [true, true])] },
    {
      title: 'without',
      groups: [group('photo', 'attack', [false]), group('relit', 'attack', [true, false], true)],
    },
  ]);
  expect(rows).toEqual([
    ['relit', '–', '1 of 2 (50.0 %)'],
    ['photo', '0 of 1 (0.0 %)', '0 of 1 (0.0 %)'],
    ['all animated stills', '–', '1 of 2 (50.0 %)'],
    ['honest', '2 of 2 (100.0 %)', '–'],
  ]);
});
