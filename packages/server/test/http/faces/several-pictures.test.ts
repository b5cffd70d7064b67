import { endpoints } from '@wajah/contract';
import { afterEach, describe, expect, it } from 'vitest';
import { drawnFace, drawnPicture } from '../../../../engine/test/drawn/drawn-face.ts';
import { formOf } from '../../support/form.ts';
import { base64 } from '../../support/requests.ts';
import { startTestApp } from '../../support/test-app.ts';

const server = await startTestApp();
const client = await server.client({ hits: 1_000 });
const { gallery: facegallery_id } = client;

const [front, tilted, brighter] = await Promise.all([
  base64(drawnFace({ person: 'ani' })),
  base64(drawnFace({ person: 'ani', tilt: 4 })),
  base64(drawnFace({ person: 'ani', tilt: -5 })),
]);
const covered = await base64(drawnFace({ person: 'ani', sunglasses: true }));
const [other, otherTilted, otherAgain] = await Promise.all([
  base64(drawnFace({ person: 'budi' })),
  base64(drawnFace({ person: 'budi', tilt: 4 })),
  base64(drawnFace({ person: 'budi', tilt: -5 })),
]);
const two = await base64(
  drawnPicture({
    width: 1300,
    height: 900,
    faces: [
      { person: 'ani', x: 450, y: 400, size: 520 },
      { person: 'budi', x: 1080, y: 400, size: 240 },
    ],
  }),
);
const empty = await base64(drawnPicture({ width: 300, height: 300, faces: [] }));
const small = await base64(drawnPicture({ width: 300, height: 300, faces: [{ x: 150, y: 150, size: 62 }] }));

const call = async (endpoint: Parameters<typeof client.call>[0], fields: object) =>
  (await client.call(endpoint, { facegallery_id, ...fields })).body;
await call(endpoints.enrolFace, { user_id: 'ani', user_name: 'Ani', image: front });

const verify = (fields: object) => call(endpoints.verifyFace, { user_id: 'ani', ...fields });
const identify = (fields: object) => call(endpoints.identifyFace, fields);
const enrol = (user_id: string, fields: object) =>
  call(endpoints.enrolFace, { user_id, user_name: 'Name', ...fields });
const pictures = async (user_id: string) => (await call(endpoints.describeFace, { user_id })).n_picture;

afterEach(() => call(endpoints.deleteFace, { user_id: 'new' }));

const refusedSmall = { index: 1, error: { status: '413', detail: expect.stringMatching(/^images\[1\]: /) } };
const differ = { status: '411', error: 'picturesDiffer' };
const sendsBoth = { status: '400', error: 'fieldsMalformed' };

describe('several pictures of one person', () => {
  it('are one probe of verify-face and identify-face, and one hit', async () => {
    const hits = async () => (await client.call(endpoints.getCounters)).body.remaining_limit.n_api_hits;
    const images = [tilted, brighter, front];
    const before = await hits();
    const verified = await verify({ images });
    const identified = await identify({ images });
    expect(before - (await hits())).toBe(2);
    expect(verified).toMatchObject({ status: '200', verified: true });
    expect(verified).not.toHaveProperty('left_out');
    expect(identified).toMatchObject({ status: '200', return: [{ user_id: 'ani' }] });
    expect(identified.return).toHaveLength(1);
    expect(await verify({ images: [other, other] })).toMatchObject({ status: '200', verified: false });
    expect(await identify({ images: [other, other] })).toMatchObject({ status: '411', return: [] });
  });

  it('are one record of the audit trail, also in an enrolment', async () => {
    const trx_id = 'several-at-once';
    await verify({ images: [front, empty, tilted], trx_id });
    await identify({ images: [front, tilted], trx_id });
    await call(endpoints.enrolFace, {
      user_id: 'new',
      user_name: 'Name',
      images: [other, otherTilted],
      trx_id,
    });
    const { events, store } = server.context;
    await events.observe('administered', { clientId: client.id, trxId: null }, { operation: 'last' });
    const records = (await store.audit.list({ limit: 100 })).filter(({ trxId }) => trxId === trx_id);
    const own = records.map(({ event }) => event).sort();
    expect(own).toEqual(['face_enrolled', 'face_identified', 'face_verified']);
  });

  it('are used without those that have no usable face, which the answer names', async () => {
    const images = [front, small, empty, covered, tilted];
    const left_out = [
      { ...refusedSmall, index: 1 },
      { index: 2, error: { status: '412', detail: expect.stringMatching(/^images\[2\]: /) } },
      { index: 3, error: { status: '414', detail: expect.stringMatching(/^images\[3\]: .*too little/) } },
    ];
    expect(await verify({ images })).toMatchObject({ verified: true, left_out });
    expect(await identify({ images })).toMatchObject({ status: '200', left_out });
    expect(await identify({ images: [other, small] })).toMatchObject({
      status: '411',
      left_out: [refusedSmall],
    });
    const noPicture = [front, Buffer.from('%PDF-1.7').toString('base64'), '#'];
    const { left_out: unread } = await verify({ images: noPicture });
    expect(unread).toMatchObject([
      { index: 1, error: { status: '491' } },
      { index: 2, error: { status: '490' } },
    ]);
  });

  it('are refused as the first of them is, if none can be used', async () => {
    const detail = expect.stringMatching(/^images\[0\]: /);
    for (const ask of [verify, identify, (fields: object) => enrol('new', fields)]) {
      expect(await ask({ images: [covered, empty] })).toMatchObject({
        status: '414',
        error: 'unclear',
        detail,
      });
      expect(await ask({ images: [empty, covered] })).toMatchObject({ status: '412', detail });
    }
    expect(await verify({ images: [two, two], check_single_face: true })).toMatchObject({
      error: 'severalFaces',
      detail,
    });
  });

  it('are refused if two of them show different people', async () => {
    const params = { first: 0, second: 2, limit: 0.45 };
    for (const ask of [verify, identify, (fields: object) => enrol('new', fields)]) {
      const body = await ask({ images: [front, empty, other] });
      expect(body).toMatchObject({ ...differ, params, threshold: 0.45 });
      expect(body.similarity).toBeLessThan(0.45);
      expect(body).not.toHaveProperty('user_name');
    }
    expect((await call(endpoints.listFaces, {})).faces).toHaveLength(1);
  });

  it('say how many faces they show at most, and which was taken in the first that is used', async () => {
    const { found, face } = await verify({ images: [small, two, front] });
    expect(found).toBe(2);
    expect(Math.abs(face.box.x + face.box.width / 2 - 450)).toBeLessThan(60);
  });
});

