import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../../../server/test/support/temporary.ts';
import { dimensionsOf, readRecipe, type TemplateRecipe } from '../../packs/recipe.ts';
import { innerProduct, toUnitLength } from '../../similarity.ts';
import { applyRecipe } from './template.ts';

const base64 = (...values: number[]) => Buffer.from(Float32Array.from(values).buffer).toString('base64');
const identity = Float32Array.of(1, 0, 0, 1);
const none = new Float32Array(2);
const part = { of: 'descriptor', centre: none, matrix: identity, weight: 1 } as const;

/** Both networks' answers, never all zeros. */
const answers = fc.record({
  descriptor: fc.tuple(fc.float({ min: 1, max: 9, noNaN: true }), fc.float({ min: -9, max: 9, noNaN: true })),
  pooled: fc.tuple(fc.float({ min: 0, max: 9, noNaN: true }), fc.float({ min: 1, max: 9, noNaN: true })),
});

describe('blend', () => {
  const given = ({ descriptor, pooled }: { descriptor: number[]; pooled: number[] }) => ({
    descriptor: Float32Array.from(descriptor),
    pooled: Float32Array.from(pooled),
  });

  it('computes templates whose inner product is the weighted mean of the parts’ cosines', () => {
    const recipe: TemplateRecipe = [
      { ...part, weight: 3 },
      { ...part, of: 'pooled' },
    ];
    fc.assert(
      fc.property(answers, answers, (one, other) => {
        const [a, b] = [given(one), given(other)];
        const cosine = (of: 'descriptor' | 'pooled') =>
          innerProduct(toUnitLength(a[of]), toUnitLength(b[of]));
        const product = innerProduct(applyRecipe(recipe, a), applyRecipe(recipe, b));
        expect(product).toBeCloseTo((3 * cosine('descriptor') + cosine('pooled')) / 4, 5);
        expect(innerProduct(applyRecipe(recipe, a), applyRecipe(recipe, a))).toBeCloseTo(1, 6);
      }),
    );
  });

  it('normalises, centres and rotates, in this order', () => {
    const recipe: TemplateRecipe = [
      { ...part, centre: Float32Array.of(0.6, 0), matrix: Float32Array.of(0, 1, 2, 0, 0, 0) },
    ];
    expect(dimensionsOf(recipe)).toBe(3);
    const template = applyRecipe(recipe, { descriptor: Float32Array.of(3, 4), pooled: none });
    expect([...template]).toEqual([1, expect.closeTo(0, 6), 0]);
  });

  it('refuses outputs of another length than configured', () => {
    expect(() => applyRecipe([part], { descriptor: new Float32Array(3), pooled: none })).toThrow('2 values');
  });
});

describe('readRecipe', () => {
  const folder = temporaryDirectory();
  const put = (value: unknown) => {
    const file = join(folder, 'recipe.json');
    writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value));
    return file;
  };

  it('reads what the fitting script writes', async () => {
    const written = {
      of: 'pooled',
      weight: 2,
      centre: base64(1, 2),
      matrix: base64(1, 2, 3, 4),
    };
    const recipe = await readRecipe(put({ provenance: {}, parts: [written] }));
    expect(recipe).toEqual([
      { ...written, centre: Float32Array.of(1, 2), matrix: Float32Array.of(1, 2, 3, 4) },
    ]);
  });

  it('names what is wrong', async () => {
    const broken = { of: 'pooled', weight: 2, centre: base64(1, 2), matrix: base64(1, 2, 3) };
    await expect(readRecipe(put({ parts: [broken] }))).rejects.toThrow('whole rows');
    await expect(readRecipe(put({ parts: [{ ...broken, weight: 0 }] }))).rejects.toThrow('weight');
    await expect(readRecipe(put('{'))).rejects.toThrow('cannot be read');
    await expect(readRecipe(join(folder, 'nowhere.json'))).rejects.toThrow('cannot be read');
  });
});
