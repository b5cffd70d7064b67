import type { BatchLivenessRequest, Parameter } from '@wajah/contract';
import { describe, expect, it } from 'vitest';
import { drawnFace } from '../../../../engine/test/drawn/drawn-face.ts';
import { base64 } from '../../../test/support/requests.ts';
import { openStand } from '../../../test/support/stand.ts';
import { unjudgedDetail } from '../../config/notices.ts';

type Item = BatchLivenessRequest['batch'][number];

const facegalleryId = 'acme@trial';

const stand = await openStand();
const acme = await stand.registered('acme');
const front = await base64(drawnFace({ person: 'ani' }));
const asleep = await base64(drawnFace({ person: 'ani', leftEye: 'closed', rightEye: 'closed' }));
const shouting = await base64(drawnFace({ person: 'ani', mouth: 'open' }));
await stand.enrol(acme, 'u1', 'Ani', front);

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

  it('an unknown user is refused', async () => {
    await expect(batch(series(), { facegalleryId, userId: 'u9' })).rejects.toMatchObject({
      status: 'userNotFound',
    });
    await expect(batch(series(), { facegalleryId: 'nowhere', userId: 'u1' })).rejects.toMatchObject({
      status: 'galleryNotFound',
    });
  });
});

it('a picture that no network judges fails where spoof detection is on', async () => {
  const judged = item('eyes open', front, { spoofDetection: true });
  const answer = await batch([item('eyes open', front), judged]);
  const results = [{ match: true }, { match: true, isSpoof: true, spoofVerdict: 'unclear' }];
  expect(answer).toMatchObject({ liveness: 'failed', results, detail: unjudgedDetail });
  expect(await batch([item('eyes open', front)])).not.toHaveProperty('detail');
  const lenient = await openStand({ WAJAH_UNCLEAR_SPOOF: 'accept' });
  const accepted = await batch([judged], {}, lenient);
  expect(accepted).toMatchObject({ liveness: 'passed', results: [{ match: true, isSpoof: false }] });
  expect(accepted).not.toHaveProperty('detail');
});

it('the batch ends when the caller disconnects', async () => {
  const gone = stand.caller('acme', AbortSignal.abort());
  await expect(stand.services.liveness.batch(gone, { batch: series() })).rejects.toMatchObject({
    code: 'aborted',
  });
});
