import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { beforeEach, describe, expect, it } from 'vitest';
import { drawnFace, drawnPicture, drawnSelfieWithCard } from '../../../../engine/test/drawn/drawn-face.ts';
import { base64 } from '../../../test/support/requests.ts';
import { openStand } from '../../../test/support/stand.ts';
import type { Caller } from '../caller.ts';

let acme: Caller;
let client = 0;

const stand = await openStand();
const ani = await base64(drawnFace({ person: 'ani' }));
const aniAgain = await base64(drawnFace({ person: 'ani', tilt: 4 }));
const budi = await base64(drawnFace({ person: 'budi' }));
const nobody = await base64(drawnPicture({ width: 300, height: 300, faces: [] }));

beforeEach(async () => {
  acme = stand.caller(`client-${++client}`);
  await stand.services.clients.register(acme);
  await stand.deps.accounts.setQuota(acme.clientId, { faces: 100_000 });
});

function enrol(
  image: string,
  ktpImage?: string,
  minimumSimilarity?: number,
  userId = 'u1',
  checkSingleFace = false,
) {
  const facegalleryId = `${acme.clientId}@trial`;
  const input = {
    facegalleryId,
    userId,
    userName: 'Ani',
    image,
    ktpImage,
    minimumSimilarity,
    checkSingleFace,
  };
  return stand.services.enrolment.enrolWithCard(acme, input);
}

async function faces(): Promise<number> {
  const { faces: left } = await stand.services.clients.counters(acme);
  return 100_000 - left;
}

describe('one picture of person and card', () => {
  it('enrols the larger face when the one on the card matches', async () => {
    const answer = await enrol(await base64(drawnSelfieWithCard({ person: 'ani' })));
    expect(answer.similarity).toBeGreaterThanOrEqual(0.6);
    expect(answer.masker).toBe(false);
    const facegalleryId = `${acme.clientId}@trial`;
    const { recognition } = stand.services;
    const { people } = await recognition.identify(acme, { facegalleryId, image: ani, topK: 1 });
    expect(people).toMatchObject([{ userId: 'u1' }]);
  });

  type Place = { x: number; y: number; size: number };
  /** Ani with her card, and Budi beside her. */
  const besideBystander = (ani: Place, budi: Place) =>
    base64(
      drawnPicture({
        width: 1200,
        height: 1100,
        faces: [
          { person: 'ani', ...ani },
          { person: 'budi', ...budi },
          { person: 'ani', x: 560, y: 890, size: 130 },
        ],
        cards: [{ face: 2 }],
      }),
    );

  it('takes the most similar other face as the one on the card, also beside larger ones', async () => {
    const image = await besideBystander({ x: 450, y: 400, size: 520 }, { x: 1000, y: 300, size: 240 });
    expect((await enrol(image)).similarity).toBeGreaterThanOrEqual(0.6);
  });

  it('takes the most similar two faces, also beside a bystander who is larger than either, and names all', async () => {
    const image = await besideBystander({ x: 380, y: 400, size: 380 }, { x: 950, y: 300, size: 420 });
    await expect(enrol(image, undefined, undefined, 'u1', true)).rejects.toMatchObject({
      status: 'qualityTooLow',
      detail: expect.stringMatching(/3 faces were found, at most 2/),
    });
    expect((await enrol(image)).similarity).toBeGreaterThanOrEqual(0.6);
    const { people } = await stand.services.recognition.identify(acme, {
      facegalleryId: `${acme.clientId}@trial`,
      image: ani,
      topK: 1,
    });
    expect(people).toMatchObject([{ userId: 'u1' }]);
    await expect(enrol(image, undefined, 1, 'u2')).rejects.toMatchObject({
      detail: expect.stringMatching(/3 faces were found/),
    });
  });

  const field = join(
    import.meta.dirname,
    '../../../../../../shared/review/field/selfie-with-card-and-bystander.jpg',
  );
  it.runIf(existsSync(field))('of a picture that a review had is enrolled', async () => {
    const image = readFileSync(field).toString('base64');
    await expect(enrol(image, undefined, undefined, 'u1', true)).rejects.toMatchObject({
      status: 'qualityTooLow',
    });
    expect((await enrol(image)).similarity).toBeGreaterThanOrEqual(0.6);
  });

  it('stores nothing when the faces do not match, and answers their similarity', async () => {
    const image = await base64(drawnSelfieWithCard({ person: 'ani', onCard: 'budi' }));
    await expect(enrol(image)).rejects.toMatchObject({
      status: 'notRecognized',
      detail: expect.stringMatching(/similarity of 0\.\d{4}, the minimum is 0\.6000/),
      fields: { similarity: expect.any(Number), masker: false },
    });
    expect(await faces()).toBe(0);
  });

  it('names the missing face', async () => {
    await expect(enrol(nobody)).rejects.toMatchObject({
      status: 'faceNotDetected',
      detail: expect.stringContaining('neither'),
    });
    await expect(enrol(ani)).rejects.toMatchObject({
      status: 'faceNotDetected',
      detail: expect.stringMatching(/^image: found only one face.* none on a card/),
    });
    expect(await faces()).toBe(0);
  });
});

