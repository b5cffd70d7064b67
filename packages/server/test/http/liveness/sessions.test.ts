import { type Endpoint, endpoints } from '@wajah/contract';
import { describe, expect, it } from 'vitest';
import { changed } from '../../../../engine/test/support/changed.ts';
import { sharedEngine } from '../../../../engine/test/support/shared-engine.ts';
import { filmOf } from '../../support/film.ts';
import { newClient, openSession, submitFrames } from '../../support/liveness-sessions.ts';
import { startTestApp, type TestClient } from '../../support/test-app.ts';

const { createLivenessSession, submitLivenessSession } = endpoints;
/** Drawn heads are no photographs: spoof scores are tested on real pictures elsewhere. */
const env = { WAJAH_SPOOF_THRESHOLD: '1', WAJAH_UNCLEAR_SPOOF: 'accept' };

const [ani, budi, darma] = [await filmOf('ani'), await filmOf('budi'), await filmOf('darma')];
const server = await startTestApp(env);

/** Opens a session and submits frames of its steps. */
async function pass(client: TestClient, film = ani, fields: object = {}) {
  const session = await openSession(client, fields);
  const frames = await film.frames(session.steps);
  return { session, frames, body: await submitFrames(client, session.session_id, frames) };
}

async function brighter(image: string): Promise<string> {
  return (await changed(Buffer.from(image, 'base64'), 'brighter')).toString('base64');
}

async function refusedAs(client: TestClient, endpoint: Endpoint, fields: object, status: string) {
  const { body } = await client.call(endpoint, fields);
  expect([endpoint.id, body.status]).toEqual([endpoint.id, status]);
  return body.detail as string;
}

