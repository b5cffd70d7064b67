import { endpoints, operatorEndpoints } from '@wajah/contract';
import { describe, expect, it } from 'vitest';
import { sharedEngine } from '../../../engine/test/support/shared-engine.ts';
import { type Fault, textOf } from '../../src/config/finding.ts';
import { provisionalCalibration } from '../../src/config/findings.ts';
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
    const finding = provisionalCalibration('builtin');
    const notice = textOf(finding);
    expect((await server.call(undefined, endpoints.ready)).body.notices).toContain(notice);
    const { body } = await operator.call(endpoints.getStatus);
    expect(body.calibration).toEqual({ provisional: true, notice });
    expect(body.findings).toContainEqual(finding);
    expect(server.log()).toContain('is provisional');
  });

  it('that is of another pack, or cannot be read, is told with what fits it again', async () => {
    const [client, operator] = [await server.client(), await server.client({}, true)];
    const { store, engine } = server.context;
    const knots = [
      [-0.2, 0],
      [0.8, -6],
    ];
    const contract = { ...engine.embeddingSpec, pack: 'former' };
    const calibration = { contract, curve: { pack: 'former', evidence: {}, knots } };
    const of = { client_id: client.id, facegallery_id: client.gallery };
    const told = async () => {
      const { findings } = (await operator.call(endpoints.getStatus)).body;
      return Object.fromEntries(findings.map(({ id, remedy }: Fault) => [id, remedy]));
    };
    await server.operate(operatorEndpoints.installCalibration, { ...of, calibration });
    await server.operate(operatorEndpoints.installCalibration, { calibration });
    const again = `--client '${client.id}' --gallery '${client.gallery}' --install gallery`;
    expect(await told()).toMatchObject({
      gallery_calibrations: expect.stringContaining(again),
      server_calibration: expect.stringMatching(/^fit it again .*--install server/),
    });
    await store.galleries.updateSettings(client.id, client.gallery, { curve: 'x' });
    await store.meta.set('calibration', 'x');
    const { gallery_calibrations: none, ...damaged } = await told();
    expect(none).toBeUndefined();
    expect(damaged).toMatchObject({
      damaged_calibration: expect.stringContaining(again),
      server_calibration: expect.stringMatching(/^install it again /),
    });
    const { notices } = (await server.call(undefined, endpoints.ready)).body;
    expect(notices.join()).not.toContain(client.id);
    await server.operate(operatorEndpoints.installCalibration, { ...of, calibration: null });
    await server.operate(operatorEndpoints.installCalibration, { calibration: null });
    expect(Object.keys(await told())).toEqual(['pad_pack', 'provisional_calibration']);
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