describe('two pictures', () => {
  it('enrol when they match', async () => {
    const { similarity, ...answer } = await enrol(ani, aniAgain);
    expect(answer).toEqual({ own: 0.6, masker: false });
    expect(similarity).toBeGreaterThanOrEqual(0.6);
    expect(similarity).toBeLessThan(1);
    expect(await faces()).toBe(1);
  });

  it('are refused when they are one: the same file, or the same pixels in another', async () => {
    const again = (await sharp(Buffer.from(ani, 'base64')).png().toBuffer()).toString('base64');
    for (const card of [ani, again])
      await expect(enrol(ani, card, 0)).rejects.toMatchObject({
        status: 'malformed',
        detail: expect.stringMatching(/^ktp_image: it is the same picture as image/),
      });
    expect(await faces()).toBe(0);
  });

  it('are refused with the field whose face is missing', async () => {
    await expect(enrol(nobody, ani)).rejects.toMatchObject({
      status: 'faceNotDetected',
      detail: expect.stringMatching(/^image: /),
    });
    await expect(enrol(ani, nobody)).rejects.toMatchObject({
      status: 'faceNotDetected',
      detail: expect.stringMatching(/^ktp_image: /),
    });
    await expect(enrol(ani, '*')).rejects.toMatchObject({
      status: 'imageBase64',
      detail: expect.stringMatching(/^ktp_image: /),
    });
  });

  it('use the minimum of the call', async () => {
    await expect(enrol(ani, budi, 1)).rejects.toMatchObject({ status: 'notRecognized' });
    const masked = await base64(drawnFace({ person: 'ani', mask: true }));
    expect(await enrol(masked, budi, 0)).toMatchObject({ masker: true });
  });
});

it('the similarity of a refusal has four decimals, as in its detail', async () => {
  const refused = await enrol(ani, budi, 1).catch((error: unknown) => error);
  const { detail, fields } = refused as { detail: string; fields: { similarity: number } };
  expect(detail).toContain(`a similarity of ${fields.similarity.toFixed(4)},`);
  expect(fields.similarity).toBe(Number(fields.similarity.toFixed(4)));
});

it('gallery, user and quota are checked before the picture', async () => {
  await enrol(ani, aniAgain);
  await expect(enrol('*')).rejects.toMatchObject({ status: 'userExists' });
  await stand.deps.store.clients.setQuota(acme.clientId, { faces: 1 });
  await expect(enrol('*', undefined, undefined, 'u2')).rejects.toMatchObject({ status: 'denied' });
  await stand.services.galleries.remove(acme, { facegalleryId: `${acme.clientId}@trial` });
  await expect(enrol('*')).rejects.toMatchObject({ status: 'galleryNotFound' });
});
