import { endpoints } from '@wajah/contract';
import { describe, expect, it } from 'vitest';
import { type DrawnFace, drawnFace, drawnPicture } from '../../../../engine/test/drawn/drawn-face.ts';
import { base64 } from '../../support/requests.ts';
import { startTestApp } from '../../support/test-app.ts';

let [one, two, card]: string[] = [];

const person: DrawnFace = { person: 'ani', x: 450, y: 400, size: 520 };
const onCard: DrawnFace = { person: 'ani', x: 560, y: 890, size: 130 };
const withCard = (...others: DrawnFace[]) =>
  base64(
    drawnPicture({ width: 1300, height: 1100, faces: [person, onCard, ...others], cards: [{ face: 1 }] }),
  );
const bystander = (size: number): DrawnFace => ({ person: 'budi', x: 1080, y: 400, size });

let users = 0;
async function enrol(image: string, fields: object = {}, to = client) {
  users += 1;
  const endpoint =
    'ktp_image' in fields || 'by_card' in fields ? endpoints.enrolFaceKtp : endpoints.enrolFace;
  const user = { user_id: `u${users}`, user_name: 'Name', facegallery_id: to.gallery };
  return (await to.call(endpoint, { ...user, image, ...fields })).body;
}
const single = { check_single_face: true };

const server = await startTestApp();
const client = await server.client();
one = await base64(drawnFace({ person: 'ani' }));
card = await base64(drawnFace({ person: 'ani', tilt: 4 }));
const faces = [person, bystander(240)];
two = await base64(drawnPicture({ width: 1300, height: 900, faces }));

it('enroll-face with check_single_face refuses a second face, and says how many there are and where', async () => {
  expect((await enrol(two!)).status).toBe('200');
  expect((await enrol(one!, single)).status).toBe('200');
  const body = await enrol(two!, { check_single_face: 'true' });
  expect(body).toMatchObject({
    status: '414',
    status_message: 'Face quality too low',
    detail: expect.stringMatching(
      /^image: 2 faces were found, exactly one .*\d+x\d+ px at \d+,\d+, \d+x\d+ px at/,
    ),
    rules: [{ rule: 'faces', value: 2, limit: 1, unit: 'faces' }],
  });
  const [first, second] = body.faces.map(
    ({ box }: { box: { x: number; width: number } }) => box.x + box.width / 2,
  );
  expect(Math.abs(first - 450)).toBeLessThan(60);
  expect(Math.abs(second - 1080)).toBeLessThan(60);
});

it('enroll-face-ktp with check_single_face refuses it in either picture', async () => {
  expect((await enrol(one!, { ...single, ktp_image: card })).status).toBe('200');
  const beside = await enrol(two!, { ...single, ktp_image: card });
  expect([beside.status, beside.detail]).toEqual(['414', expect.stringMatching(/^image: 2 faces/)]);
  const cards = await enrol(one!, { ...single, ktp_image: two });
  expect([cards.status, cards.detail]).toEqual(['414', expect.stringMatching(/^ktp_image: 2 faces/)]);
});

it('enroll-face-ktp with person and card in one picture refuses a third face of the size of the card', async () => {
  const byCard = { ...single, by_card: true };
  expect((await enrol(await withCard(), byCard)).status).toBe('200');
  const third = await withCard(bystander(240));
  expect((await enrol(third, { by_card: true })).status).toBe('200');
  const refused = await enrol(third, byCard);
  expect([refused.status, refused.detail]).toEqual([
    '414',
    expect.stringMatching(/^image: 3 faces .*at most 2/),
  ]);
});

it('a face that meets the quality rule size can be enrolled, and no other', async () => {
  for (const limit of ['60', '150']) {
    const sized = await startTestApp({ WAJAH_MIN_FACE_ENROL: limit });
    const own = await sized.client();
    for (const width of [170, 220, 480]) {
      const image = await base64(drawnFace({ person: 'ani', width, height: width * 1.25 }));
      const { body } = await own.call(endpoints.detectFaces, { image, attributes: 'quality' });
      const [size] = body.faces[0].quality.filter(({ rule }: { rule: string }) => rule === 'size');
      expect(size.limit).toBe(Number(limit));
      expect((await enrol(image, {}, own)).status).toBe(size.ok ? '200' : '413');
    }
  }
});

it('the default of WAJAH_MIN_FACE_ENROL is the limit of the engine', async () => {
  const image = Buffer.from(one!, 'base64');
  const request = { attributes: ['quality'], maxFaces: 1, search: 'fast' } as const;
  const { faces } = await server.context.engine.analyze(image, request);
  const { body } = await client.call(endpoints.detectFaces, { image: one, attributes: 'quality' });
  const limitOf = (quality: readonly { limit: number }[]) => quality[0]!.limit;
  expect(limitOf(body.faces[0].quality)).toBe(limitOf(faces[0]!.quality!));
});

describe('of several faces in a picture', () => {
  const { gallery: facegallery_id } = client;
  const call = async (endpoint: Parameters<typeof client.call>[0], fields: object) =>
    (await client.call(endpoint, { facegallery_id, ...fields })).body;
  const largest = {
    box: {
      width: expect.any(Number),
      height: expect.any(Number),
      x: expect.any(Number),
      y: expect.any(Number),
    },
  };
  const among = { found: 2, face: largest };

  it('answers say how many there are and which was taken, and nothing where there is one', async () => {
    const user = { user_id: 'of-several' };
    await call(endpoints.enrolFace, { ...user, user_name: 'Name', image: one });
    const verified = await call(endpoints.verifyFace, { ...user, image: two });
    expect(verified).toMatchObject({ verified: true, ...among });
    const { x, width } = verified.face.box;
    expect(Math.abs(x + width / 2 - 450)).toBeLessThan(60);
    expect(await call(endpoints.identifyFace, { image: two, threshold: 0.5 })).toMatchObject({
      status: '200',
      ...among,
    });
    const stranger = await server.client();
    const missed = await stranger.call(endpoints.identifyFace, {
      image: two,
      facegallery_id: stranger.gallery,
    });
    expect(missed.body).toMatchObject({ status: '411', ...among });
    const compared = await call(endpoints.compareImages, { source_image: one, target_image: two });
    expect(compared).toMatchObject({ verified: true, target: among });
    expect(compared).not.toHaveProperty('source');
    const alone = await call(endpoints.verifyFace, { ...user, image: one });
    expect([alone.found, alone.face]).toEqual([undefined, undefined]);
  });

  it('check_single_face refuses them in every comparison', async () => {
    const refused = { status: '414', error: 'severalFaces', rules: [{ rule: 'faces', value: 2, limit: 1 }] };
    const user = { user_id: 'of-several', ...single };
    expect(await call(endpoints.verifyFace, { ...user, image: two })).toMatchObject(refused);
    expect(await call(endpoints.identifyFace, { ...single, image: two })).toMatchObject(refused);
    const pictures = { source_image: one, target_image: two };
    const compared = await call(endpoints.compareImages, { ...single, ...pictures });
    expect(compared).toMatchObject({ ...refused, detail: expect.stringMatching(/^target_image: 2 faces/) });
    expect(await call(endpoints.verifyFace, { ...user, image: one })).toMatchObject({ verified: true });
  });
});
