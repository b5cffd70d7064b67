import { describe, expect, it } from 'vitest';
import { openStore } from '../../../test/support/store.ts';

describe('meta', () => {
  it('keeps the first value', async () => {
    const store = openStore();
    expect(await store.meta.get('k')).toBeNull();
    expect(await store.meta.init('k', '1')).toBe('1');
    expect(await store.meta.init('k', '2')).toBe('1');
    expect(await store.meta.get('k')).toBe('1');
  });

  it('keeps the last value that was set, and forgets it', async () => {
    const store = openStore();
    await store.meta.set('k', '1');
    await store.meta.set('k', '2');
    expect(await store.meta.get('k')).toBe('2');
    await store.meta.set('k', null);
    expect(await store.meta.get('k')).toBeNull();
  });
});
