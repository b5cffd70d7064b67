import type { BatchLivenessRequest, Parameter } from '@wajah/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { drawnFace, drawnPicture } from '../../../../engine/test/drawn/drawn-face.ts';
import { base64 } from '../../../test/support/requests.ts';
import { openStand, type Stand } from '../../../test/support/stand.ts';
import type { Caller } from '../caller.ts';

type Item = BatchLivenessRequest['batch'][number];

const facegalleryId = 'acme@trial';

let stand: Stand;
let acme: Caller;
let front: string;
let asleep: string;
let shouting: string;

beforeAll(async () => {
  stand = await openStand();
  acme = await stand.registered('acme');
  front = await base64(drawnFace({ person: 'ani' }));
  asleep = await base64(drawnFace({ person: 'ani', leftEye: 'closed', rightEye: 'closed' }));
  shouting = await base64(drawnFace({ person: 'ani', mouth: 'open' }));
  await stand.enrol(acme, 'u1', 'Ani', front);
});
afterAll(() => stand.close());

function item(faceParameter: Parameter, image: string | undefined, more: Partial<Item> = {}): Item {
  return { faceParameter, image, spoofDetection: false, faceVerification: true, ...more };
}

function batch(items: Item[], more: Partial<BatchLivenessRequest> = {}, at = stand) {
  return at.services.liveness.batch(acme, { batch: items, ...more });
}

const series = () => [item('face front', front), item('eyes closed', asleep), item('mouth open', shouting)];

describe('a series', () => {
  it('passes when each picture matches its parameter; each entry has the attributes of its parameter', async () => {
    // Without a user the verification fields are there and have no effect.
    const unverified = { verified: false, similarity: 0 };
    const scores = (names: string[]) => Object.fromEntries(names.map((name) => [name, expect.any(Number)]));
    expect(await batch(series())).toEqual({
      liveness: 'passed',
      reasons: [],
      results: [
        { match: true, ...unverified, masker: false, ...scores(['roll', 'pitch', 'yaw']) },
        {
          match: true,
          ...unverified,
          masker: false,
          left_eye: 'closed',
          right_eye: 'closed',
          ...scores(['left_eye_score', 'right_eye_score']),
        },
        { match: true, ...unverified, masker: false, mouth: 'open', ...scores(['mouth_score']) },
      ],
    });
  });

  it('needs all of its pictures, or as many as the success threshold', async () => {
    const items = [...series(), item('face left', front)];
    expect(await batch(items)).toMatchObject({ liveness: 'failed', results: [{}, {}, {}, { match: false }] });
    expect(await batch([...series(), item('eyes open', asleep)], { successThreshold: 4 })).toMatchObject({
      liveness: 'failed',
    });
    expect(
      await batch([item('eyes open', shouting), item('mouth open', asleep)], { successThreshold: 1 }),
    ).toMatchObject({ liveness: 'passed', reasons: [] });
  });
});

it('a picture that cannot be judged fails alone, with the row of the status table', async () => {
  const nobody = await base64(drawnPicture({ width: 300, height: 300, faces: [] }));
  const pdf = Buffer.from('%PDF-1.7 not a picture').toString('base64');
  const items = [
    ...series(),
    item('face front', undefined),
    item('face front', '*'),
    item('face front', pdf),
    item('face front', nobody),
  ];
  const { liveness, results } = await batch(items, { successThreshold: 3 });
  expect(liveness).toBe('passed');
  expect(results.slice(3)).toEqual(
    [
      ['451', 'image is null'],
      ['490', 'Cannot decode image base64'],
      ['491', 'image type not recognized'],
      ['412', 'Face not detected'],
    ].map(([status, status_message], i) => ({
      match: false,
      error: { status, status_message, detail: expect.stringContaining(`batch[${i + 3}].image: `) },
    })),
  );
});

describe('a named user', () => {
  const user = { facegalleryId, userId: 'u1' };

  it('is verified in each picture except where face_verification is off', async () => {
    const [first, ...others] = series();
    const { liveness, results } = await batch([{ ...first!, faceVerification: false }, ...others], user);
    expect(liveness).toBe('passed');
    expect(results[0]).not.toHaveProperty('verified');
    expect(results[0]).not.toHaveProperty('similarity');
    for (const entry of results.slice(1)) {
      expect(entry).toMatchObject({ verified: true, similarity: expect.any(Number) });
    }
  });

  it('who does not match fails the pictures', async () => {
    const budi = await base64(drawnFace({ person: 'budi' }));
    expect(await batch([item('eyes open', budi)], user)).toMatchObject({
      liveness: 'failed',
      results: [{ match: true, verified: false }],
    });
  });

  it('an unknown user is refused', async () => {
    await expect(batch(series(), { facegalleryId, userId: 'u9' })).rejects.toMatchObject({
      status: 'userNotFound',
    });
    await expect(batch(series(), { facegalleryId: 'nowhere', userId: 'u1' })).rejects.toMatchObject({
      status: 'galleryNotFound',
    });
  });
});

it('a presentation attack fails where spoof detection is on', async () => {
  const strict = await openStand({ WAJAH_SPOOF_THRESHOLD: '0' });
  const answer = await batch([item('eyes open', front, { spoofDetection: true })], {}, strict);
  expect(answer).toMatchObject({ liveness: 'failed', results: [{ match: true, is_spoof: true }] });
  expect(await batch([item('eyes open', front)], {}, strict)).toMatchObject({ liveness: 'passed' });
  await strict.close();
});

describe('replayed and mixed pictures', () => {
  it('one neutral picture, or two stills of a person, may serve front, open eyes and a closed mouth', async () => {
    const again = await base64(drawnFace({ person: 'ani', brightness: 0.97 }));
    for (const second of [front, again]) {
      const items = [item('face front', front), item('eyes open', second), item('mouth closed', front)];
      expect(await batch(items)).toMatchObject({ liveness: 'passed', reasons: [] });
    }
  });

  it('the same picture for parameters that exclude each other fails the batch, though enough pictures match', async () => {
    const items = [item('mouth closed', front), item('eyes open', front), item('mouth open', front)];
    const { liveness, reasons, results } = await batch(items, { successThreshold: 2 });
    expect(results.map(({ match }) => match)).toEqual([true, true, false]);
    expect(liveness).toBe('failed');
    expect(reasons).toEqual(['image1 and image3 are the same picture, sent for different parameters']);
  });

  it('the same picture encoded differently is found as well', async () => {
    const bytes = Buffer.from(front, 'base64');
    const padded = Buffer.concat([bytes, Buffer.from('trailing bytes that decoders skip')]).toString(
      'base64',
    );
    const { reasons } = await batch([item('eyes closed', front), item('eyes open', padded)]);
    expect(reasons).toHaveLength(1);
  });

  it('pictures of different people fail the batch, though each picture matches', async () => {
    const budi = await base64(drawnFace({ person: 'budi' }));
    const ani = await base64(drawnFace({ person: 'ani', mouth: 'open' }));
    const { liveness, reasons, results } = await batch([item('eyes open', budi), item('mouth open', ani)]);
    expect(results.map(({ match }) => match)).toEqual([true, true]);
    expect(liveness).toBe('failed');
    expect(reasons).toEqual([expect.stringMatching(/^image[12] shows another person than image[12]$/)]);
  });
});

it('the batch ends when the caller disconnects', async () => {
  const gone = stand.caller('acme', AbortSignal.abort());
  await expect(stand.services.liveness.batch(gone, { batch: series() })).rejects.toMatchObject({
    code: 'aborted',
  });
});
