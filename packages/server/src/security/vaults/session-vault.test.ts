import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SealError } from './sealing.ts';
import { createSessionVault } from './session-vault.ts';

const vault = createSessionVault(randomBytes(32));
const place = { clientId: 'a', sessionId: 's', embeddingSpec: '{}' };

describe('a sealed template', () => {
  it('opens with its own context only', () => {
    const template = Float32Array.of(0.5, -0.25, 0);
    const sealed = vault.seal(place, template);
    expect(vault.open(place, sealed)).toEqual(template);
    for (const other of [{ clientId: 'b' }, { sessionId: 't' }, { embeddingSpec: '[]' }]) {
      expect(() => vault.open({ ...place, ...other }, sealed)).toThrow(SealError);
    }
    expect(() => createSessionVault(randomBytes(32)).open(place, sealed)).toThrow(SealError);
  });
});

describe('a masked perceptual hash', () => {
  const bytes = fc.uint8Array({ minLength: 128, maxLength: 128 });
  const differing = (a: Uint8Array, b: Uint8Array) =>
    a.reduce((sum, byte, i) => sum + (byte ^ b[i]!).toString(2).replaceAll('0', '').length, 0);

  it('is restored by the same mask, and is random without the key', () => {
    fc.assert(
      fc.property(bytes, (perceptualHash) => {
        const masked = vault.hashMask('a')(perceptualHash);
        expect(vault.hashMask('a')(masked)).toEqual(perceptualHash);
      }),
    );
    const zeros = new Uint8Array(128);
    const masked = [
      vault.hashMask('a')(zeros),
      vault.hashMask('b')(zeros),
      createSessionVault(randomBytes(32)).hashMask('a')(zeros),
    ];
    for (const [i, one] of masked.entries()) {
      for (const other of [zeros, ...masked.slice(i + 1)]) expect(differing(one, other)).toBeGreaterThan(400);
    }
  });
});
