import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SealError } from './sealing.ts';
import { countTemplates, createTemplateVault, type GalleryKeyRecord } from './template-vault.ts';

const vault = createTemplateVault(randomBytes(32));
const gallery = lock('alice', 7);
const template = () => fc.float32Array({ minLength: 0, maxLength: 64 });

function lock(clientId: string, id: number): GalleryKeyRecord {
  return { id, clientId, wrappedKey: vault.wrapNewKey(clientId, id) };
}

describe('template vault', () => {
  it('opens sealed templates bit for bit, also from an unaligned view', () => {
    fc.assert(
      fc.property(template(), fc.string({ unit: 'binary' }), (values, userId) => {
        const sealed = vault.gallery(gallery).seal(userId, values);
        const shifted = new Uint8Array(sealed.length + 3).subarray(3);
        shifted.set(sealed);
        const opened = vault.gallery(gallery).open(userId, shifted);
        const bits = (floats: Float32Array) =>
          Buffer.from(floats.buffer, floats.byteOffset, floats.byteLength);
        expect(bits(opened).equals(bits(values))).toBe(true);
        expect(sealed.length).toBe(values.length * 4 + 29);
      }),
    );
  });

  it('refuses bytes with a changed bit, or truncated', () => {
    const sealed = vault.gallery(gallery).seal('u', new Float32Array([1, 2, 3]));
    for (let bit = 0; bit < sealed.length * 8; bit++) {
      const changed = new Uint8Array(sealed);
      changed[bit >> 3]! ^= 1 << (bit & 7);
      expect(() => vault.gallery(gallery).open('u', changed)).toThrow(SealError);
    }
    for (let length = 0; length < sealed.length; length++) {
      expect(() => vault.gallery(gallery).open('u', sealed.subarray(0, length))).toThrow(SealError);
    }
  });

  it('seals several templates of one person, and opens them as their mean', () => {
    const three = [Float32Array.of(1, 0), Float32Array.of(0, 1), Float32Array.of(0.5, 0.5)];
    const sealed = vault.gallery(gallery).sealAll('u', three);
    expect(vault.gallery(gallery).openAll('u', sealed)).toEqual(three);
    for (const value of vault.gallery(gallery).open('u', sealed)) expect(value).toBeCloseTo(0.5, 6);
    for (let bit = 0; bit < sealed.length * 8; bit++) {
      const changed = new Uint8Array(sealed);
      changed[bit >> 3]! ^= 1 << (bit & 7);
      expect(() => vault.gallery(gallery).openAll('u', changed)).toThrow(SealError);
    }
    expect(() => vault.gallery(gallery).openAll('u', sealed.subarray(1))).toThrow(SealError);
    expect(() => vault.gallery(gallery).openAll('v', sealed)).toThrow(SealError);
    const one = vault.gallery(gallery).seal('u', three[0]!);
    expect(vault.gallery(gallery).openAll('u', one)).toEqual([three[0]]);
    const fifty = Array.from({ length: 50 }, (_, i) => Float32Array.of(i, 1));
    const sealedFifty = vault.gallery(gallery).sealAll('u', fifty);
    expect(countTemplates(sealedFifty)).toBe(50);
    expect(vault.gallery(gallery).openAll('u', sealedFifty)).toEqual(fifty);
    for (const count of [0, 51]) {
      expect(() => vault.gallery(gallery).sealAll('u', Array(count).fill(three[0]))).toThrow(RangeError);
    }
  });

  it('refuses a template moved to another user or another gallery', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => {
        fc.pre(a !== b);
        const sealed = vault.gallery(gallery).seal(a, new Float32Array([1]));
        expect(() => vault.gallery(gallery).open(b, sealed)).toThrow(SealError);
        expect(() => vault.gallery(lock('alice', 8)).open(a, sealed)).toThrow(SealError);
      }),
    );
  });

  it('opens a wrapped key only for its client, gallery number and master key', () => {
    const other = createTemplateVault(randomBytes(32));
    expect(() => other.gallery(gallery)).toThrow(SealError);
    expect(() => vault.gallery({ ...gallery, clientId: 'bob' })).toThrow(SealError);
    expect(() => vault.gallery({ ...gallery, id: 8 })).toThrow(SealError);
  });

  it('seals the same template differently each time', () => {
    const once = () => Buffer.from(vault.gallery(gallery).seal('u', new Float32Array(8))).toString('hex');
    expect(new Set([once(), once(), once()]).size).toBe(3);
  });
});
