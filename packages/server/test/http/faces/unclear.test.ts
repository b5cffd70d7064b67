import { endpoints } from '@wajah/contract';
import { describe, expect, it } from 'vitest';
import { drawnFace, drawnPicture, squeezedFace } from '../../../../engine/test/drawn/drawn-face.ts';
import { base64 } from '../../support/requests.ts';
import { startTestApp } from '../../support/test-app.ts';

const server = await startTestApp();
const client = await server.client();
const facegallery_id = client.gallery;
const [bare, covered, coveredAgain, stranger] = await Promise.all([
  base64(drawnFace({ person: 'ani' })),
  base64(drawnFace({ person: 'ani', sunglasses: true })),
  base64(drawnFace({ person: 'ani', sunglasses: true, tilt: 3 })),
  base64(drawnFace({ person: 'budi', sunglasses: true })),
]);

const unclear = {
  status: '414',
  error: 'unclear',
  rules: [{ rule: 'eyes', value: expect.any(Number), limit: 0.6, unit: 'probability' }],
};

const call = async (endpoint: Parameters<typeof client.call>[0], fields: object) =>
  (await client.call(endpoint, { facegallery_id, ...fields })).body;

describe('a picture squeezed in height', () => {
  const rules = expect.arrayContaining([
    expect.objectContaining({ rule: 'proportions', limit: 0.6, reason: expect.stringMatching(/squeezed/) }),
  ]);

  it('is enrolled by force only, and of two one has to be clear', async () => {
    const [ani, budi] = await Promise.all([
      base64(squeezedFace('ani', 704, 288)),
      base64(squeezedFace('budi', 704, 288)),
    ]);
    const enrolled = async (more: object) => (await client.enrol('flat', ani, more)).body;
    expect(await enrolled({})).toMatchObject({ status: '414', error: 'unclear', rules });
    expect(await enrolled({ check_quality: true })).toMatchObject({ status: '414', rules });
    const images = { source_image: ani, target_image: budi, threshold: 0.3 };
    expect(await call(endpoints.compareImages, images)).toMatchObject({ error: 'unclear', rules });
  });
});

describe('a face whose eyes are covered', () => {
  it('is enrolled by force only', async () => {
    const refused = (await client.enrol('ani', covered)).body;
    expect(refused).toMatchObject(unclear);
    expect(refused.detail).toMatch(/sunglasses.*force_register: true/);
    expect((await client.enrol('ani', covered, { force_register: true })).body.status).toBe('200');
    expect((await client.enrol('ani', bare, { append: true, force_register: true })).body.status).toBe('200');
  });

  it('matches nobody, and is refused as before where it does not', async () => {
    const person = { user_id: 'ani' };
    expect(await call(endpoints.verifyFace, { ...person, image: coveredAgain })).toMatchObject(unclear);
    expect(await call(endpoints.identifyFace, { image: coveredAgain })).toMatchObject(unclear);
    expect(await call(endpoints.verifyFace, { ...person, image: stranger })).toMatchObject({
      verified: false,
    });
    expect(await call(endpoints.identifyFace, { image: stranger })).toMatchObject({ status: '411' });
    expect(await call(endpoints.verifyFace, { ...person, image: bare })).toMatchObject({ verified: true });
  });

  it('is compared with a clear one', async () => {
    const compare = (source_image: string, target_image: string) =>
      call(endpoints.compareImages, { source_image, target_image, threshold: 0.3 });
    expect(await compare(covered, coveredAgain)).toMatchObject({
      ...unclear,
      detail: expect.stringMatching(/^source_image: /),
    });
    expect(await compare(bare, coveredAgain)).toMatchObject({ verified: true });
    expect(await compare(covered, bare)).toMatchObject({ verified: true });
  });

  it('is told among the faces of a picture', async () => {
    const faces = [
      { person: 'ani', x: 300, y: 400, size: 460, sunglasses: true },
      { person: 'budi', x: 900, y: 400, size: 400 },
    ] as const;
    const image = await base64(drawnPicture({ width: 1200, height: 900, faces }));
    expect(await call(endpoints.identifyFace, { image, faces: 2 })).toMatchObject(unclear);
    const budi = await base64(drawnFace({ person: 'budi' }));
    expect((await client.enrol('budi', budi)).body.status).toBe('200');
    const { faces: found } = await call(endpoints.identifyFace, { image, faces: 2 });
    expect(found).toMatchObject([
      { outcome: 'unclear', candidates: [] },
      { outcome: 'identified', candidates: [{ user_id: 'budi' }] },
    ]);
  });

  it('verifies nobody in a liveness check', async () => {
    const face_parameters = { spoof_detection: false, eyes: 'open' };
    const check = (fields: object) =>
      call(endpoints.verifyLiveness, { image: coveredAgain, face_parameters, ...fields });
    expect(await check({ user_id: 'ani' })).toMatchObject(unclear);
    expect(await check({ facegallery_id: undefined })).toMatchObject({
      liveness: 'failed',
      match_status: { eyes: false },
      results: { left_eye: 'covered', right_eye: 'covered' },
    });
    const item = { face_parameter: 'eyes open', face_verification: true };
    const batch = [coveredAgain, bare].map((image) => ({ image, ...item }));
    const { results } = await call(endpoints.verifyLivenessBatch, { batch, user_id: 'ani' });
    expect(results).toMatchObject({ image1: { error: { status: '414' } }, image2: { verified: true } });
  });

  it('is nobody whose ID is taken, whatever is forced', async () => {
    const forced = { force_register: true, user_name: 'Somebody' };
    expect((await client.enrol('ani', coveredAgain, { ...forced, details: true })).body).toMatchObject(
      unclear,
    );
    const same = await client.enrol('ani', coveredAgain, { ...forced, if_exists: 'replace_same' });
    expect(same.body).toMatchObject(unclear);
    expect(await call(endpoints.verifyFace, { user_id: 'ani', image: bare })).toMatchObject({
      verified: true,
    });
  });
});
