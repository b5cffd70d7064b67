import { endpoints } from '@wajah/contract';
import { describe, expect, it } from 'vitest';
import { type DrawnFace, drawnFace, drawnPicture } from '../../../../engine/test/drawn/drawn-face.ts';
import { sharedEngine } from '../../../../engine/test/support/shared-engine.ts';
import { base64 } from '../../support/requests.ts';
import { startTestApp } from '../../support/test-app.ts';

const { identifyFace } = endpoints;

const picture = (...faces: DrawnFace[]) => base64(drawnPicture({ width: 1100, height: 420, faces }));
const citra: DrawnFace = { person: 'citra', x: 160, y: 200, size: 200 };
const ani: DrawnFace = { person: 'ani', x: 430, y: 200, size: 280, brightness: 0.9 } as DrawnFace;
const budi: DrawnFace = { person: 'budi', x: 740, y: 200, size: 240, tilt: 5 };
const far: DrawnFace = { person: 'budi', x: 980, y: 200, size: 110 };

const identify = async (image: string, fields: object = {}) =>
  client.call(identifyFace, { facegallery_id: client.gallery, image, ...fields });
const outcomesOf = ({ faces }: { faces: { outcome: string; candidates: { user_id: string }[] }[] }) =>
  faces.map(({ outcome, candidates }) => [outcome, ...candidates.map(({ user_id }) => user_id)]);

const engine = await sharedEngine();
const server = await startTestApp({ WAJAH_MIN_FACE: '80', WAJAH_IDENTIFY_FPIR: '0.001' }, { engine });
const client = await server.client({ hits: 1000 });
for (const person of ['ani', 'budi'] as const) {
  const image = await base64(drawnFace({ person }));
  expect((await client.enrol(person, image, { user_name: person })).body.status).toBe('200');
}
const group = await picture(citra, ani, budi, far);
const alone = await base64(drawnFace({ person: 'ani', tilt: 6 }));