describe('several pictures that are enrolled', () => {
  // Two people who are alike enough for pictures of one person.
  const mixed = (async () => [await base64(drawnFace({ person: 'eka' })), otherTilted])();

  it('are each compared with those of the person, as one alone is', async () => {
    await enrol('new', { image: other });
    const [eka] = await mixed;
    for (const if_exists of ['append', 'replace_same']) {
      const alone = await enrol('new', { image: eka, if_exists });
      const beside = await enrol('new', { images: await mixed, if_exists });
      expect([alone, beside]).toMatchObject(Array(2).fill({ similarity: expect.closeTo(alone.similarity) }));
      expect([alone.error, beside.error]).toEqual(
        Array(2).fill(if_exists === 'append' ? 'appendedDiffers' : 'userEnrolled'),
      );
    }
    expect(await pictures('new')).toBe(1);
    expect(await enrol('new', { images: [otherTilted, otherAgain], if_exists: 'append' })).toMatchObject({
      status: '200',
    });
    expect(await pictures('new')).toBe(3);
  });

  it('are each searched for among the others', async () => {
    await enrol('new', { image: other });
    expect(await enrol('another', { images: await mixed, check_duplicate: true })).toMatchObject({
      error: 'faceEnrolled',
      duplicate_user_id: 'new',
      detail: expect.stringMatching(/^images: this face looks like/),
    });
  });
});

describe('the field images', () => {
  it('stands in place of image, without faces, and has 2 to 8 pictures', async () => {
    const allowed = expect.stringMatching(/^images: found .*; allowed is a list of 2 to 8 pictures$/);
    for (const ask of [verify, identify, (fields: object) => enrol('new', fields)]) {
      expect(await ask({ image: front, images: [front, tilted] })).toMatchObject({
        ...sendsBoth,
        detail: expect.stringMatching(/^images: it is sent beside image/),
      });
      for (const images of [[front], Array(9).fill(front), front, {}, 7])
        expect(await ask({ images })).toMatchObject({ ...sendsBoth, detail: allowed });
      expect(await ask({ images: [front, null] })).toMatchObject({
        ...sendsBoth,
        detail: expect.stringMatching(/^images\[1\]: found nothing/),
      });
      expect(await ask({})).toMatchObject({ status: '451' });
      expect(await ask({ images: null })).toMatchObject({ status: '451' });
    }
    expect(await identify({ images: [front, tilted], faces: 2 })).toMatchObject({
      ...sendsBoth,
      detail: expect.stringMatching(/^faces: it is sent beside images/),
    });
  });

  it('is a repeated field of a form', async () => {
    const fields = { facegallery_id, user_id: 'ani', images: [front, tilted, empty] };
    const { payload, type } = await formOf(fields);
    const headers = { accesstoken: client.token, 'content-type': type };
    const url = endpoints.verifyFace.path;
    const answer = (await server.app.inject({ method: 'POST', url, headers, payload })).json();
    expect(answer).toMatchObject({ verified: true, left_out: [{ index: 2, error: { status: '412' } }] });
  });
});

describe('enroll-face with several pictures', () => {
  it('stores each of them, once, without those that are left out, as one event', async () => {
    const enrolled = await enrol('new', { images: [other, empty, otherTilted, other] });
    expect(enrolled).toMatchObject({ status: '200', left_out: [{ index: 1, error: { status: '412' } }] });
    expect(await pictures('new')).toBe(2);
    expect(await call(endpoints.identifyFace, { image: other })).toMatchObject({
      return: [{ user_id: 'new' }],
    });
    expect(await enrol('new', { images: [other, otherTilted], append: true })).toMatchObject({
      status: '200',
      same_picture: true,
    });
    expect(await enrol('new', { images: [otherTilted, otherAgain], append: true })).toMatchObject({
      status: '200',
    });
    expect(await pictures('new')).toBe(3);
    expect(await enrol('new', { images: [front, tilted], append: true })).toMatchObject({ status: '411' });
    expect(await enrol('new', { images: [otherTilted, otherAgain], replace: true })).toMatchObject({
      status: '200',
    });
    expect(await pictures('new')).toBe(2);
  });
});
