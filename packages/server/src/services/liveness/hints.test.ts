import type { Analysis, AnalyzeRequest, Face } from '@wajah/engine';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createHintMeasuring } from './hints.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** What somebody wears, and whether anybody is in view. */
interface Seen {
  readonly mask?: boolean;
  readonly glasses?: boolean;
  readonly nobody?: boolean;
}

/** Hints of one try, half a second apart. @returns function that tells whether a hint looked for a mask and glasses */
function hints() {
  const { measure } = createHintMeasuring();
  const session = { id: 's', createdAt: new Date(), expiresAt: new Date(Date.now() + 60_000) };
  return async (attributes: readonly ('pose' | 'eyes' | 'mouth')[], seen: Seen = {}) => {
    const requests: AnalyzeRequest[] = [];
    await measure(session, [...attributes], async (request) => {
      requests.push(request);
      return analysisOf(request, seen);
    });
    vi.advanceTimersByTime(500);
    const [{ uncovered = false, attributes: measured }] = requests as [AnalyzeRequest];
    return !uncovered && measured.includes('mask') && measured.includes('unclear');
  };
}

function analysisOf(
  { uncovered }: AnalyzeRequest,
  { mask = false, glasses = false, nobody }: Seen,
): Analysis {
  const told = { mask: { worn: mask, score: 0.9 }, unclear: glasses ? [{ name: 'eyes' }] : [] };
  const face = (uncovered ? {} : told) as Face;
  return { faces: nobody ? [] : [face], found: 1, stages: {} } as unknown as Analysis;
}

describe('masks and dark glasses are looked for', () => {
  it('once a second where nobody wears any, whatever is asked for', async () => {
    const looked = hints();
    expect([await looked(['eyes']), await looked(['mouth']), await looked(['eyes'])]).toEqual([
      true,
      false,
      true,
    ]);
  });

  it('in each hint while somebody wears one, and until it is off', async () => {
    const looked = hints();
    expect(await looked(['pose', 'eyes'], { glasses: true })).toBe(true);
    expect(await looked(['mouth'], { mask: true })).toBe(true);
    expect(await looked(['mouth'])).toBe(true);
    expect(await looked(['mouth'])).toBe(false);
  });

  it('again as soon as somebody comes back into view', async () => {
    const looked = hints();
    expect(await looked(['eyes'], { nobody: true })).toBe(true);
    expect(await looked(['eyes'])).toBe(true);
    expect(await looked(['eyes'], { nobody: true })).toBe(false);
    expect(await looked(['eyes'])).toBe(true);
  });

  it('never for the pose alone', async () => {
    const looked = hints();
    expect([await looked(['pose']), await looked(['pose'])]).toEqual([false, false]);
  });
});
