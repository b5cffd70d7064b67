import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { createFrameVault, openFramePart } from './row-vaults.ts';
import { SealError } from './sealing.ts';

const vault = createFrameVault(randomBytes(32));
const hash = randomBytes(128);

const bitsOf = (bytes: Uint8Array) =>
  bytes.reduce((sum, byte) => sum + byte.toString(2).replaceAll('0', '').length, 0);

it('a part of a trace opens with its own key, kind and session only', () => {
  const sealed = vault.seal('hash', 's', hash);
  expect(Buffer.from(openFramePart(vault.keys, 'hash', 's', sealed))).toEqual(hash);
  expect(() => openFramePart(vault.keys, 'detail', 's', sealed)).toThrow(SealError);
  expect(() => openFramePart(vault.keys, 'hash', 't', sealed)).toThrow(SealError);
  expect(() => openFramePart([randomBytes(32)], 'hash', 's', sealed)).toThrow(SealError);
});

it('L7: equal hashes are sealed to unrelated bytes: no pad can be recovered from many rows', () => {
  const rows = Array.from({ length: 200 }, () => vault.seal('hash', 's', hash).subarray(13, 141));
  const differing = rows.slice(1).map((row) => bitsOf(row.map((byte, i) => byte ^ rows[0]![i]!)));
  expect(Math.min(...differing)).toBeGreaterThan(400);
  // The attack of the finding: the majority of each bit over many rows is the pad.
  const majority = rows.reduce((sum, row) => sum + bitsOf(row), 0) / (rows.length * 1024);
  expect(Math.abs(majority - 0.5)).toBeLessThan(0.02);
});

it('digests are equal for equal pictures, and depend on the key', () => {
  expect(vault.digest(hash)).toEqual(vault.digest(hash));
  expect(createFrameVault(randomBytes(32)).digest(hash)).not.toEqual(vault.digest(hash));
});
