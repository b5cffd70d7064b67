import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { temporaryDirectory } from '../../../packages/server/test/support/temporary.ts';
import { balanced, share } from './figure.ts';
import { measureInto } from './report.ts';

const folder = temporaryDirectory();

describe('measureInto', () => {
  const figures = [share('missed', { events: 0, trials: 10 }), share('[1] "x"', { events: 5, trials: 10 })];
  const measured = {
    pack: 'builtin 4 on test of /pictures',
    sections: [{ title: 'Mask', figures }],
    notes: ['A note.'],
    plots: [],
  };

  it('writes a result whose rows are lines', async () => {
    expect(await measureInto(join(folder, 'new'), 'mask-test', async () => measured)).toBe(measured);
    const text = readFileSync(join(folder, 'new/mask-test.json'), 'utf8');
    expect(text).toContain('\n    ["missed", "0.0 %", "0 of 10; 0.0–30.8 %"]');
    expect(JSON.parse(text)).toMatchObject({
      pack: 'builtin 4 on test',
      tables: [{ title: 'Mask', rows: [{ length: 3 }, ['[1] "x"', '50.0 %', '5 of 10; 18.7–81.3 %']] }],
      notes: ['A note.'],
    });
  });

  it('asks for the folder before it measures', async () => {
    const measure = vi.fn(async () => measured);
    await expect(measureInto('/dev/null/results', 'mask-test', measure)).rejects.toThrow('/dev/null');
    expect(measure).not.toHaveBeenCalled();
  });
});

describe('figures', () => {
  it('give the counts and the interval', () => {
    expect(share('missed', { events: 5, trials: 100 })).toMatchObject({
      what: 'missed',
      value: '5.0 %',
      evidence: '5 of 100; 1.6–11.3 %',
    });
    expect(share('missed', { events: 0, trials: 0 }).evidence).toBe('no data');
  });

  it('balance the two kinds of error', () => {
    const figure = balanced('accuracy', { events: 1, trials: 10 }, { events: 0, trials: 10 });
    expect(figure.value).toBe('0.950');
  });
});
