import { endpoints } from '@wajah/contract';
import { describe, expect, it } from 'vitest';
import { drawnFace } from '../../../../engine/test/drawn/drawn-face.ts';
import { base64 } from '../../support/requests.ts';
import { drawPictures, startTestApp } from '../../support/test-app.ts';

const draw = (options: Parameters<typeof drawnFace>[0]) => base64(drawnFace(options));

const server = await startTestApp();
const pictures = {
  ...(await drawPictures()),
  closedEyes: await draw({ person: 'ani', leftEye: 'closed', rightEye: 'closed' }),
  openMouth: await draw({ person: 'ani', mouth: 'open' }),
};
const client = await server.client();
const user = { user_id: 'ani', facegallery_id: client.gallery };
await client.call(endpoints.enrolFace, { ...user, user_name: 'Ani', image: pictures.ani });

describe('one picture', () => {
  const judge = async (face_parameters: object, more: object = {}) =>
    (await client.call(endpoints.verifyLiveness, { image: pictures.ani, face_parameters, ...more })).body;

  it('is matched with the requested parameters; others are not in match_status', async () => {
    const body = await judge({ eyes: 'open', spoof_detection: 'false' });
    expect(body).toMatchObject({ status: '200', liveness: 'passed', match_status: { eyes: true } });
    expect(body.results).toMatchObject({ left_eye: 'open', right_eye: 'open' });
    // What was not asked for has a fixed value, without effect: programs of the specification decode these fields.
    expect(body.match_status).toEqual({ verified: false, is_real: true, eyes: true });
    expect(body.results).toMatchObject({ is_spoof: false, spoof_score: 0, similarity: 0 });
    expect(body.verified).toBe(false);
  });

  it('that was not verified, or not checked for a spoof, has no such score among the refused calls', async () => {
    const other = await server.client();
    const fields = { image: pictures.ani, face_parameters: { eyes: 'close', spoof_detection: false } };
    await other.call(endpoints.verifyLiveness, fields);
    const batch = [{ image: pictures.ani, face_parameter: 'face left', spoof_detection: false }];
    await other.call(endpoints.verifyLivenessBatch, { batch });
    const { refusals } = (await other.call(endpoints.listRefusals, {})).body;
    expect(refusals).toHaveLength(2);
    for (const refused of refusals) {
      expect(refused).not.toHaveProperty('similarity');
      expect(refused).not.toHaveProperty('spoof_score');
    }
  });

  it('fails when a parameter does not match: that is a success of the call', async () => {
    const body = await judge([{ mouth: 'open' }, { eyes: 'open' }, { spoof_detection: false }]);
    expect(body).toMatchObject({ liveness: 'failed', match_status: { mouth: false, eyes: true } });
    expect(body.results.mouth).toBe('closed');
  });

  it('computes the spoof score unless it is switched off', async () => {
    const { results, match_status } = await judge({ angle: 'front' });
    expect(results).toMatchObject({ is_spoof: expect.any(Boolean), spoof_score: expect.any(Number) });
    expect(match_status).toEqual({ verified: false, angle: true, is_real: !results.is_spoof });
  });

  it('verifies the person when one is named', async () => {
    const own = await judge({ spoof_detection: false, eyes: 'open' }, user);
    expect(own).toMatchObject({
      verified: true,
      match_status: { verified: true },
      results: { similarity: expect.closeTo(1, 3) },
    });
    const foreign = await judge({ spoof_detection: false, eyes: 'open' }, { ...user, image: pictures.budi });
    expect(foreign).toMatchObject({ liveness: 'failed', verified: false });
    // Before the picture is analysed.
    const broken = { ...user, image: '*' };
    expect((await judge({ eyes: 'open' }, { ...broken, user_id: 'nobody' })).status).toBe('415');
    expect((await judge({ eyes: 'open' }, { ...broken, facegallery_id: 'nowhere' })).status).toBe('416');
  });
});

