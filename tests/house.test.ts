import { describe, expect, it } from 'vitest';
import { isTest, ourSources } from './support/sources.ts';

const sources = ourSources();
const lines = (text: string) => text.replace(/\n$/, '').split('\n').length;

describe('the house', () => {
  it('keeps files at 300 lines or below', () => {
    const sizes = sources.map(({ path, text }) => ({ path, lines: lines(text) }));
    expect(sizes.filter((file) => file.lines > 300)).toEqual([]);
    const product = sizes.filter(({ path }) => !isTest(path)).map((file) => file.lines);
    const median = product.sort((a, b) => a - b)[product.length >> 1];
    console.info(`${product.length} source files, median ${median} lines`);
    expect(median).toBeLessThanOrEqual(120);
  });

  it('names files in kebab-case', () => {
    const odd = sources.filter(
      ({ path }) => !/^[a-z0-9/-]+(\.(test|bench|config|d))*\.(ts|tsx|js|mjs)$/.test(path),
    );
    expect(odd.map(({ path }) => path)).toEqual([]);
  });

  it('exports by name', () => {
    const byDefault = sources.filter(({ text }) => /^export default/m.test(text));
    expect(byDefault.map(({ path }) => path)).toEqual([]);
  });

  it('re-exports only in the index of a package', () => {
    const barrels = sources.filter(
      ({ path, text }) => !/^packages\/[^/]+\/src\/index\.ts$/.test(path) && /^export \*/m.test(text),
    );
    expect(barrels.map(({ path }) => path)).toEqual([]);
  });

  it('has no mocks of its own modules', () => {
    const mocks = sources.filter(({ text }) => /\bvi\.mock\(\s*['"](\.|@wajah)/.test(text));
    expect(mocks.map(({ path }) => path)).toEqual([]);
  });

  it('names no place of one machine', () => {
    const places = sources.filter(({ text }) => /\/home\/[a-z]|\/work\/[a-z]|\/Users\/[a-z]/.test(text));
    expect(places.map(({ path }) => path).filter((path) => path !== 'tests/house.test.ts')).toEqual([]);
  });
});
