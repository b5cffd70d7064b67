import fc from 'fast-check';
import { expect, it } from 'vitest';
import { pageBytes } from './layout.ts';
import { PageMemory, placeOf } from './page-memory.ts';

it('allocates zeroed pages that do not overlap, of one memory and of several', async () => {
  const steps = fc.record({
    most: fc.constantFrom(8, 1024),
    keep: fc.array(fc.boolean(), { maxLength: 40 }),
  });
  await fc.assert(
    fc.asyncProperty(steps, async ({ most, keep }) => {
      const memory = new PageMemory(most);
      const held: { page: number; mark: number }[] = [];
      const viewOf = (page: number) => {
        const { memory: index, address } = placeOf(page);
        return new Uint8Array(memory.memories[index]!.buffer, address, pageBytes);
      };
      for (const [i, keeps] of keep.entries()) {
        const page = memory.allocate();
        expect(viewOf(page).every((byte) => byte === 0)).toBe(true);
        viewOf(page).fill(1 + i);
        held.push({ page, mark: 1 + i });
        if (!keeps) memory.release(held.splice((i * 7) % held.length, 1)[0]!.page);
        // Some are cleared in between, some when they are allocated again.
        if (i % 5 === 0) await new Promise(setImmediate);
      }
      for (const { page, mark } of held) expect(viewOf(page).every((byte) => byte === mark)).toBe(true);
      expect(memory.used).toBe(held.length * pageBytes);
    }),
    { numRuns: 20 },
  );
});