describe('identify-face with faces', () => {
  it('answers each face, the largest first, with box, quality and candidates', async () => {
    const { http, body } = await identify(group, { faces: '20', top_k: 3 });
    expect([http, body.status, body.found]).toEqual([200, '200', 4]);
    expect(outcomesOf(body)).toEqual([
      ['identified', 'ani'],
      ['identified', 'budi'],
      ['not_identified'],
      ['too_small'],
    ]);
    expect(body.return).toEqual(body.faces.flatMap(({ candidates }: { candidates: unknown }) => candidates));
    const [first] = body.faces;
    expect(first.candidates).toEqual([
      { confidence_level: expect.any(Number), mask: false, user_id: 'ani', user_name: 'ani' },
    ]);
    expect(first.box.x + first.box.width / 2).toBeGreaterThan(380);
    expect(first.box.x + first.box.width / 2).toBeLessThan(480);
    expect(first.quality.map(({ rule }: { rule: string }) => rule)).toContain('sharpness');
    expect(first.mask).toBe(false);
  });

  it('answers those below the threshold apart, in a refusal, too', async () => {
    type Faces = { candidates: { user_id: string }[]; below?: { user_id: string }[] }[];
    const ids = (faces: Faces) =>
      faces.map(({ candidates, below }) => [
        candidates.map(({ user_id }) => user_id),
        below?.map(({ user_id }) => user_id),
      ]);
    const asked = { faces: 20, top_k: 2, below_threshold: true };
    const { body } = await identify(group, asked);
    expect(ids(body.faces)).toEqual([
      [['ani'], []],
      [['budi'], []],
      [[], []],
      [[], []],
    ]);
    const refused = await identify(group, { ...asked, threshold: 1 });
    const [first] = ids(refused.body.faces);
    expect([refused.body.status, first]).toEqual(['411', [[], ['ani', 'budi']]]);
    expect((await identify(group, { faces: 20 })).body.faces[0]).not.toHaveProperty('below');
  });

  it('without faces answers as before, and with faces 1 the same and the main face', async () => {
    const plain = await identify(alone);
    const one = await identify(alone, { faces: 1 });
    expect(Object.keys(plain.body)).toEqual(['status', 'status_message', 'status_description', 'return']);
    expect(one.body).toMatchObject(plain.body);
    expect(one.body.faces).toHaveLength(1);
    const { confidence_level } = plain.body.return[0];
    expect(one.body.faces[0].candidates[0].confidence_level).toBe(confidence_level);
  });

  it('has the threshold for the faces that are not identified, not for those allowed', async () => {
    const needed = (comparisons: number) =>
      Math.max(server.context.engine.threshold, 0.25 + 0.125 * Math.log10(comparisons / 0.001));
    const thresholdOf = async (image: string, fields: object = {}) =>
      (await identify(image, { faces: 20, ...fields })).body.threshold;
    expect(await thresholdOf(alone)).toBeCloseTo(needed(2), 3);
    expect(await thresholdOf(group)).toBeCloseTo(needed(2), 3);
    const nobodyEnrolled = await picture(citra, { ...citra, person: 'darma', x: 740 });
    expect(await thresholdOf(nobodyEnrolled)).toBeCloseTo(needed(2 * 2), 3);
    expect(await thresholdOf(group, { threshold: 0.3 })).toBe(0.3);
  });

  it('names a person once who is there twice', async () => {
    const { body } = await identify(await picture(ani, { ...ani, x: 740, tilt: 10 }), { faces: 5 });
    expect(body.return).toHaveLength(1);
    expect(outcomesOf(body).sort()).toEqual([['identified', 'ani'], ['not_identified']]);
  });

  it('answers 411 with the faces when nobody is identified', async () => {
    const { http, body } = await identify(await picture(citra), { faces: 5 });
    expect([http, body.status, body.return]).toEqual([200, '411', []]);
    expect(outcomesOf(body)).toEqual([['not_identified']]);
    expect(identifyFace.miss?.safeParse(body).success).toBe(true);
  });

  it('refuses a picture whose faces are all too small, and one without a face', async () => {
    expect((await identify(await picture(far), { faces: 5 })).body).toMatchObject({
      status: '413',
      detail: expect.stringContaining('the minimum is 80 px'),
    });
    expect((await identify(await picture(), { faces: 5 })).body.status).toBe('412');
  });

  it('is one hit, and one audit record with the outcome of each face', async () => {
    const other = await server.client({ hits: 3 });
    await other.enrol('ani', alone);
    await other.enrol('budi', await base64(drawnFace({ person: 'budi' })));
    const fields = { facegallery_id: other.gallery, image: group, faces: 20, trx_id: 'group' };
    expect((await other.call(identifyFace, fields)).body.status).toBe('200');
    expect((await other.call(identifyFace, fields)).body.status).toBe('403');
    await server.context.events.settled();
    const records = await server.context.store.audit.list({ clientId: other.id, limit: 20 });
    const identified = records.filter(({ event }) => event === 'face_identified');
    expect(identified.map(({ facts }) => facts)).toMatchObject([
      {
        identified: true,
        candidates: 2,
        found: 4,
        outcomes: 'identified identified not_identified too_small',
      },
    ]);
  });

  it('under WAJAH_COMPAT has no field that the cloud does not document', async () => {
    const cloud = await startTestApp({ WAJAH_COMPAT: 'risetai' });
    const own = await cloud.client();
    await own.enrol('ani', alone, { user_name: 'Ani' });
    const { body } = await own.call(identifyFace, { facegallery_id: own.gallery, image: group, faces: 3 });
    expect(body.risetai).toEqual({
      status: '200',
      status_message: 'Success',
      status_description: 'Face Recognition Success',
      return: [{ confidence_level: expect.any(String), mask: 'false', user_id: 'ani', user_name: 'Ani' }],
    });
    const notEnrolled = await picture(citra);
    const miss = await own.call(identifyFace, { facegallery_id: own.gallery, image: notEnrolled, faces: 3 });
    expect(Object.keys(miss.body.risetai).sort()).toEqual([
      'return',
      'status',
      'status_description',
      'status_message',
    ]);
  });
});