describe('several pictures', () => {
  const item = (image: string | undefined, face_parameter: string) => ({
    ...(image === undefined ? {} : { image }),
    face_parameter,
    spoof_detection: false,
  });
  const judge = async (batch: object[], more: object = {}) =>
    (await client.call(endpoints.verifyLivenessBatch, { batch, ...more })).body;

  const series = () => {
    const { ani, closedEyes, openMouth } = pictures;
    return [item(ani, 'front'), item(closedEyes, 'eyes closed'), item(openMouth, 'mouth open')];
  };

  it('are answered by name, in order, each with the attributes of its parameter', async () => {
    const body = await judge(series(), user);
    expect(body.liveness).toBe('passed');
    expect(body).not.toHaveProperty('reasons');
    const score = expect.any(Number);
    const common = { match: true, verified: true, similarity: score, masker: false };
    expect(body.results).toEqual({
      image1: { ...common, similarity: expect.closeTo(1, 3), roll: score, pitch: score, yaw: score },
      image2: {
        ...common,
        left_eye: 'closed',
        right_eye: 'closed',
        left_eye_score: score,
        right_eye_score: score,
      },
      image3: { ...common, mouth: 'open', mouth_score: score },
    });
  });

  it('are not verified where face_verification is off or no user is named', async () => {
    const [first, ...others] = series();
    const { liveness, results } = await judge([{ ...first, face_verification: false }, ...others], user);
    expect(liveness).toBe('passed');
    expect(results.image1).not.toHaveProperty('verified');
    expect(results.image1).not.toHaveProperty('similarity');
    expect(results.image2).toMatchObject({ verified: true, similarity: expect.any(Number) });
    // Without a user the fields have no effect.
    const unnamed = await judge(series());
    expect(unnamed).toMatchObject({
      liveness: 'passed',
      results: { image1: { verified: false, similarity: 0 } },
    });
    expect((await judge(series(), { ...user, user_id: 'nobody' })).status).toBe('415');
    expect((await judge(series(), { ...user, facegallery_id: 'nowhere' })).status).toBe('416');
  });

  it('must all match, or as many as the success threshold', async () => {
    const { ani, closedEyes, openMouth } = pictures;
    const turned = await judge([...series(), item(ani, 'left')]);
    expect(turned).toMatchObject({ liveness: 'failed', results: { image4: { match: false } } });
    const asleep = [...series(), item(closedEyes, 'eyes open')];
    expect(await judge(asleep, { success_threshold: 4 })).toMatchObject({ liveness: 'failed' });
    const one = [item(openMouth, 'eyes open'), item(closedEyes, 'mouth open')];
    const passed = await judge(one, { success_threshold: 1 });
    expect(passed).toMatchObject({ liveness: 'passed' });
    expect(passed).not.toHaveProperty('reasons');
  });

  it('fail independently: without a picture, without a face, not readable', async () => {
    const { ani, nobody } = pictures;
    const pdf = Buffer.from('%PDF-1.7 not a picture').toString('base64');
    const batch = [
      item(ani, 'front'),
      item(undefined, 'up'),
      item(nobody, 'up'),
      item('*', 'up'),
      item(pdf, 'up'),
    ];
    const body = await judge(batch, { success_threshold: '1' });
    expect(body).toMatchObject({ status: '200', liveness: 'passed' });
    const errors = [
      ['451', 'image is null'],
      ['412', 'Face not detected'],
      ['490', 'Cannot decode image base64'],
      ['491', 'image type not recognized'],
    ];
    for (const [i, [status, status_message]] of errors.entries()) {
      const detail = expect.stringContaining(`batch[${i + 1}].image: `);
      const error = { status, status_message, detail };
      expect(body.results[`image${i + 2}`]).toMatchObject({ match: false, error });
    }
    expect((await judge(batch)).liveness).toBe('failed');
  });

  it('are answered with reasons when one picture is sent for two states, or two people are shown', async () => {
    const { ani, budi } = pictures;
    const neutral = await judge([item(ani, 'front'), item(ani, 'eyes open'), item(ani, 'mouth closed')]);
    expect(neutral).toMatchObject({ liveness: 'passed' });
    const twice = await judge([item(ani, 'mouth open'), item(ani, 'mouth closed')]);
    expect(twice).toMatchObject({ liveness: 'failed', reasons: [expect.any(String)] });
    const two = await judge([item(ani, 'front'), item(budi, 'eyes open')]);
    expect(two).toMatchObject({ liveness: 'failed', reasons: [expect.any(String)] });
  });
});
