import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EvalFolder, hasEvalFolder, manifests, parsePairs } from './eval-folder.ts';

describe('parsePairs', () => {
  it('reads back what was written', () => {
    const name = fc.stringMatching(/^[a-z0-9_/.]{1,20}$/);
    fc.assert(
      fc.property(fc.array(fc.record({ a: name, b: name, same: fc.boolean(), subset: name })), (pairs) => {
        const lines = pairs.map(({ a, b, same, subset }) => `${a},${b},${Number(same)},${subset}`);
        expect(parsePairs(['a,b,same,subset', ...lines].join('\n'))).toEqual(pairs);
      }),
    );
  });

  it('names the broken line', () => {
    expect(() => parsePairs('a,b,same,subset\nx,y,1,s\nx,y,2,s')).toThrow('line 3');
    expect(() => parsePairs('a,b\n')).toThrow('header');
  });
});

describe('EvalFolder', () => {
  it('explains how to name a missing folder', () => {
    expect(() => new EvalFolder('/nowhere/at/all')).toThrow('--data');
  });

  it.skipIf(!hasEvalFolder())('reads each manifest, and the two splits share no picture', () => {
    const folder = new EvalFolder();
    for (const task of Object.keys(manifests) as (keyof typeof manifests)[]) {
      const dev = new Set(folder.entries(task, 'dev').map((entry) => entry.file));
      const test = folder.entries(task, 'test').map((entry) => entry.file);
      expect(dev.size).toBeGreaterThan(0);
      expect(test.filter((file) => dev.has(file))).toEqual([]);
    }
    expect(folder.pairs('dev').length).toBeGreaterThan(1000);
  });
});
