import { endpoints } from '@wajah/contract';
import { describe, expect, it } from 'vitest';
import { unjudgedDetail } from '../../../src/config/findings.ts';
import { filmOf } from '../../support/film.ts';
import { openSession, submitFrames } from '../../support/liveness-sessions.ts';
import { drawPictures, startTestApp, type TestApp } from '../../support/test-app.ts';

const { createLivenessSession, beginLivenessSession, getLivenessSession, submitLivenessSession } = endpoints;

const [film, pictures] = await Promise.all([filmOf('ani'), drawPictures()]);
/** A threshold of 1 switches the other spoof checks of a session off. No server has networks here. */
const settings = { WAJAH_SPOOF_THRESHOLD: '1' };
const server = await startTestApp(settings);
const lenient = await startTestApp({ ...settings, WAJAH_UNCLEAR_SPOOF: 'accept' });

const single = async (at: TestApp, more: object = {}) => {
  const fields = { image: pictures.ani, face_parameters: { angle: 'front', ...more } };
  return (await (await at.client()).call(endpoints.verifyLiveness, fields)).body;
};

async function session(at: TestApp) {
  const client = await at.client();
  const { session_id, steps } = await openSession(client);
  return submitFrames(client, session_id, await film.frames(steps));
}

describe('without PAD networks', () => {
  it('a picture does not pass the spoof check, and the answer names the pack and the command', async () => {
    const judged = await single(server);
    expect(judged).toMatchObject({
      status: '200',
      liveness: 'failed',
      match_status: { angle: true, is_real: false },
      results: { is_spoof: true, spoof_score: 0.5, spoof_verdict: 'unclear' },
      detail: unjudgedDetail,
    });
    expect(judged.detail).toContain('The model pack pad is not in use');
    expect(judged.detail).toContain('"wajah models pull pad"');
    const unasked = await single(server, { spoof_detection: false });
    expect(unasked).toMatchObject({ liveness: 'passed', match_status: { is_real: true } });
    expect(unasked).not.toHaveProperty('detail');
  });

  it('nor do pictures of a batch', async () => {
    const client = await server.client();
    const item = { image: pictures.ani, face_parameter: 'front' };
    const batch = [item, { ...item, spoof_detection: false }];
    const { body } = await client.call(endpoints.verifyLivenessBatch, { batch });
    const results = { image1: { match: true, is_spoof: true }, image2: { match: true } };
    expect(body).toMatchObject({ liveness: 'failed', results, detail: unjudgedDetail });
    expect(body.results.image2).not.toHaveProperty('is_spoof');
  });

  it('nor does a session, also a hosted one, and nobody is enrolled by it', async () => {
    const reasons = [`networks: ${unjudgedDetail}`];
    const judged = await session(server);
    expect(judged).toMatchObject({ status: '200', liveness: 'failed', reasons, detail: unjudgedDetail });
    expect(judged).not.toHaveProperty('liveness_token');

    const client = await server.client();
    const opened = (await client.call(createLivenessSession, { hosted: true })).body;
    const { session_id } = opened;
    const [, secret] = new URL(opened.url).hash.split('.');
    const { steps } = (await server.call(secret, beginLivenessSession, { session_id })).body;
    const frames = await film.frames(steps, 1);
    const page = await server.call(secret, submitLivenessSession, { session_id, frames });
    expect(page.body).toMatchObject({ liveness: 'failed', reasons });
    const { body } = await client.call(getLivenessSession, { session_id });
    expect(body).toMatchObject({ state: 'waiting', tries_left: 2, reasons });
    expect(body).not.toHaveProperty('liveness_token');
  });

  it('who accepts it by hand gets a pass, and the notice says so', async () => {
    const judged = await single(lenient);
    expect(judged).toMatchObject({ liveness: 'passed', match_status: { is_real: true } });
    const results = { is_spoof: false, spoof_score: 0.5, spoof_verdict: 'unclear' };
    expect(judged).toMatchObject({ results });
    expect(judged).not.toHaveProperty('detail');
    const unasked = await single(lenient, { spoof_detection: false });
    expect(judged.confidence_level).toBeCloseTo(unasked.confidence_level * 0.5, 3);
    const batch = [{ image: pictures.ani, face_parameter: 'front' }];
    const { body } = await (await lenient.client()).call(endpoints.verifyLivenessBatch, { batch });
    expect(body).toMatchObject({ liveness: 'passed', results: { image1: { match: true, is_spoof: false } } });
    expect(body).not.toHaveProperty('detail');
    expect(await session(lenient)).toMatchObject({ liveness: 'passed', liveness_token: expect.any(String) });
    const ready = async (at: TestApp) => (await at.app.inject('/ready')).json().notices;
    expect(await ready(server)).toEqual([
      expect.stringMatching(/no spoof check and no liveness session pass/),
    ]);
    expect(await ready(lenient)).toEqual([expect.stringMatching(/WAJAH_UNCLEAR_SPOOF=accept/)]);
  });

  it('programs of the public cloud are refused in its fields', async () => {
    const cloud = await startTestApp({ ...settings, WAJAH_COMPAT: 'risetai' });
    const { risetai } = await single(cloud);
    expect(risetai).toMatchObject({
      liveness: 'false',
      match_status: { is_real: false },
      results: { is_spoof: true },
    });
    expect(risetai).not.toHaveProperty('detail');
    const batch = [{ image: pictures.ani, face_parameter: 'front' }];
    const { body } = await (await cloud.client()).call(endpoints.verifyLivenessBatch, { batch });
    expect(body.risetai).toMatchObject({ liveness: 'failed', results: { image1: { is_spoof: true } } });
    expect(body.risetai).not.toHaveProperty('detail');
  });
});
