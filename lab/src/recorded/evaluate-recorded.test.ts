import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { percent } from '../measure/figure.ts';
import { exactInterval } from '../metrics/bounds.ts';
import { evaluateRecorded } from './evaluate-recorded.ts';

type Sample = Parameters<typeof evaluateRecorded>[0]['sessions'][number];

const sample: Sample = {
  version: 1,
  pack: 'p 1',
  steps: [],
  device: 'phone',
  person: 'a',
  passed: true,
  reasons: [],
  spoofScore: 0.1,
  spoofThreshold: 0.5,
  similarity: null,
  light: null,
  lights: null,
  frames: [],
  attack: null,
};

/** That many sessions with scores from 0 to below 1. */
function many(count: number, more: (i: number) => Partial<Sample>): Sample[] {
  return Array.from({ length: count }, (_, i) => ({ ...sample, spoofScore: i / count, ...more(i) }));
}

function figuresOf(sessions: readonly Sample[], threshold: number | null = null) {
  const { sections } = evaluateRecorded({ sessions, threshold });
  const figures = sections.flatMap((section) => section.figures);
  return (what: string) => {
    const found = figures.find((figure) => figure.what === what);
    return found && `${found.value}: ${found.evidence}`;
  };
}

describe('labelled sessions', () => {
  it('give BPCER and APCER by species, with exact intervals and the rule of three', () => {
    const figure = figuresOf([
      ...many(50, (i) => ({ spoofScore: 0.2, person: `p${i % 10}`, device: i % 2 ? 'phone' : 'webcam' })),
      { ...sample, passed: false, reasons: ['spoof: x', 'step: y'], spoofScore: 0.6, person: 'p3' },
      { ...sample, passed: false, reasons: ['step: y'] },
      ...many(10, (i) => ({ attack: 'print', passed: i < 2, spoofScore: i < 2 ? 0.1 : 0.9 })),
      ...many(20, () => ({ attack: 'phone', passed: false, reasons: ['flat: x'], spoofScore: 0.4 })),
    ]);
    expect(figure('BPCER: bona fide sessions refused by a check for attacks')).toBe(
      '1.9 %: 1 of 52; 0.05–10.3 %',
    );
    expect(figure('bona fide sessions not passed, for any reason')).toMatch(/^3.8 %: 2 of 52/);
    expect(figure('bona fide sessions that fail the check step')).toMatch(/2 of 52/);
    expect(figure('people with a bona fide session refused')).toMatch(/1 of 11/);
    expect(figure('BPCER, camera webcam')).toMatch(/0 of 25; .*at most 12.0 % by the rule of three/);
    expect(figure('APCER, print: attacks that passed')).toBe('20.0 %: 2 of 10; 2.5–55.6 %');
    expect(figure('APCER, phone: attacks that passed')).toBe(
      '0.0 %: 0 of 20; 0.0–16.8 %; at most 15.0 % by the rule of three',
    );
    expect(figure('APCER, highest: print')).toMatch(/2 of 10/);
    // By the score alone phones pass, too.
    expect(figure('APCER, highest: phone')).toMatch(/20 of 20/);
    expect(figure('ROC area')).toMatch(/^0\.\d{3}: 30 attacks, 52 bona fide$/);
  });

  it('give the lowest thresholds with a BPCER of at most 1, 2 and 5 %', () => {
    const sessions = [...many(200, () => ({})), ...many(4, () => ({ attack: 'print', spoofScore: 0.97 }))];
    const figure = figuresOf(sessions);
    expect(figure('threshold for a BPCER of 1.0 %')).toMatch(
      /^0\.986: refuses 2 of 200 bona fide, 0\.1–3\.6 %; attacks that pass: print 4 of 4; needs 300 /,
    );
    expect(figure('threshold for a BPCER of 2.0 %')).toMatch(/^0\.976: refuses 4 of 200.*print 4 of 4$/);
    expect(figure('threshold for a BPCER of 5.0 %')).toMatch(/^0\.946: refuses 10 of 200.*print 0 of 4$/);
  });

  it('are measured at the given threshold, else at the one in force last', () => {
    const sessions = many(10, (i) => ({ spoofThreshold: i === 9 ? 0.7 : 0.5 }));
    expect(figuresOf(sessions)('BPCER')).toMatch(/3 of 10/);
    expect(figuresOf(sessions, 0.5)('BPCER')).toMatch(/5 of 10/);
  });

  it('are those of the last pack; sessions without a judged step have no score', () => {
    const faceless = { ...sample, spoofScore: null, passed: false, reasons: ['step: x'] };
    const sessions = [{ ...sample, pack: 'old 1' }, ...many(3, () => ({})), faceless];
    const { notes } = evaluateRecorded({ sessions, threshold: null });
    expect(notes[0]).toBe(
      'Sessions judged with p 1; 1 judged with others are left out; 1 have no spoof score, because no PAD networks were installed or no step was judged.',
    );
    expect(figuresOf(sessions)('bona fide sessions not passed, for any reason')).toMatch(/1 of 4/);
    expect(figuresOf(sessions)('BPCER')).toMatch(/1 of 3/);
  });

  it('are needed', () => {
    expect(() => evaluateRecorded({ sessions: [], threshold: null })).toThrow(/no session is labelled/);
  });
});

it('the table of bounds in docs/dev/measuring-liveness.md is what the formulas give', () => {
  const page = readFileSync(new URL('../../../docs/dev/measuring-liveness.md', import.meta.url), 'utf8');
  const rows = [...page.matchAll(/^\| (\d+) \| ([\d.]+) % \|(.*)\|$/gm)];
  expect(rows).toHaveLength(3);
  for (const [, sessions, ruleOfThree, exact] of rows) {
    const n = Number(sessions);
    expect(Number(ruleOfThree)).toBe(300 / n);
    const upper = [0, 1, 2, 5].map((errors) => `${percent(exactInterval(errors, n).high)} %`);
    expect(
      exact!.split('|').map((cell) => cell.trim()),
      sessions,
    ).toEqual(upper);
  }
});
