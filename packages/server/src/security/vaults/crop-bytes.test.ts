import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SealError } from './sealing.ts';
import { createTemplateVault, readCrop, writeCrop } from './template-vault.ts';

const vault = createTemplateVault(randomBytes(32));
const lock = (id: number) => ({
  id,
  clientId: 'alice',
  wrappedKey: vault.wrapNewKey('alice', id),
});
const gallery = lock(7);
const number = fc.float({ noNaN: true, noDefaultInfinity: true });
const crops = fc.record({
  jpeg: fc.uint8Array({ minLength: 1, maxLength: 200 }),
  box: fc.record({ x: number, y: number, width: number, height: number }),
});

describe('a sealed face crop', () => {
  it('opens unchanged, for its user and gallery only', () => {
    fc.assert(
      fc.property(crops, fc.string(), (crop, userId) => {
        const sealed = vault.gallery(gallery).sealCrop(userId, crop);
        expect(vault.gallery(gallery).openCrop(userId, sealed)).toEqual(crop);
        expect(() => vault.gallery(gallery).openCrop(`${userId}x`, sealed)).toThrow(SealError);
        expect(() => vault.gallery(lock(8)).openCrop(userId, sealed)).toThrow(SealError);
      }),
    );
  });

  it('does not open as a template, nor a template as a crop', () => {
    const template = vault.gallery(gallery).seal('u', new Float32Array(8));
    const crop = { jpeg: new Uint8Array(40), box: { x: 1, y: 2, width: 3, height: 4 } };
    const sealed = vault.gallery(gallery).sealCrop('u', crop);
    expect(() => vault.gallery(gallery).openCrop('u', template)).toThrow(SealError);
    expect(() => vault.gallery(gallery).open('u', sealed)).toThrow(SealError);
  });

  it('is refused with an unknown layout, or truncated', () => {
    const bytes = writeCrop({ jpeg: Uint8Array.of(1, 2, 3), box: { x: 0, y: 0, width: 1, height: 1 } });
    expect(readCrop(bytes).jpeg).toEqual(Uint8Array.of(1, 2, 3));
    for (let length = 0; length <= bytes.length - 3; length++) {
      expect(() => readCrop(bytes.subarray(0, length))).toThrow(SealError);
    }
    expect(() => readCrop(Uint8Array.of(2, ...bytes.subarray(1)))).toThrow(SealError);
  });
});
