import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { drawnFace, drawnPicture } from '../../../../engine/test/drawn/drawn-face.ts';
import { base64 } from '../../../test/support/requests.ts';
import { openStand, type Stand } from '../../../test/support/stand.ts';
import type { Caller } from '../caller.ts';

let stand: Stand;
let acme: Caller;
let ani: string;
let budi: string;
let nobody: string;

beforeAll(async () => {
  stand = await openStand();
  acme = await stand.registered('acme');
  ani = await base64(drawnFace({ person: 'ani' }));
  budi = await base64(drawnFace({ person: 'budi' }));
  nobody = await base64(drawnPicture({ width: 300, height: 300, faces: [] }));
});
afterAll(() => stand.close());

describe('comparison', () => {
  const compare = (sourceImage: string, targetImage: string) =>
    stand.services.recognition.compare(acme, { sourceImage, targetImage });

  it('matches the same person and not another', async () => {
    expect(await compare(ani, ani)).toEqual({
      similarity: 1,
      threshold: 0.625,
      verified: true,
      masker: false,
    });
    expect(await compare(ani, budi)).toMatchObject({ verified: false });
  });

  it('detects a mask on either face', async () => {
    const masked = await base64(drawnFace({ person: 'ani', mask: true }));
    expect(await compare(ani, masked)).toMatchObject({ masker: true });
    expect(await compare(masked, ani)).toMatchObject({ masker: true });
  });

  it('names the field of the failing picture, the source first', async () => {
    const pdf = Buffer.from('%PDF-1.7 not a picture').toString('base64');
    const faults = [
      [pdf, ani, 'sourceImageType', 'source_image'],
      [ani, pdf, 'imageType', 'target_image'],
      ['*', '*', 'sourceImageBase64', 'source_image'],
      [ani, '*', 'targetImageBase64', 'target_image'],
      [nobody, '*', 'faceNotDetected', 'source_image'],
      [ani, nobody, 'faceNotDetected', 'target_image'],
    ] as const;
    for (const [source, target, status, field] of faults) {
      await expect(compare(source, target)).rejects.toMatchObject({
        status,
        detail: expect.stringMatching(new RegExp(`^${field}: `)),
      });
    }
  });
});
