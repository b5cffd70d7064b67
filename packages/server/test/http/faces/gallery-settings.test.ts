import { endpoints } from '@wajah/contract';
import { describe, expect, it, vi } from 'vitest';
import { drawPictures, startTestApp, type TestClient } from '../../support/test-app.ts';

const { describeGalleries, updateGallery, listFaces } = endpoints;

const [server, pictures] = await Promise.all([startTestApp(), drawPictures()]);

const enrol = (client: TestClient, user_id: string, user_name: string, more = {}) =>
  client.enrol(user_id, pictures.ani, { user_name, ...more });

describe('galleries', () => {
  it('are described with the thresholds in force', async () => {
    const client = await server.client();
    await enrol(client, 'ani', 'Ani');
    await client.call(endpoints.createGallery, { facegallery_id: 'empty', require_liveness: true });
    const { body } = await client.call(describeGalleries);
    const { threshold } = server.context.engine;
    const [own, empty] = body.facegalleries;
    expect(own).toMatchObject({
      facegallery_id: client.gallery,
      n_face: 1,
      threshold: null,
      require_liveness: false,
      comparable: true,
    });
    expect(own.verify_threshold).toBeCloseTo(threshold, 3);
    expect(own.pack).toMatch(/^builtin \S+/);
    expect(empty).toMatchObject({ facegallery_id: 'empty', n_face: 0, pack: null, require_liveness: true });
  });

  it('count what their probes reached, without users, and say whose calibration they have', async () => {
    const client = await server.client();
    await enrol(client, 'ani', 'Ani');
    const of = { facegallery_id: client.gallery };
    const { similarity } = (
      await client.call(endpoints.verifyFace, { ...of, user_id: 'ani', image: pictures.aniAgain })
    ).body;
    await client.call(endpoints.identifyFace, { ...of, image: pictures.ani });
    const missed = await client.call(endpoints.identifyFace, { ...of, image: pictures.budi });
    expect(missed.body.status).toBe('411');
    await server.context.scores.settled();
    const { body } = await client.call(endpoints.getGalleryScores, of);
    const sum = (bins: number[]) => bins.reduce((a, b) => a + b, 0);
    expect([sum(body.verify), sum(body.identify)]).toEqual([1, 2]);
    expect(body.verify[Math.min(79, Math.floor(similarity * 80))]).toBe(1);
    expect(body.identify[79]).toBe(1);
    const own = { calibrated_by: 'server', calibration_pairs: null, provisional: false, minimum_face: 100 };
    expect((await client.call(describeGalleries)).body.facegalleries).toMatchObject([own]);
  });

  it('do not lose people at once by a shorter retention, unless that is asked for', async () => {
    const client = await server.client();
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      vi.setSystemTime(Date.now() - 10 * 86_400_000);
      expect((await enrol(client, 'ani', 'Ani')).body).toMatchObject({ status: '200' });
    } finally {
      vi.useRealTimers();
    }
    const of = { facegallery_id: client.gallery };
    const retain = async (fields: object) => (await client.call(updateGallery, { ...of, ...fields })).body;
    expect(await retain({ retention_days: 9, require_consent: true })).toMatchObject({
      status: '400',
      detail: expect.stringMatching(/^retention_days: found 9, but 1 person was .* erase_expired/),
    });
    const [unchanged] = (await client.call(describeGalleries)).body.facegalleries;
    expect(unchanged).toMatchObject({ retention_days: null, require_consent: false });
    expect(await retain({ retention_days: 11 })).toMatchObject({ status: '200', retention_days: 11 });
    const agreed = await retain({ retention_days: 9, erase_expired: true });
    expect(agreed).toMatchObject({ status: '200', retention_days: 9 });
    expect(await retain({ erase_expired: true })).toMatchObject({ status: '400' });
  });

  it('are changed one field at a time, and null resets a threshold', async () => {
    const client = await server.client();
    await enrol(client, 'ani', 'Ani');
    const facegallery_id = client.gallery;
    const update = (fields: object) => client.call(updateGallery, { facegallery_id, ...fields });
    const verify = () =>
      client.call(endpoints.verifyFace, { user_id: 'ani', facegallery_id, image: pictures.budi });
    expect((await verify()).body.verified).toBe(false);
    const lax = await update({ threshold: '0.0' });
    expect(lax.body).toMatchObject({ status: '200', facegallery_id, threshold: 0, verify_threshold: 0 });
    expect((await verify()).body.verified).toBe(true);

    const both = await update({ require_liveness: 'true' });
    expect(both.body).toMatchObject({ threshold: 0, require_liveness: true });
    expect((await verify()).body.status).toBe('421');
    const back = await update({ threshold: null, require_liveness: false });
    expect(back.body).toMatchObject({ threshold: null, require_liveness: false });
    expect((await verify()).body.verified).toBe(false);
  });

  it('are not changed by refused calls', async () => {
    const client = await server.client();
    const facegallery_id = client.gallery;
    for (const [fields, detail] of [
      [
        {},
        'threshold: found nothing, nor require_liveness, require_consent, retention_days or keep_crops; send what is to be changed',
      ],
      [{ require_liveness: 'ja', threshold: 0.5 }, 'require_liveness: found the text "ja"'],
    ] as const) {
      const { http, body } = await client.call(updateGallery, { facegallery_id, ...fields });
      expect([http, body.status, body.detail]).toEqual([400, '400', expect.stringContaining(detail)]);
    }
    expect((await client.call(describeGalleries)).body.facegalleries).toMatchObject([{ threshold: null }]);
  });
});

describe('people of a gallery', () => {
  it('are found by a part of id or name, case-insensitively, page by page', async () => {
    const client = await server.client();
    const people = [
      ['emp-001', 'Sri Rahayu'],
      ['emp-002', 'José Siregar'],
      ['guest-1', 'SRI Wahyuni'],
      ['x%_', 'Budi'],
    ] as const;
    for (const [id, name] of people) await enrol(client, id, name);
    const facegallery_id = client.gallery;
    const search = async (text: string, more = {}) => {
      const { body } = await client.call(listFaces, { facegallery_id, search: text, ...more });
      return { ids: body.faces.map(({ user_id }: { user_id: string }) => user_id), next: body.next_cursor };
    };
    expect((await search('sri')).ids).toEqual(['emp-001', 'guest-1']);
    expect((await search('EMP-')).ids).toEqual(['emp-001', 'emp-002']);
    expect((await search('jose\u0301')).ids).toEqual(['emp-002']);
    expect((await search('%')).ids).toEqual(['x%_']);
    expect((await search('nobody')).ids).toEqual([]);
    const first = await search('sri', { limit: 1 });
    expect(first.ids).toEqual(['emp-001']);
    const second = await search('sri', { limit: 1, cursor: first.next });
    expect(second).toEqual({ ids: ['guest-1'], next: undefined });
    expect((await search('')).ids).toHaveLength(4);
  });
});
