import { describe, expect, it } from 'vitest';
import { balanced, section, share } from './figure.ts';
import { replaceBlock } from './report.ts';

describe('replaceBlock', () => {
  const page = 'before\n<!-- measured: dev -->\nold\n<!-- end: dev -->\nafter';

  it('replaces what is between the marks and keeps the rest', () => {
    const once = replaceBlock(page, 'dev', 'new');
    expect(once).toBe('before\n<!-- measured: dev -->\n\nnew\n\n<!-- end: dev -->\nafter');
    expect(replaceBlock(once, 'dev', 'new')).toBe(once);
  });

  it('names a block that is not there', () => {
    expect(() => replaceBlock(page, 'test', 'x')).toThrow('"test"');
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

  it('make a table', () => {
    expect(section('Mask', [share('missed', { events: 0, trials: 10 })])).toBe(
      '### Mask\n\n| metric | value | counts; 95 % interval |\n|---|---|---|\n| missed | 0.0 % | 0 of 10; 0.0–30.8 % |',
    );
  });
});
