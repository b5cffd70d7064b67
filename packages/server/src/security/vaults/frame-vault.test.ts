import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { createFrameVault } from './row-vaults.ts';
import { SealError } from './sealing.ts';

const vault = createFrameVault(randomBytes(32));
const shapes = randomBytes(128);

const bitsOf = (bytes: Uint8Array) =>
  bytes.reduce((sum, byte) => sum + byte.toString(2).replaceAll('0', '').length, 0);

it('the frames of a session open with their own key and session only', () => {
  const sealed = vault.seal('s', shapes);
  expect(Buffer.from(vault.open('s', sealed))).toEqual(shapes);
  expect(() => vault.open('t', sealed)).toThrow(SealError);
  expect(() => createFrameVault(randomBytes(32)).open('s', sealed)).toThrow(SealError);
});

it('L7: equal frames are sealed to unrelated bytes: no pad can be recovered from many rows', () => {
  const rows = Array.from({ length: 200 }, () => vault.seal('s', shapes).subarray(13, 141));
  const differing = rows.slice(1).map((row) => bitsOf(row.map((byte, i) => byte ^ rows[0]![i]!)));
  expect(Math.min(...differing)).toBeGreaterThan(400);
  // The attack of the finding: the majority of each bit over many rows is the pad.
  const majority = rows.reduce((sum, row) => sum + bitsOf(row), 0) / (rows.length * 1024);
  expect(Math.abs(majority - 0.5)).toBeLessThan(0.02);
});
