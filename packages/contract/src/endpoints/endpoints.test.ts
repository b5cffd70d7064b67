import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { endpointList, parseRequest, statuses } from '../index.ts';

describe('the endpoint table', () => {
  it('has the endpoints of the specification, behind a token', () => {
    // They stand before the others.
    const specified = endpointList
      .slice(
        0,
        endpointList.findIndex(({ id }) => id === 'detectFaces'),
      )
      .filter(({ path }) => /^\/(face|liveness)-api\//.test(path));
    expect(specified.every(({ auth }) => auth === 'token')).toBe(true);
    expect(specified.map(({ methods, path }) => `${methods[0]} ${path}`)).toEqual([
      'POST /face-api/client/register',
      'DELETE /face-api/client/delete',
      'GET /face-api/client/get-counters',
      'GET /face-api/facegallery/my-facegalleries',
      'POST /face-api/facegallery/create-facegallery',
      'DELETE /face-api/facegallery/delete-facegallery',
      'POST /face-api/facegallery/enroll-face',
      'POST /face-api/facegallery/enroll-face-ktp',
      'GET /face-api/facegallery/list-faces',
      'POST /face-api/facegallery/verify-face',
      'POST /face-api/facegallery/identify-face',
      'DELETE /face-api/facegallery/delete-face',
      'POST /face-api/compare-images',
      'POST /liveness-api/verify-face-liveness',
      'POST /liveness-api/batch-verify-face-liveness',
      'POST /liveness-api/create-session',
      'POST /liveness-api/begin-session',
      'POST /liveness-api/get-session',
      'POST /liveness-api/hint-frame',
      'POST /liveness-api/send-frame',
      'POST /liveness-api/submit-session',
    ]);
  });

  it('leaves open only health, ready, tokens, JWKS and OpenAPI', () => {
    const open = endpointList.filter(({ auth }) => auth !== 'token').map(({ id }) => id);
    expect(open.sort()).toEqual([
      'changePassword',
      'clientToken',
      'health',
      'jwks',
      'openapi',
      'ready',
      'revokeToken',
      'token',
    ]);
  });

  it('has a scope for each call with a token, and for no other', () => {
    for (const { id, auth, scope } of endpointList)
      expect([id, scope !== null]).toEqual([id, auth === 'token']);
  });

  it('counts the pictures of a request', () => {
    for (const { id, request, pictures } of endpointList) {
      const { properties = {} } = z.toJSONSchema(request, { io: 'input' });
      const counted = Object.entries(properties).map(([name, field]) => {
        const { maxItems } = field as { maxItems?: number };
        // In place of image.
        if (name === 'image' && 'images' in properties) return 0;
        if (/^(batch|frames|images)$/.test(name)) return maxItems ?? Number.NaN;
        return name.endsWith('image') ? 1 : 0;
      });
      expect([id, pictures]).toEqual([id, counted.reduce((sum, count) => sum + count, 0)]);
    }
  });

  it('lets calls be sent again only if GET or no change is their meaning', () => {
    const repeatable = endpointList.filter(
      ({ repeatable, methods }) => repeatable && !methods.includes('GET'),
    );
    expect(repeatable.map(({ id }) => id)).toEqual([
      'verifyFace',
      'identifyFace',
      'compareImages',
      'verifyLiveness',
      'verifyLivenessBatch',
      'beginLivenessSession',
      'getLivenessSession',
      'hintLivenessFrame',
      'clientToken',
      'token',
      'detectFaces',
      'getFaceCrop',
      'getFaceThumbnails',
      'getFacePictures',
      'listExpected',
      'listUnknown',
    ]);
  });

  it('is unique in ids and paths', () => {
    expect(new Set(endpointList.map(({ id }) => id)).size).toBe(endpointList.length);
    expect(new Set(endpointList.map(({ path }) => path)).size).toBe(endpointList.length);
  });

  it.each(endpointList.map((endpoint) => [endpoint.id, endpoint] as const))(
    '%s has an example that its schemas accept',
    (_, { request, answer, example, refusals }) => {
      expect(parseRequest(request, example.request)).toMatchObject({ ok: true });
      expect(answer.parse(example.answer)).toEqual(example.answer);
      for (const name of refusals) expect(statuses).toHaveProperty(name);
    },
  );
});

describe('the status table', () => {
  it('gives each status one row', () => {
    const rows = Object.values(statuses).map(({ status }) => status);
    expect(new Set(rows).size).toBe(rows.length);
  });
});
