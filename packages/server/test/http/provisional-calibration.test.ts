import { endpoints, operatorEndpoints } from '@wajah/contract';
import { describe, expect, it } from 'vitest';
import { sharedEngine } from '../../../engine/test/support/shared-engine.ts';
import { provisionalNotice } from '../../src/config/notices.ts';
import { drawPictures, startTestApp } from '../support/test-app.ts';

const start = async (env = {}) =>
  startTestApp(env, { engine: { ...(await sharedEngine()), provisional: true } });

const [server, pictures] = await Promise.all([start(), drawPictures()]);

describe('a provisional calibration', () => {
  it('is named in answers and refusals with similarities, and not in others', async () => {
    const client = await server.client();
    const subject = { user_id: 'ani', user_name: 'Ani', facegallery_id: client.gallery, image: pictures.ani };
    const probe = { ...subject, image: pictures.budi };
    const pair = { source_image: pictures.ani, target_image: pictures.budi };
    expect((await client.call(endpoints.enrolFace, subject)).body).not.toHaveProperty('calibration');
    const duplicate = { ...subject, user_id: 'again', check_duplicate: true };
    for (const [endpoint, fields, status] of [
      [endpoints.verifyFace, subject, '200'],
      [endpoints.identifyFace, subject, '200'],
      [endpoints.identifyFace, probe, '411'],
      [endpoints.compareImages, pair, '200'],
      [endpoints.enrolFace, duplicate, '409'],
    ] as const) {
      expect((await client.call(endpoint, fields)).body).toMatchObject({
        status,
        calibration: 'provisional',
      });
    }
    const unknown = await client.call(endpoints.verifyFace, { ...subject, user_id: 'nobody' });
    expect(unknown.body).not.toHaveProperty('calibration');
  });

  it('is not that of a gallery with a curve of its own', async () => {
    const client = await server.client();
    const subject = { user_id: 'ani', user_name: 'Ani', facegallery_id: client.gallery, image: pictures.ani };
    await client.enrol('ani', pictures.ani);
    const knots = [
      [-0.2, 0],
      [0.8, -6],
    ];
    await server.operate(operatorEndpoints.installCalibration, {
      client_id: client.id,
      facegallery_id: client.gallery,
      calibration: {
        contract: { ...server.context.engine.embeddingSpec },
        curve: { pack: 'builtin', evidence: {}, knots },
      },
    });
    const { body } = await client.call(endpoints.verifyFace, subject);
    expect(body).toMatchObject({ status: '200' });
    expect(body).not.toHaveProperty('calibration');
  });

  it('is told to the operator', async () => {
    const operator = await server.client({}, true);
    const notice = provisionalNotice('builtin');
    expect((await server.call(undefined, endpoints.ready)).body.notices).toContain(notice);
    const { body } = await operator.call(endpoints.getStatus);
    expect(body.calibration).toEqual({ provisional: true, notice });
    expect(server.log()).toContain('is provisional');
  });

  it('is told apart from execution providers that are missing', async () => {
    const missing = [{ name: 'cuda', builtIn: false, problem: 'no library' }];
    const engine = { ...(await sharedEngine()), providers: { used: ['cpu'], missing } };
    const other = await startTestApp({ WAJAH_EXECUTION_PROVIDERS: 'cuda' }, { engine });
    const { notices } = (await other.call(undefined, endpoints.ready)).body;
    expect(notices).toContain(
      'WAJAH_EXECUTION_PROVIDERS: cuda cannot be used on this machine (no library); networks run on cpu.',
    );
    expect(notices).not.toContain(provisionalNotice('builtin'));
  });

  it('is not named with WAJAH_COMPAT=risetai', async () => {
    const compat = await start({ WAJAH_COMPAT: 'risetai' });
    try {
      const client = await compat.client();
      const pair = { source_image: pictures.ani, target_image: pictures.budi };
      const { body } = await client.call(endpoints.compareImages, pair);
      expect(body.risetai).toMatchObject({ status: '200' });
      expect(body.risetai).not.toHaveProperty('calibration');
    } finally {
      await compat.close();
    }
  });
});