describe('a session', () => {
  it('has steps: the front, the requested number of actions, the front again', async () => {
    const seen = new Set<string>();
    const client = await server.client();
    for (const steps of [2, 3, 4, 5]) {
      for (let i = 0; i < 10; i++) {
        const session = await openSession(client, { steps, subject: `person ${steps} ${i}` });
        expect(session.steps).toHaveLength(steps + 2);
        expect([session.steps[0], session.steps.at(-1)]).toEqual(['face front', 'face front']);
        for (const [at, step] of session.steps.entries()) expect(step).not.toBe(session.steps[at + 1]);
        expect(session.steps.some((step) => /left|right/.test(step))).toBe(true);
        expect(session.steps.some((step) => /eyes|mouth/.test(step))).toBe(true);
        seen.add(session.steps.join());
      }
    }
    expect(seen.size).toBeGreaterThan(25);
    const { expires_at, steps } = await openSession(client);
    expect(steps).toHaveLength(5);
    const seconds = (Date.parse(expires_at) - Date.now()) / 1000;
    expect(seconds).toBeGreaterThan(200);
    expect(seconds).toBeLessThanOrEqual(300);
    await refusedAs(client, createLivenessSession, { user_id: 'x' }, '454');
  });

  it('answers its lifetime and the front angle', async () => {
    expect(await openSession(await newClient(server))).toMatchObject({ expires_in: 300, front_angle: 12 });
    const other = await startTestApp({ WAJAH_SESSION_SECONDS: '30' });
    expect(await openSession(await other.client())).toMatchObject({ expires_in: 30, front_angle: 12 });
  });

  it('asks for turns alone where the operator has it so', async () => {
    const turning = await startTestApp({ WAJAH_SESSION_EXPRESSION: 'false' });
    const client = await turning.client();
    for (let i = 0; i < 20; i++) {
      const { steps } = await openSession(client, { subject: `person ${i}` });
      expect(steps.every((step) => step.startsWith('face '))).toBe(true);
    }
  });

  it('is passed by frames that follow the steps, and issues a token with its nonce', async () => {
    const client = await newClient(server);
    const { session, body } = await pass(client);
    expect(body).not.toHaveProperty('reasons');
    expect(body).toMatchObject({ status: '200', liveness: 'passed', expires_in: 300 });
    expect(body.results!.map(({ step, match, frame }) => [step, match, frame])).toEqual(
      session.steps.map((step, i) => [step, true, i]),
    );
    const claims = JSON.parse(Buffer.from(body.liveness_token!.split('.')[1]!, 'base64url').toString());
    expect(claims).toMatchObject({ sub: client.id, sid: session.session_id, nonce: session.nonce });
    expect(claims.exp - claims.iat).toBe(300);
  });

  it('verifies the named user', async () => {
    const client = await newClient(server);
    const user = { user_id: 'ani', facegallery_id: client.gallery };
    const image = await ani.frame('face front', 3);
    await client.call(endpoints.enrolFace, { ...user, user_name: 'Ani', image });
    const passed = await pass(client, ani, user);
    expect(passed.body).toMatchObject({ liveness: 'passed', verified: true, similarity: expect.any(Number) });
    const { body } = await pass(client, darma, user);
    expect(body).toMatchObject({ liveness: 'failed', verified: false });
    expect(body.reasons).toContainEqual(expect.stringMatching(/^user: /));
    expect(body).not.toHaveProperty('liveness_token');
    // A value to climb by, for the person who tries.
    expect(body).not.toHaveProperty('similarity');
    await refusedAs(client, createLivenessSession, { ...user, user_id: 'nobody' }, '415');
  });

  it('is judged once, for its client and its nonce only', async () => {
    const [client, other] = [await newClient(server), await newClient(server)];
    const session = await openSession(client);
    const frames = await ani.frames(session.steps);
    const good = { session_id: session.session_id, frames };
    await refusedAs(other, submitLivenessSession, good, '418');
    await refusedAs(client, submitLivenessSession, { ...good, session_id: 'x' }, '418');
    expect(await refusedAs(client, submitLivenessSession, { ...good, nonce: 'x' }, '400')).toMatch(
      /^nonce: /,
    );
    const both = await Promise.all([
      submitFrames(client, session.session_id, frames, { nonce: session.nonce }),
      submitFrames(client, session.session_id, frames),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual(['200', '419']);
    await refusedAs(client, submitLivenessSession, good, '419');
  });

  it('can be submitted again when the server was busy', async () => {
    const { EngineError } = await import('@wajah/engine');
    const engine = await sharedEngine();
    let busy = true;
    const moody = await startTestApp(env, {
      engine: {
        ...engine,
        analyze: (...call) =>
          busy ? Promise.reject(new EngineError('busy', 'The queue is full.')) : engine.analyze(...call),
      },
    });
    const client = await moody.client();
    const session = await openSession(client);
    const frames = await ani.frames(session.steps);
    expect((await submitFrames(client, session.session_id, frames)).status).toBe('503');
    busy = false;
    expect(await submitFrames(client, session.session_id, frames)).toMatchObject({ liveness: 'passed' });
  });
});

describe('frames', () => {
  const reasonsOf = async (
    client: TestClient,
    change: (frames: Frame[], steps: string[]) => Promise<object[]>,
  ) => {
    const session = await openSession(client);
    const frames = await change(await ani.frames(session.steps), session.steps);
    const body = await submitFrames(client, session.session_id, frames);
    expect(body).toMatchObject({ status: '200', liveness: 'failed' });
    expect(body).not.toHaveProperty('liveness_token');
    return (body.reasons as string[]).map((reason) => reason.split(':')[0]);
  };
  type Frame = { step: string; image: string };

  it('L4: of a session that failed may be sent again', async () => {
    const client = await newClient(server);
    const first = await openSession(client);
    const frames = await ani.frames(first.steps);
    const failed = [...frames.slice(0, -1), { ...frames.at(-1)!, image: await budi.frame('face front', 1) }];
    expect(await submitFrames(client, first.session_id, failed)).toMatchObject({ liveness: 'failed' });
    const second = await openSession(client);
    const body = await submitFrames(client, second.session_id, await ani.frames(second.steps));
    expect(body).toMatchObject({ liveness: 'passed' });
  });

  it('L6: that passed for one client are refused for another, in the words for its own', async () => {
    const [one, other] = [await newClient(server), await newClient(server)];
    const session = await openSession(one);
    const passed = await submitFrames(one, session.session_id, await darma.frames(session.steps, 5));
    expect(passed).toMatchObject({ liveness: 'passed' });
    const answers = [];
    for (const client of [one, other]) {
      const again = await openSession(client);
      const frames = await darma.frames(again.steps, 5);
      answers.push((await submitFrames(client, again.session_id, frames)).reasons);
    }
    expect(answers[0]).toEqual([expect.stringMatching(/^replay: take new pictures in a new session/)]);
    expect(answers[1]).toEqual(answers[0]);
  });

  it('of two people, of nobody, or sent twice, do not pass', async () => {
    const reasons = async (change: Parameters<typeof reasonsOf>[1]) =>
      reasonsOf(await newClient(server), change);
    expect(
      await reasons(async (frames, steps) => [(await budi.frames(steps))[0]!, ...frames.slice(1)]),
    ).toContain('person');
    expect(await reasons(async (frames) => [...frames.slice(0, -1), { ...frames[0]! }])).toEqual(['repeat']);
    expect(
      await reasons(async (frames) => [
        ...frames.slice(0, -1),
        { step: 'face front', image: await brighter(frames[0]!.image) },
      ]),
    ).toEqual(['repeat']);
    expect(await reasons(async ([, ...others]) => [{ step: 'face front' }, ...others])).toEqual(['step']);
  });

  it('P7: that are mirrored are named, with the measured turn for the scope diagnostics', async () => {
    const client = await newClient(server);
    const { body: session } = await server.call(client.diagnosticsToken, createLivenessSession, { steps: 2 });
    const frames = await Promise.all(
      (await ani.frames(session.steps)).map(async ({ step, image }) => ({
        step,
        image: (await changed(Buffer.from(image, 'base64'), 'mirrored')).toString('base64'),
      })),
    );
    const fields = { session_id: session.session_id, frames };
    const { body } = await server.call(client.diagnosticsToken, submitLivenessSession, fields);
    const place = session.steps.findIndex((step: string) => /left|right/.test(step));
    const asked = session.steps[place];
    const seen = asked === 'face left' ? 'face right' : 'face left';
    expect(body.reasons).toEqual([
      `step: steps[${place}]: do "${asked}" clearly and hold it for a moment; "${seen}" was seen: the pictures may be mirrored`,
    ]);
    expect(body.diagnostics).toEqual([
      {
        name: 'step',
        detail: expect.stringMatching(
          /"face \w+" was seen: .* mirrored \(yaw -?\d+\.\d°, pitch -?\d+\.\d°\)$/,
        ),
      },
    ]);
  });

  it('W8: may show the face as small as the session allows, and no smaller', async () => {
    const client = await newClient(server);
    const judged = async (fields: object) => {
      const session = await openSession(client, { steps: 2, subject: JSON.stringify(fields), ...fields });
      const take = 7 + Object.keys(fields).length;
      const body = await submitFrames(client, session.session_id, await ani.frames(session.steps, take));
      return [body.liveness, body.reasons?.map((reason) => reason.split(':')[0])];
    };
    expect(await judged({ min_face: 1000 })).toEqual(['failed', ['quality']]);
    expect(await judged({})).toEqual(['passed', undefined]);
    const detail = await refusedAs(client, createLivenessSession, { min_face: 59 }, '400');
    expect(detail).toMatch(/^min_face: .*60.*1000/);
  });

  it('must follow the steps and have ascending times', async () => {
    const reasons = async (change: Parameters<typeof reasonsOf>[1]) =>
      reasonsOf(await newClient(server), change);
    expect(await reasons(async (frames) => frames.slice(1))).toEqual(['order']);
    expect(await reasons(async (frames) => frames.slice(0, -1))).toEqual(['order']);
    const at = (second: number) => ({ captured_at: new Date(1e12 + second * 1000).toISOString() });
    const timed = (seconds: number) =>
      reasons(async (frames) => frames.map((frame, i) => ({ ...frame, ...at(seconds * i) })));
    expect(await timed(-1)).toEqual(['time']);
    expect(await timed(100)).toEqual(['time']);
  });

  it('that fail are explained with measured values to the scope diagnostics only, and in the activity', async () => {
    const client = await newClient(server);
    const mixed = async (token: string) => {
      const { body: session } = await server.call(token, createLivenessSession, {});
      const frames = await ani.frames(session.steps);
      frames[0] = (await budi.frames(session.steps))[0]!;
      const fields = { session_id: session.session_id, frames };
      return (await server.call(token, submitLivenessSession, fields)).body;
    };
    const coarse = await mixed(client.token);
    expect(coarse).toMatchObject({ liveness: 'failed' });
    expect(coarse).not.toHaveProperty('diagnostics');
    expect(JSON.stringify(coarse)).not.toMatch(/spoof_score|is_spoof/);
    for (const reason of coarse.reasons as string[]) {
      expect(reason).toMatch(/^(person|replay|repeat|flat|spoof|quality): \D+$/);
      expect(reason).not.toContain('frames[');
    }
    const full = await mixed(client.diagnosticsToken);
    expect(full.diagnostics).toContainEqual({
      name: 'person',
      detail: expect.stringMatching(/frames\[\d\] .*similarity 0\.\d+/),
    });
    expect(full.results[0]).toHaveProperty('spoof_score');
    const { body } = await client.call(endpoints.listRefusals, {});
    const [, first] = body.refusals;
    expect(first.detail).toMatch(/person: frames\[\d\] .*similarity 0\.\d+/);
  });
});
