import { describe, expect, it } from 'vitest';
import { blackPng, chunk, deflatedZeros } from '../../test/support/bombs/png-bytes.ts';
import { plainPng } from './file-bounds.ts';

const small = { width: 100, height: 100 };
const text = chunk('zTXt', Buffer.concat([Buffer.from('a\0\0', 'latin1'), deflatedZeros(7.9e6)]));

describe('a PNG before it is decoded', () => {
  it('loses text and other chunks that decoding does not need', async () => {
    const time = chunk('tIME', Buffer.alloc(7));
    const { bytes } = await plainPng(blackPng(small, [text, time, text]));
    expect(Buffer.from(bytes)).toEqual(blackPng(small));
  });

  it('keeps profile, transparency and EXIF, and says that there is a profile', async () => {
    const kept = ['iCCP', 'tRNS', 'eXIf'].map((type) => chunk(type, Buffer.alloc(9)));
    const plain = await plainPng(blackPng(small, [text, ...kept]));
    expect([Buffer.from(plain.bytes), plain.profile]).toEqual([blackPng(small, kept), true]);
    expect(await plainPng(blackPng(small))).toMatchObject({ profile: false });
  });

  it('is refused when its data inflates to more than its pixels', async () => {
    const refused = { code: 'imageBroken' };
    await expect(plainPng(blackPng({ width: 1300, height: 1300 }, [], 4.6e9))).rejects.toMatchObject(refused);
  });
});
