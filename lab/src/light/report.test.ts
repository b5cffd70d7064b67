import type { LightVerdict } from '@wajah/engine';
import { expect, it } from 'vitest';
import { tables } from '../measure/tables.ts';
import { lightSections } from './report.ts';

const judged = (person: string, verdict: LightVerdict, strength: number) => ({
  person,
  judgement: { verdict, strength, error: 0.01, tint: 2 * strength, share: 0.1, others: 1 },
});

it('the verdicts are a table with a row for each presentation and strength of the light', () => {
  const [table] = tables(
    lightSections([
      {
        presentation: 'person',
        strength: 0.1,
        judged: [
          judged('ani', 'answered', 0.08),
          judged('ani', 'answered', 0.1),
          judged('budi', 'cannot_tell', 0.02),
        ],
      },
      { presentation: 'recording', strength: 0.2, judged: [judged('ani', 'not_answered', 0)] },
    ]),
  );
  expect(table?.rows).toEqual([
    [
      'person, 0.1 (230 lx)',
      expect.stringMatching(/^66\.7 %; 2 of 3; 2 people with one vote each: 50\.0 %, [\d.]+–[\d.]+ %$/),
      ...['0', '1', '0.080', '0.160'],
    ],
    ['recording', expect.stringMatching(/^0\.0 %; 0 of 1; 0\.0–97\.5 %$/), '1', '0', '0.000', '0.000'],
  ]);
});
